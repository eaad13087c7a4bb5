"""The PAM module of the tests, which behaves as its first argument says (Tests/Auth/modules/pam_gates_test.c)."""

import pathlib
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "Auth/modules/pam_gates_test.c"


def compiler():
    """A C compiler, or None."""
    return shutil.which("cc") or shutil.which("clang")


def build_module(folder):
    """Compiles the module into the folder; returns the path that a PAM service names."""
    built = pathlib.Path(folder) / "pam_gates_test.so"
    subprocess.run([compiler(), "-shared", "-fPIC", "-Wall", "-o", str(built), str(SOURCE)], check=True)
    return built
