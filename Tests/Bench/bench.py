#!/usr/bin/python3
"""What the program costs beside a bare libadwaita window in C: start, memory, and CPU when nothing happens.

Prints each number beside its goal and asserts none: a busy machine is no fault of the program.
BENCH_PAIRS (40) and BENCH_IDLE seconds (60) shorten it.
"""

import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

from Rig import TimedOut, World

HERE = pathlib.Path(__file__).resolve().parent
PAIRS = int(os.environ.get("BENCH_PAIRS", 40))
IDLE = int(os.environ.get("BENCH_IDLE", 60))
# Time for the program to come to rest before its memory is read, in ms.
SETTLE = 1500
# After the last input, before idle time counts: a focused caret blinks for 10 s.
REST = 15
START_GOAL, PSS_GOAL, TICKS_GOAL = 1.15, 1.20, 1
SEEN_ALL = {"onboardingCompleted": True, "acceptedConsentVersion": "2026-04-30"}


def compile_c(name, folder, *modules):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", *modules], check=True, capture_output=True, text=True)
    program = pathlib.Path(folder) / name
    command = ["cc", "-O2", "-Wall", "-Wextra", "-o", program, HERE / f"{name}.c", *flags.stdout.split()]
    subprocess.run(command, check=True)
    return program


def measure(world, observer, program):
    """(milliseconds to the first frame, PSS in KiB)."""
    line = world.run([observer, SETTLE, program]).stdout.split()
    return float(line[0]), int(line[1])


def interval(pairs):
    """The 95 % interval of the median ratio, by drawing pairs anew with replacement."""
    draw = random.Random(1)
    medians = sorted(statistics.median(a / b for a, b in draw.choices(pairs, k=len(pairs))) for _ in range(2000))
    return medians[50], medians[1949]


def report(name, pairs, goal, unit):
    ratio = statistics.median(a / b for a, b in pairs)
    low, high = interval(pairs)
    ours, bare = (statistics.median(column) for column in zip(*pairs))
    print(f"{name}: {ratio:.3f} times a bare window, 95 % interval {low:.3f} to {high:.3f}, goal at most {goal:.2f}"
          f"  (median {ours:.0f} and {bare:.0f} {unit}, {len(pairs)} pairs)", flush=True)


def start_and_memory(tools):
    with World() as world:
        world.preferences(biometricEnabled=True, **SEEN_ALL)
        ours = world.binaries / "app-gates"
        for program in (ours, tools["bare"]):  # once for the page cache
            measure(world, tools["first_frame"], program)
        times, sizes = [], []
        for number in range(PAIRS):
            order = [ours, tools["bare"]] if number % 2 else [tools["bare"], ours]
            found = {program: measure(world, tools["first_frame"], program) for program in order}
            times.append((found[ours][0], found[tools["bare"]][0]))
            sizes.append((found[ours][1] / 1024, found[tools["bare"]][1] / 1024))
    report("Start, locked, to the first painted frame", times, START_GOAL, "ms")
    report("Memory, locked, PSS", sizes, PSS_GOAL, "MiB")


def unlock(app):
    """Passes what stands between the start and the main shell, as the user would."""
    password = app.world.user.password if app.world.user else None
    if password:
        app.wait_for("password text")
        app.activate()
        app.type(password)
        app.key("Return")
        app.wait_gone("password text")
    app.click("button", "Continue on this computer")
    app.wait_gone("button", "Continue on this computer")


def ticks(app):
    """Of the program and of the helpers that it started."""
    total = app.cpu_ticks()
    for pid in app.children():
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total


def idle():
    """Locked and unlocked, each in a world of its own, at the same time."""
    with World() as first, World() as second:
        first.preferences(biometricEnabled=True, **SEEN_ALL)
        second.preferences(biometricEnabled=second.user is not None, **SEEN_ALL)
        apps = {"locked": first.app(), "unlocked": second.app()}
        try:
            unlock(apps["unlocked"])
        except TimedOut as error:
            print(f"The program could not be unlocked, so its idle time is of another screen:\n{error}")
        for world in (first, second):
            world.desk.end()
        time.sleep(REST)
        before = {name: ticks(app) for name, app in apps.items()}
        time.sleep(IDLE)
        for name, app in apps.items():
            spent = ticks(app) - before[name]
            print(f"Idle, {name}: {spent} clock ticks in {IDLE} s, goal at most {TICKS_GOAL}", flush=True)


def main():
    given = pathlib.Path(os.environ.get("APP_GATES_BIN", ""))
    if not (given / "app-gates").exists():
        sys.exit("There is no release build: run make bench, which makes one.")
    with tempfile.TemporaryDirectory(prefix="app-gates-bench-") as folder:
        os.chmod(folder, 0o755)  # the tests' user runs what is compiled here
        tools = {"bare": compile_c("bare", folder, "libadwaita-1"),
                 "first_frame": compile_c("first_frame", folder, "x11", "xdamage")}
        start_and_memory(tools)
    idle()


if __name__ == "__main__":
    main()
