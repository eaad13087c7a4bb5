"""Start and memory of the program as it is installed, locked, beside a bare libadwaita window in C."""

import os
import pathlib

from Rig import World

from figures import SEEN_ALL, compile_c, ratio, say
from installed import install

PAIRS = int(os.environ.get("BENCH_PAIRS", 30))
# Time for the program to come to rest before its memory is read, in ms.
SETTLE = 1500
START_GOAL, PSS_GOAL = 1.10, 1.12


def one(world, observer, program):
    """(milliseconds to the first frame, PSS in KiB)."""
    line = world.run([observer, SETTLE, program]).stdout.split()
    return float(line[0]), int(line[1])


def is_alone():
    """Whether no other program uses GTK now.

    PSS counts a page that two programs share as half a page for each. Beside another GTK program the bare window is let
    off half its libraries, and the same few MiB of ours come out as a larger ratio.
    """
    for maps in pathlib.Path("/proc").glob("[0-9]*/maps"):
        try:
            if "/libgtk-4.so" in maps.read_text():
                return False
        except OSError:  # it has ended, or is another user's
            pass
    return True


def measure(folder):
    bare, observer = compile_c("bare", folder, "libadwaita-1"), compile_c("first_frame", folder, "x11", "xdamage")
    with World() as world:
        world.preferences(biometricEnabled=True, **SEEN_ALL)
        ours = install(world) / "bin/app-gates"
        for program in (ours, bare):  # once for the page cache
            one(world, observer, program)
        times, sizes = [], []
        for number in range(PAIRS):
            order = [ours, bare] if number % 2 else [bare, ours]
            alone = is_alone()
            found = {program: one(world, observer, program) for program in order}
            times.append((found[ours][0], found[bare][0]))
            if alone and is_alone():
                sizes.append((found[ours][1] / 1024, found[bare][1] / 1024))
    ratio("Start, locked, to the first painted frame", times, START_GOAL, "ms")
    if sizes:
        ratio("Memory, locked, PSS", sizes, PSS_GOAL, "MiB", digits=1)
    else:
        say("Memory, locked: not measured, since other GTK programs run here and share their libraries: end them.")
