"""Sleep waits until the locked page is on the screen, and not a moment longer; on X11 and on Wayland."""

import signal
import time
import unittest

from Rig import why_no_wayland
from steps import LOCKED, needs_user, pixels
from test_session_lock import TODO, SessionTest


@needs_user
class SleepTest(SessionTest):
    def test_the_computer_sleeps_once_the_locked_page_is_on_the_screen(self):
        login = self.world.logind()
        app = self.opened()
        ((what, who, why, mode, _, _),) = login.wait_inhibited(app.pid)
        self.assertEqual((what, who, mode), ("sleep", "App Gates", "delay"))
        self.assertTrue(why)
        # Where its words begin, and nothing of the locked page lies.
        left, top, width, height = self.place(app, TODO)
        todo = (left, top, min(width, 60), height)
        self.assertGreater(len(pixels(self.world, *todo)), 2)
        login.stop_at_release(app.pid)
        login.suspend()
        # It stands still since the instant in which it let go: what is there now is what was there then.
        self.assertEqual(login.wait_asleep(), "released")
        self.assertEqual(len(pixels(self.world, *todo)), 1)
        at_release = self.world.display.screenshot(self.world.folder / "release.png", settled=False)
        app.signal(signal.SIGCONT)
        self.assert_locked(app)
        self.asks_nobody(app)
        self.assertGreater(len(self.colours(at_release, *self.place(app, LOCKED))), 2)
        self.assertEqual(login.inhibitors(app.pid), [])
        login.resume()
        login.wait_inhibited(app.pid)
        self.asks(app)
        self.assert_locked(app)
        self.unlock(app)
        app.wait_for("list item", TODO)
        # And once more.
        login.suspend()
        self.assertEqual(login.wait_event("asleep", number=2)[0], "released")
        self.assert_locked(app)

    def test_a_window_that_draws_nothing_does_not_hold_it_up(self):
        login = self.world.logind()
        app = self.opened()
        login.wait_inhibited(app.pid)
        app.minimise()
        began = time.monotonic()
        login.suspend()
        self.assertEqual(login.wait_asleep(), "released")
        self.assertLess(time.monotonic() - began, 1.5)
        self.assert_locked(app)

    def test_a_locked_app_holds_it_up_no_longer_than_an_open_one(self):
        login = self.world.logind()
        app = self.locked((TODO,))
        login.wait_inhibited(app.pid)
        login.suspend()
        self.assertEqual(login.wait_asleep(), "released")
        self.asks_nobody(app)
        login.resume()
        self.unlock(app)

    def test_the_delay_goes_with_the_lock(self):
        login = self.world.logind()
        app = self.shell([TODO])
        self.world.preferences(**{**self.preferences, "biometricEnabled": "true"})
        login.wait_inhibited(app.pid)
        self.assertEqual(app.close(), 0)
        login.wait_released()

    def colours(self, picture, left, top, width, height):
        return set(self.world.display.tool(
            "convert", picture, "-crop", f"{width}x{height}+{left}+{top}", "-unique-colors", "-depth", "8", "txt:-"
        ).splitlines()[1:])


@unittest.skipIf(why_no_wayland(), f"{why_no_wayland()}")
class SleepOnWaylandTest(SleepTest):
    options = {"size": (1280, 1800), "display": "wayland"}
