"""What the tests of the package share: where things lie, and a few ways to look at them."""

import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("APP_GATES_BIN") or ROOT / ".build/debug")
PROGRAMS = ("app-gates", "app-gates-auth", "app-gates-web")
ID = "io.github.appgates.AppGates"


def text(path):
    return (ROOT / path).read_text()


def version():
    """From its one source."""
    return re.search(r'define APP_GATES_VERSION "([^"]+)"', text("Sources/AuthWire/include/AppGatesVersion.h")).group(1)


def run(*argv, check=True, **options):
    """Runs a command; what it said on both ways out is in .stdout."""
    options.setdefault("cwd", ROOT)
    done = subprocess.run(list(map(str, argv)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, argv))} ended with {done.returncode}:\n{done.stdout}")
    return done


def missing(*tools):
    """Why a test that needs these tools cannot run here, or None."""
    absent = [tool for tool in tools if shutil.which(tool) is None]
    return f"needs {' and '.join(absent)} (make deps-test)" if absent else None


def package(debug=False):
    """The package in build/ that `make deb` made of this version, or None."""
    found = sorted((ROOT / "build").glob(f"app-gates{'-dbgsym' if debug else ''}_{version()}_*.deb"))
    return found[0] if found else None


def install(folder, prefix="/usr", **environment):
    """Installs below a folder with the one installer; the binaries are those under test."""
    env = {**os.environ, "BUILT": str(BINARIES), "PAM": "debian", **environment}
    run(ROOT / "Scripts/install.sh", folder, prefix, env=env)


def listing(folder):
    """{path: mode} of all files below a folder."""
    folder = pathlib.Path(folder)
    return {"/" + str(path.relative_to(folder)): oct(path.stat().st_mode & 0o7777)
            for path in sorted(folder.rglob("*")) if not path.is_dir()}
