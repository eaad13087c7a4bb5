#!/usr/bin/python3
"""chroot.py: what `make test-deb` does with the package in build/, as root: a minimal system made by debootstrap.

  lintian     nothing is left to say about the package
  life        install, upgrade from a version before, a settings file that was changed, remove, purge
  autopkgtest debian/tests in a fresh copy of the system; a test that was skipped has failed
  twice       builds the package once more: it is the same to the byte
  paths       the same in another folder, and from sources without git, as a tarball has them
The last two run only when asked for, since they take minutes.
A step's name as an argument runs that one alone. The system is kept as a tar file in build/, so that the next run
fetches the packages of the tests only. Nothing outside of build/ is changed; all mounts lie in a namespace of their own.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from packaging import ROOT, package, run, version  # noqa: E402

BUILD = ROOT / "build"
CONFFILES = ["/etc/pam.d/app-gates", "/etc/pam.d/app-gates-fingerprint", "/etc/xdg/app-gates/app-gates.conf"]
MINE = "\n# Changed by whoever looks after this computer.\n"


def fail(sentence):
    sys.exit(f"test-deb: {sentence}")


def own_namespace():
    """Runs this program again with mounts that nobody else sees, and that end with it."""
    if os.geteuid() != 0:
        fail("a chroot takes root: run it as root.")
    if os.environ.get("APP_GATES_CHROOT") != "inside":
        os.environ["APP_GATES_CHROOT"] = "inside"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, __file__, *sys.argv[1:]])


def codename():
    lines = pathlib.Path("/etc/os-release").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line).get("VERSION_CODENAME", "").strip('"')


def sources():
    """The archives of this machine's own release, as apt knows them: [(suite, address)]."""
    lines = run("apt-get", "indextargets", "--format", "$(RELEASE) $(REPO_URI) $(COMPONENT)",
                "Created-By: Packages").stdout.splitlines()
    found = sorted({tuple(line.split()[:2]) for line in lines if line.split()[2:] == ["main"]})
    found = [(suite, address) for suite, address in found if suite.split("-")[0] == codename()]
    if not any(suite == codename() for suite, _ in found):
        fail(f"apt knows no archive of {codename()} here: add one to its sources, and run apt-get update.")
    return found


def base_system():
    """The tar file of a minimal system, made where it is not there yet."""
    tarball = BUILD / f"chroot-{codename()}.tar"
    if tarball.exists():
        return tarball
    mirror = next(address for suite, address in sources() if suite == codename())
    folder = BUILD / "chroot-base"
    shutil.rmtree(folder, ignore_errors=True)
    print(f"debootstrap {codename()} from {mirror}", flush=True)
    run("debootstrap", "--variant=minbase", codename(), folder, mirror)
    lines = [f"deb {address} {suite} main\n" for suite, address in sources()]
    (folder / "etc/apt/sources.list").write_text("".join(lines))
    run("tar", "--create", "--file", f"{tarball}.new", "--directory", folder, ".")
    os.replace(f"{tarball}.new", tarball)
    shutil.rmtree(folder)
    return tarball


class System:
    """A fresh copy of the minimal system, with what a program expects to be mounted."""

    def __init__(self, name):
        self.folder = BUILD / f"chroot-{name}"
        self.mounts = []

    def __enter__(self):
        tarball = base_system()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        run("tar", "--extract", "--file", tarball, "--directory", self.folder)
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        # No service is started in there.
        policy = self.folder / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
        # A system that is thrown away need not be safe from a power cut.
        (self.folder / "etc/dpkg/dpkg.cfg.d/unsafe-io").write_text("force-unsafe-io\n")
        for target, options in {"proc": ["-t", "proc", "proc"], "sys": ["-t", "sysfs", "-o", "ro", "sys"],
                                "dev": ["--bind", "/dev"], "dev/pts": ["-t", "devpts", "-o", "newinstance", "devpts"],
                                "dev/shm": ["-t", "tmpfs", "tmpfs"], "tmp": ["-t", "tmpfs", "tmpfs"]}.items():
            run("mount", *options, self.folder / target)
            self.mounts.append(self.folder / target)
        self.run("apt-get", "update", "-qq")
        return self

    def __exit__(self, *_):
        for mount in reversed(self.mounts):
            run("umount", "--lazy", mount, check=False)
        if all(not os.path.ismount(mount) for mount in self.mounts):
            shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *argv, **options):
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
               "DEBIAN_FRONTEND": "noninteractive"}
        return run("chroot", self.folder, *argv, env=env, **options)

    def path(self, name):
        return self.folder / name.lstrip("/")

    def take(self, file):
        shutil.copy(file, self.folder / "root")
        return f"/root/{file.name}"

    def files(self):
        """All files but those that any installation writes."""
        kept = {"proc", "sys", "dev", "tmp", "run", "root", "var/cache", "var/lib/apt", "var/lib/dpkg", "var/log"}
        found = set()
        for folder, folders, names in os.walk(self.folder):
            place = os.path.relpath(folder, self.folder).removeprefix(".")
            folders[:] = [name for name in folders if os.path.join(place, name) not in kept]
            found |= {"/" + os.path.join(place, name) for name in names}
        return found


def check(condition, sentence):
    if not condition:
        fail(sentence)


def some(names):
    """The first of them, for a message."""
    names = sorted(names)
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


@contextlib.contextmanager
def step(name):
    print(f"== {name}", flush=True)
    began = time.monotonic()
    yield
    print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)


def lintian(deb):
    changes = deb.with_suffix(".changes")
    done = run("lintian", "--allow-root", "--pedantic", "-E", "-I", "--show-overrides",
               changes if changes.exists() else deb, check=False)
    said = done.stdout
    # 2 is a tag that counts, and those are looked at below; anything else but 0 is lintian's own trouble.
    check(done.returncode in (0, 2), said)
    lines = [line for line in said.splitlines() if line[1:2] == ":"]
    check(all(line[0] in "ON" for line in lines), said)
    print(f"lintian: nothing left to say, {sum(line[0] == 'O' for line in lines)} tags overridden")


def older(deb):
    """The same package with an earlier version and other settings, as the one before would have been."""
    folder = BUILD / "older"
    shutil.rmtree(folder, ignore_errors=True)
    run("dpkg-deb", "--raw-extract", deb, folder)
    control = folder / "DEBIAN/control"
    control.write_text(control.read_text().replace(f"Version: {version()}\n", f"Version: {version()}~before\n"))
    for name in CONFFILES:
        file = folder / name.lstrip("/")
        file.write_text(file.read_text() + "# A line of the version before.\n")
    (folder / "usr/share/app-gates/no-longer-there").write_text("gone\n")
    target = BUILD / f"app-gates_{version()}~before_all.deb"
    run("dpkg-deb", "--root-owner-group", "--build", folder, target)
    shutil.rmtree(folder)
    return target


def life(deb):
    before = older(deb)
    with System("life") as system:
        install = ("apt-get", "install", "--yes", "-qq", "--no-install-recommends",
                   "-o", "Dpkg::Options::=--force-confdef", "-o", "Dpkg::Options::=--force-confold")
        # What it depends on comes first, so that what is left at the end is its own.
        depends = [name.split()[0] for name in run("dpkg-deb", "--field", deb, "Depends").stdout.split(",")]
        system.run(*install, *depends)
        clean = system.files()

        system.run(*install, system.take(before))
        for helper in ("app-gates-auth", "app-gates-web"):
            said = system.run(f"/usr/libexec/app-gates/{helper}", "--version").stdout.strip()
            check(said == f"{helper} {version()}", f"the helper says “{said}”")
        home = system.path("/home/somebody")
        todos = home / ".local/share/app-gates/todos.sqlite3"
        todos.parent.mkdir(parents=True)
        todos.write_bytes(b"not touched by any package")
        changed = system.path(CONFFILES[2])
        changed.write_text(changed.read_text() + MINE)

        system.run(*install, system.take(deb))
        check(system.run("dpkg-query", "-W", "-f", "${Version}", "app-gates").stdout == version(), "it was not upgraded")
        check(changed.read_text().endswith(MINE), f"{CONFFILES[2]} was changed, and the upgrade took the change away")
        unchanged = system.path(CONFFILES[0]).read_text()
        check("version before" not in unchanged, f"{CONFFILES[0]} was not changed, and is still that of before")
        check(not system.path("/usr/share/app-gates/no-longer-there").exists(), "a file of the version before is left")
        check(system.run("app-gates", "--version").stdout.strip() == f"app-gates {version()}", "it does not start")
        damaged = system.run("dpkg", "--verify", "app-gates").stdout.split()
        check(set(damaged) <= {"??5??????", "c", CONFFILES[2]}, f"files differ from the package: {damaged}")

        system.run("apt-get", "remove", "--yes", "-qq", "app-gates")
        left = {name for name in system.files() - clean if not name.startswith("/home")}
        check({name.split(".dpkg-")[0] for name in left} == set(CONFFILES), f"removed, and there is {some(left)}")
        system.run("apt-get", "purge", "--yes", "-qq", "app-gates")
        left = {name for name in system.files() - clean if not name.startswith("/home")}
        check(not left, f"purged, and there is {some(left)}")
        check(not system.path("/etc/xdg/app-gates").exists(), "purged, and there is /etc/xdg/app-gates")
        check(todos.read_bytes() == b"not touched by any package", "the user's files were touched")
    print("life: installed, upgraded with a changed settings file kept, removed, purged, nothing left but the user's own")


def autopkgtest(deb):
    with System("autopkgtest") as system:
        tests = BUILD / "autopkgtest-source"
        shutil.rmtree(tests, ignore_errors=True)
        shutil.copytree(ROOT / "debian", tests / "debian", ignore=shutil.ignore_patterns(".debhelper", "app-gates"))
        command = ["autopkgtest", "--no-built-binaries", deb, tests, "--", "chroot", system.folder]
        done = subprocess.run(list(map(str, command)), cwd=ROOT, stdin=subprocess.DEVNULL)
        shutil.rmtree(tests)
        # 2 is "at least one test was skipped", 8 "there was none".
        check(done.returncode == 0, f"autopkgtest ended with {done.returncode}")


def same(deb, again):
    """Both packages in build/ are the same to the byte as what `again` builds: it returns the folder with those."""
    packages = [path for path in (deb, package(debug=True)) if path]
    with tempfile.TemporaryDirectory(prefix="app-gates-another-") as scratch:
        before = pathlib.Path(scratch) / "before"
        before.mkdir()
        for path in packages:
            shutil.copy2(path, before)
        folder = again(pathlib.Path(scratch))
        for path in packages:
            if (before / path.name).read_bytes() != (folder / path.name).read_bytes():
                print(run("diffoscope", "--text", "-", before / path.name, folder / path.name, check=False).stdout)
                fail(f"{path.name} came out different: diffoscope says above in what")
    print(", ".join(path.name for path in packages) + ": the same to the byte")


def twice(deb):
    def again(_):
        run(ROOT / "Scripts/deb.sh")
        return BUILD

    same(deb, again)


def paths(deb):
    def again(scratch):
        copy = scratch / "a-longer-path/sources"
        ours = shutil.ignore_patterns(".git", ".build", "build", "__pycache__", ".debhelper")
        shutil.copytree(ROOT, copy, symlinks=True, ignore=ours)
        run(copy / "Scripts/deb.sh", cwd=copy)
        return copy / "build"

    same(deb, again)


USUAL = {"lintian": lintian, "life": life, "autopkgtest": autopkgtest}
STEPS = {**USUAL, "twice": twice, "paths": paths}


def main(names):
    unknown = set(names) - set(STEPS)
    if unknown:
        fail(f"there is no step {', '.join(sorted(unknown))}: choose from {', '.join(STEPS)}.")
    own_namespace()
    deb = package()
    if deb is None:
        fail(f"there is no package of {version()} in build/: run make deb first.")
    for name in names or USUAL:
        with step(name):
            STEPS[name](deb)


if __name__ == "__main__":
    main(sys.argv[1:])
