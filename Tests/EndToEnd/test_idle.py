"""A minute in which nothing happens costs nothing. Slow: 75 seconds, spent in two worlds at once."""

import time
import unittest

from Rig import why_no_user
from steps import LOCKED, World, at_least, come_back

SETTLE, WATCH = 15, 60


class IdleTest(unittest.TestCase):
    # It takes as long as thirty tests. Others may run meanwhile: what is counted is a program's own time on a processor,
    # and a busy machine takes none of that away.
    worth = 30

    def test_no_more_than_one_tick_in_a_minute_locked_and_unlocked(self):
        apps = {}
        for name in ("unlocked", "locked"):
            world = World()
            self.addCleanup(world.close)
            come_back(world, ["Buy milk"], lock=name == "locked")
            app = world.app()
            if name == "locked":
                app.wait_for("label", LOCKED)
                if not why_no_user():
                    app.wait_for("password text", states=("focused", "editable"))
            else:
                app.wait_for("text", "Add a todo", states=("focused",))
            app.type("a")  # the last input
            # Nobody listens, as on most desktops: a listener is told of each blink of a caret.
            world.desk.end()
            apps[name] = app
        began = time.monotonic()
        at_least(SETTLE, began)
        before = {name: app.cpu_ticks() for name, app in apps.items()}
        at_least(SETTLE + WATCH, began)
        spent = {name: app.cpu_ticks() - before[name] for name, app in apps.items()}
        self.assertTrue(all(app.child.is_running for app in apps.values()))
        self.assertLessEqual(max(spent.values()), 1, f"clock ticks of a hundredth of a second: {spent}")
