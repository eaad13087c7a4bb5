"""What the Debian package weighs, packed and installed, without the debug symbols."""

import pathlib
import subprocess

from figures import say

ROOT = pathlib.Path(__file__).resolve().parents[2]
# In MB.
PACKED_GOAL, INSTALLED_GOAL = 3, 11


def measure(_folder):
    found = sorted(path for path in (ROOT / "build").glob("app-gates_*.deb"))
    if not found:
        return say("There is no package in build/ to weigh: run make deb.")
    packed = found[-1].stat().st_size / 1e6
    done = subprocess.run(["dpkg-deb", "--field", found[-1], "Installed-Size"], check=True, capture_output=True, text=True)
    say(f"Package: {packed:.2f} MB, goal at most {PACKED_GOAL}; installed: {int(done.stdout) * 1024 / 1e6:.2f} MB, goal "
        f"at most {INSTALLED_GOAL}")
