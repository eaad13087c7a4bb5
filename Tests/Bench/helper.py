"""The helper's round trip beside a bare C program that holds the same conversation with PAM."""

import os
import statistics

from Rig import World, why_no_user

from figures import ROOT, compile_c, compile_module, ratio, say

PAIRS = int(os.environ.get("BENCH_TRIPS", 200))
RATIO_GOAL, MORE_GOAL = 1.30, 5.0
# A module that asks one question and looks nothing up: what is left is the two programs' own work.
QUICK = """auth required {module} prompt
account required pam_permit.so
"""


def compile_tools(folder):
    wire, shim = ROOT / "Sources/AuthWire", ROOT / "Sources/GLibShim"
    return {
        "bare": compile_c("bare_pam", folder, flags=["-lpam"]),
        "trip": compile_c("round_trip", folder, sources=[*sorted(wire.glob("*.c")), shim / "helper_spawn.c"],
                          flags=[f"-I{wire}/include", f"-I{shim}/include"]),
        "module": compile_module(folder),
    }


def pairs(world, tools, password, count):
    done = world.run([tools["trip"], count, world.binaries / "app-gates-auth", tools["bare"]], input=password.encode(),
                     seconds=120)
    return [tuple(map(float, line.split())) for line in done.stdout.decode().splitlines()]


def report(name, found):
    ratio(name, found, RATIO_GOAL, "ms", other="a bare C program", digits=2)
    more = statistics.median(ours - bare for ours, bare in found)
    say(f"{name}, on top: {more:.2f} ms, goal at most {MORE_GOAL:.0f} ms")


def measure(folder):
    if why_no_user():
        return say(f"The helper's round trip was not measured: {why_no_user()}")
    tools = compile_tools(folder)
    with World(accessible=False) as world:
        report("Helper, pam_unix", pairs(world, tools, world.user.password, PAIRS // 2))
        world.etc.service("app-gates", QUICK.format(module=tools["module"]))
        report("Helper, a module that only asks", pairs(world, tools, "one", PAIRS))
