"""A private /etc: a copy of the machine's own, put over it in a mount namespace. Needs root.

A user made in it, its password and the PAM services exist for the processes of one world only. Nothing of it is left
on the machine, not even where a test is killed, and worlds that run side by side do not meet.
"""

import contextlib
import errno
import os
import pathlib
import pwd
import random
import secrets
import shutil
import socket
import subprocess
import tempfile

MEMORY = "/dev/shm"
ROOM = 32 << 20

# $1 is a list of "source=target" lines; the rest is the command.
ENTER = """
set -e
echo "$1" | while IFS== read -r source target; do mount --bind "$source" "$target"; done
shift
exec "$@"
"""


def why_not():
    """Why there can be no private /etc here, as one sentence; None where there can."""
    if os.geteuid() != 0:
        return "needs root, to make a user and a private /etc"
    for tool in ("unshare", "mount", "setpriv", "useradd", "usermod", "chpasswd"):
        if shutil.which(tool) is None:
            return f"needs the program {tool}"
    probe = ["unshare", "-m", "mount", "--bind", "/etc", "/etc"]
    done = subprocess.run(probe, capture_output=True, text=True)
    if done.returncode != 0:
        return "needs mount namespaces: " + done.stderr.strip()
    return None


def copy_of_etc(folder):
    """Copies /etc into memory, or into the folder where there is no room; returns the copy.

    On a disk the hundreds of links in it take most of the time in which a world is built.
    """
    with contextlib.suppress(OSError):
        memory = os.statvfs(MEMORY)
        if memory.f_bavail * memory.f_frsize >= ROOM:
            folder = tempfile.mkdtemp(prefix="app-gates-etc-", dir=MEMORY)
    copy = pathlib.Path(folder) / "etc"
    subprocess.run(["cp", "-a", "/etc", str(copy)], check=True)
    return copy


class PrivateEtc:
    """The copy, and the mounts that a world's processes see."""

    def __init__(self, folder):
        self.path = copy_of_etc(folder)
        self.mounts = {"/etc": str(self.path)}

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)
        with contextlib.suppress(OSError):
            self.path.parent.rmdir()  # not where the world's other files are

    def enter(self, argv):
        """The command line that runs `argv` with the mounts in place. It execs: the process id stays the same."""
        lines = "\n".join(f"{source}={target}" for target, source in self.mounts.items())
        return ["unshare", "-m", "--propagation", "private", "sh", "-c", ENTER, "sh", lines, *map(str, argv)]

    def run(self, *argv, **options):
        """Runs a command in it as root; a failure is raised with what the command said."""
        done = subprocess.run(self.enter(argv), capture_output=True, timeout=60, **options)
        if done.returncode != 0:
            raise RuntimeError(f"{argv[0]}: {done.stderr.decode(errors='replace').strip()}")
        return done

    def service(self, name, text):
        """Writes a PAM service; None removes it."""
        path = self.path / "pam.d" / name
        if text is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(text if text.endswith("\n") else text + "\n")
            path.chmod(0o644)

    def put_back_services(self, ours):
        """The machine's own services, and those of the folder `ours`."""
        shutil.rmtree(self.path / "pam.d")
        subprocess.run(["cp", "-a", "/etc/pam.d", str(self.path)], check=True)
        for file in sorted(pathlib.Path(ours).glob("*")):
            self.service(file.name, file.read_text())


class TestUser:
    """An ordinary user that exists in one private /etc, with a password that nobody knows beforehand."""

    __test__ = False

    def __init__(self, etc, home):
        self.etc = etc
        self.home = pathlib.Path(home)
        self.name = "agtest" + secrets.token_hex(4)
        self.id = UserId()
        self.uid = self.gid = self.id.number
        etc.run("groupadd", "-g", str(self.gid), self.name)
        etc.run("useradd", "-u", str(self.uid), "-g", self.name, "-M", "-d", str(home), "-s", "/bin/sh",
                "-c", "Test User", self.name)
        self.set_password(secrets.token_urlsafe(12))

    def set_password(self, password):
        """Gives the user another password; text or bytes."""
        secret = password if isinstance(password, bytes) else password.encode()
        # -c: chpasswd's own hashing, without the machine's rules on passwords.
        self.etc.run("chpasswd", "-c", "SHA512", input=self.name.encode() + b":" + secret + b"\n")
        self.password = password

    def change(self, *command):
        """Runs a command such as ("chage", "-d", "0") with the user's name behind it."""
        self.etc.run(*command, self.name)

    def become(self, argv):
        """The command line that runs `argv` as this user, and ends it with us."""
        return ["setpriv", f"--reuid={self.uid}", f"--regid={self.gid}", "--init-groups", "--pdeathsig", "KILL",
                *map(str, argv)]


class UserId:
    """A user id, `number`, that neither the machine's users nor any process nor any other world has until `release`."""

    def __init__(self):
        used = {entry.pw_uid for entry in pwd.getpwall()} | ids_of_processes()
        free = [number for number in range(30000, 60000) if number not in used]
        # What ends a world's processes goes by their user, so no two worlds may ever draw the same: it is held by a
        # name that the kernel gives to one socket only, and takes back where a test is killed.
        self.held = None
        while self.held is None:
            self.number = random.SystemRandom().choice(free)
            self.held = hold(f"app-gates-test-user-{self.number}")

    def release(self):
        """Gives the id back, once no process has it any more."""
        self.held.close()


def hold(name):
    """A socket that has this abstract name, or None where somebody has it already."""
    holder = socket.socket(socket.AF_UNIX)
    try:
        holder.bind("\0" + name)
        return holder
    except OSError as error:
        holder.close()
        if error.errno != errno.EADDRINUSE:
            raise
        return None


def ids_of_processes():
    found = set()
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found.add(entry.stat().st_uid)
            except OSError:
                continue
    return found
