"""Walks the real program through every screen as a new user would, and keeps a picture of each.

    tour.py [--all] [--readme FOLDER] FOLDER

One pass: light colours, the window as it opens. With --all three more: dark, 360 px wide, right to left.
The binaries come from $APP_GATES_BIN (a folder), otherwise from .build/debug.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

from Rig import World, why_no_user
from Tour.picture import Album
from Tour.walk import Walk

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCREEN = (1600, 900)
# The pictures that the README shows, and how they are called there.
README = {"todos": "todos.png", "locked": "locked.png"}


class Pass:
    """One way to look at the program: how its world differs, and how its pictures are named."""

    def __init__(self, about, suffix="", scheme="light", size=None, language=None):
        self.about, self.suffix, self.scheme, self.size, self.language = about, suffix, scheme, size, language

    @property
    def right_to_left(self):
        return self.language == "he"

    def world(self):
        world = World(size=SCREEN, scheme=self.scheme)
        if self.language:
            # GTK takes the direction from its own translation, and gettext takes that from LANGUAGE alone: no locale
            # of the language needs to be installed.
            world.env["LANGUAGE"] = self.language
        return world


PASSES = [
    Pass("light"),
    Pass("dark", "-dark", scheme="dark"),
    Pass("360 px wide", "-360", size=(360, 640)),
    Pass("right to left", "-rtl", language="he"),
]


def main():
    parser = argparse.ArgumentParser(prog="tour.py", description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="where the pictures go")
    parser.add_argument("--all", action="store_true", help="also dark, 360 px wide and right to left")
    parser.add_argument("--readme", metavar="FOLDER", help="put the README's pictures there")
    asked = parser.parse_args()
    why_not = missing()
    if why_not:
        return fail(why_not)
    folder = pathlib.Path(asked.folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if why_no_user():
        print(f"Without a user of its own the tour does not type a password: it {why_no_user()}.", flush=True)
    begun = time.monotonic()
    taken = 0
    for one in PASSES if asked.all else PASSES[:1]:
        album = Album(folder, one.suffix)
        if asked.all:
            print(f"\n{one.about.capitalize()}:", flush=True)
        if not walked(one, album):
            return 1
        taken += len(album.names)
        if asked.readme and one is PASSES[0]:
            for name, file in README.items():
                album.copy_small(name, pathlib.Path(asked.readme) / file)
    print(f"\n{taken} pictures in {folder}, in {time.monotonic() - begun:.0f} s.")
    return 0


def missing():
    """One sentence where the tour cannot begin, or None."""
    binaries = pathlib.Path(os.environ.get("APP_GATES_BIN") or ROOT / ".build/debug")
    for name in ("app-gates", "app-gates-auth", "app-gates-web"):
        if not os.access(binaries / name, os.X_OK):
            return f"There is no {name} in {binaries}: build it with “make release”, then try again."
    for tool in ("Xvfb", "openbox", "xdotool", "xprop", "import", "dbus-daemon", "xmessage"):
        if shutil.which(tool) is None:
            return f"The tour needs the program {tool}: “make deps-test” installs what is missing."
    return None


def walked(one, album):
    """Goes through one pass; where it is stuck, says where, and keeps what can be seen there."""
    walk = None
    try:
        with one.world() as world:
            walk = Walk(world, album, size=one.size, right_to_left=one.right_to_left)
            try:
                walk.all()
            except Exception:
                walk.keep_where_stuck()
                raise
    except (AssertionError, RuntimeError, OSError, subprocess.SubprocessError) as error:
        at = f"at “{walk.step}”" if walk else "before its start"
        fail(f"The tour ({one.about}) is stuck {at}: {str(error).splitlines()[0]}.")
        if walk and walk.kept:
            print("What it looked like there: " + " and ".join(map(str, walk.kept)), file=sys.stderr)
        return False
    return True


def fail(sentence):
    print(sentence.replace("..", "."), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
