"""What it costs at a start that a crash would leave a record: with it and without it, which a preload arranges."""

import os

from Rig import World

from figures import SEEN_ALL, compile_c, ratio

PAIRS = int(os.environ.get("BENCH_PAIRS", 30))
# No memory is read here, so nothing has to come to rest.
SETTLE = 200
GOAL = 1.02


def measure(folder):
    observer = compile_c("first_frame", folder, "x11", "xdamage")
    library = compile_c("crash_off", folder, flags=["-shared", "-fPIC"])
    with World() as world:
        world.preferences(biometricEnabled=True, **SEEN_ALL)
        program = world.binaries / "app-gates"

        def one(**more):
            env = {"LD_PRELOAD": str(library), **more}
            return float(world.run([observer, SETTLE, program], env=env).stdout.split()[0])

        one()  # once for the page cache
        times = []
        for number in range(PAIRS):
            if number % 2:
                times.append((one(), one(CRASH_OFF="1")))
            else:
                without = one(CRASH_OFF="1")
                times.append((one(), without))
    ratio("Start with a record of crashes", times, GOAL, "ms", other="a start without one", digits=1)
