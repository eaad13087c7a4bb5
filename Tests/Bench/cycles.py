"""Memory after many locks and unlocks, over that after a few; and what is left running."""

import os
import shutil
import subprocess
import time

from Rig import World, until, why_no_user
from Rig.children import Child
from Rig.desk import PYTHON

from figures import HERE, come_back, compile_module, say

FEW, MANY = 10, int(os.environ.get("BENCH_CYCLES", 1000))
GOAL = 1.02
# Until what was freed has been given back, in s.
SETTLE = 2


class Driver:
    """cycle_driver.py, at work on a program's window."""

    def __init__(self, app, password):
        world = app.world
        script = world.folder / "cycle_driver.py"
        shutil.copy(HERE / script.name, script)
        script.chmod(0o644)
        self.child = Child(world.command([PYTHON, script, app.window, password]), world.folder / "cycles.log", world.env,
                           cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        world.started.append(self.child)
        self.line()

    def line(self):
        line = self.child.process.stdout.readline()
        if not line:
            raise RuntimeError("the cycles ended: " + self.child.output())
        return line

    def run(self, count):
        """Seconds for so many cycles."""
        self.child.process.stdin.write(f"{count}\n")
        self.child.process.stdin.flush()
        return float(self.line())


def measure(folder):
    if why_no_user():
        return say(f"Memory over many locks was not measured: {why_no_user()}")
    module = compile_module(folder)
    # Without accessibility: nothing looks on, and nothing is told.
    with World(accessible=False) as world:
        come_back(world, ["Buy milk", "Sell milk"], lock=True)
        world.etc.service("app-gates", f"auth required {module} prompt\naccount required pam_permit.so")
        app = world.app(wait=False, env={"GTK_A11Y": "none"})
        until(app.windows, "the window")
        app.activate()
        until(app.children, "the helper that asks for the password")
        app.type("one")
        app.key("Return")
        until(lambda: app.title != "App Gates", "the list of todos")
        driver = Driver(app, "one")
        driver.run(FEW)
        time.sleep(SETTLE)
        few, few_own = app.memory_kib()
        seconds = driver.run(MANY - FEW)
        time.sleep(SETTLE)
        _, many_own = app.memory_kib()
        many, left = few + many_own - few_own, app.children()
        say(f"Memory after {MANY} locks and unlocks: {many / few:.3f} times that after {FEW}, goal at most {GOAL:.2f}  "
            f"({many / 1024:.1f} and {few / 1024:.1f} MiB PSS, {1000 * seconds / (MANY - FEW):.0f} ms each); "
            f"helpers left: {len(left)}, goal 0")
