"""Start and memory of the program as it is installed, locked, beside a bare libadwaita window in C."""

import os

from Rig import World

from figures import SEEN_ALL, compile_c, ratio
from installed import install

PAIRS = int(os.environ.get("BENCH_PAIRS", 30))
# Time for the program to come to rest before its memory is read, in ms.
SETTLE = 1500
START_GOAL, PSS_GOAL = 1.10, 1.12


def one(world, observer, program):
    """(milliseconds to the first frame, PSS in KiB)."""
    line = world.run([observer, SETTLE, program]).stdout.split()
    return float(line[0]), int(line[1])


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
            found = {program: one(world, observer, program) for program in order}
            times.append((found[ours][0], found[bare][0]))
            sizes.append((found[ours][1] / 1024, found[bare][1] / 1024))
    ratio("Start, locked, to the first painted frame", times, START_GOAL, "ms")
    ratio("Memory, locked, PSS", sizes, PSS_GOAL, "MiB")
