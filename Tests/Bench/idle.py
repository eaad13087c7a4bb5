"""The processor's time when nothing happens, locked and unlocked."""

import os
import pathlib
import time

from Rig import TimedOut, World

from figures import SEEN_ALL, say

IDLE = int(os.environ.get("BENCH_IDLE", 60))
# After the last input, before idle time counts: a focused caret blinks for 10 s.
REST = 15
TICKS_GOAL = 1


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


def measure(_):
    """Locked and unlocked, each in a world of its own, at the same time."""
    with World() as first, World() as second:
        first.preferences(biometricEnabled=True, **SEEN_ALL)
        second.preferences(biometricEnabled=second.user is not None, **SEEN_ALL)
        apps = {"locked": first.app(), "unlocked": second.app()}
        try:
            unlock(apps["unlocked"])
        except TimedOut as error:
            say(f"The program could not be unlocked, so its idle time is of another screen:\n{error}")
        for world in (first, second):
            world.desk.end()
        time.sleep(REST)
        before = {name: ticks(app) for name, app in apps.items()}
        time.sleep(IDLE)
        for name, app in apps.items():
            spent = ticks(app) - before[name]
            say(f"Idle, {name}: {spent} clock ticks in {IDLE} s, goal at most {TICKS_GOAL}")
