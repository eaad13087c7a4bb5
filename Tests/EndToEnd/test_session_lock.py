"""The lock follows the desktop's session: its lock screen, other users; and nothing of it unlocks."""

import signal
import time
import unittest

from steps import LOCKED, WorldTest, at_least, needs_user, pixels

SAVERS = (("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"), ("org.freedesktop.ScreenSaver", "/ScreenSaver"),
          ("org.xfce.ScreenSaver", "/org/xfce/ScreenSaver"), ("org.mate.ScreenSaver", "/"),
          ("org.cinnamon.ScreenSaver", "/org/cinnamon/ScreenSaver"))
TODO = "Buy milk"


class SessionTest(WorldTest):
    """The window is in front the whole time: only the session's word can lock. The grace period is long."""

    def opened(self, **preferences):
        app = self.locked((TODO,), **{"lockAfterSeconds": 300, **preferences})
        self.unlock(app)
        app.wait_for("list item", TODO)
        return app

    def assert_locked(self, app):
        app.wait_for("label", LOCKED, seconds=2)
        self.assert_hidden(app, TODO)

    def lock_anew(self, app, login):
        """Asks for the lock until that is heard, of a logind that has only just come."""
        app.until(lambda: login.lock() or app.has("label", LOCKED), "the lock")
        self.assert_hidden(app, TODO)

    def unlock_by_button(self, app):
        app.click("button", "Unlock")
        self.unlock(app)

    def assert_open(self, app, seconds=0.5):
        at_least(seconds, time.monotonic())  # for what must not come there is nothing to wait for
        self.assertTrue(app.has("list item", TODO))
        self.assertFalse(app.has("label", LOCKED))

    def place(self, app, name):
        """Where on the screen a label is, as (left, top, width, height)."""
        node = app.wait_for("label", name)
        left, top, _, _ = self.world.display.geometry(app.window)
        x, y, width, height = node.extents
        return left + x, top + y, width, height

    def asks(self, app):
        app.wait_for("password text", states=("focused",))

    def asks_nobody(self, app):
        app.wait_gone("password text")
        app.until(lambda: app.children() == {}, "the helper's end")


@needs_user
class LockScreenTest(SessionTest):
    def test_logind_asks_for_it(self):
        login = self.world.logind()
        app = self.opened()
        login.wait_inhibited(app.pid)
        login.lock("c9")
        self.assert_open(app)
        login.lock()
        self.assert_locked(app)
        # The desktop's own lock screen may be about to come, and to want the reader: nobody is asked.
        self.assertFalse(app.has("password text"))
        self.assertEqual(app.children(), {})
        login.unlock()
        self.assert_locked(app)
        self.unlock_by_button(app)

    def test_the_locked_hint(self):
        login = self.world.logind()
        app = self.opened()
        login.wait_inhibited(app.pid)
        login.set_locked_hint(True)
        self.assert_locked(app)
        # The desktop asks, not we: no helper waits, and no reader is held.
        self.asks_nobody(app)
        login.set_locked_hint(False)
        self.asks(app)
        self.assert_locked(app)
        self.unlock(app)
        # Who sits before the window can always ask for the prompt, whatever the desktop says.
        login.set_locked_hint(True)
        app.click("button", "Unlock")
        self.unlock(app)
        app.wait_for("list item", TODO)

    def test_screen_savers(self):
        savers = [self.world.saver(*each) for each in SAVERS]
        app = self.opened()
        for saver, (name, _) in zip(savers, SAVERS):
            with self.subTest(name):
                saver.set_active(True)
                self.assert_locked(app)
                self.asks_nobody(app)
                saver.set_active(False)
                self.asks(app)
                self.assert_locked(app)
                self.unlock(app)
                app.wait_for("list item", TODO)

    def test_a_saver_that_comes_later_and_dies(self):
        app = self.opened()
        saver = self.world.saver(*SAVERS[0])
        saver.set_active(True)
        self.assert_locked(app)
        self.asks_nobody(app)
        saver.end()
        self.asks(app)

    def test_forged_signals_do_nothing(self):
        login = self.world.logind()
        saver = self.world.saver(*SAVERS[0])
        app = self.opened()
        login.wait_inhibited(app.pid)
        login.forge("Lock", "Unlock", "PrepareForSleep", "PropertiesChanged")
        saver.forge(True)
        self.assert_open(app)
        login.lock()
        self.assert_locked(app)
        login.forge("Unlock")
        saver.forge(False)
        at_least(0.5, time.monotonic())
        self.assert_locked(app)

    def test_real_unlock_signals_open_and_uncover_nothing(self):
        login = self.world.logind()
        saver = self.world.saver(*SAVERS[0])
        app = self.opened()
        login.wait_inhibited(app.pid)
        place = self.place(app, TODO)
        with self.world.display.other_window():
            app.until(lambda: app.title == "App Gates", "the cover")
            app.until(lambda: len(pixels(self.world, *place)) == 1, "the cover on the screen")
            login.unlock()
            login.set_locked_hint(False)
            saver.set_active(False)
            login.set_active(True)
            login.prepare_for_sleep(False)
            at_least(0.5, time.monotonic())
            self.assertEqual(len(pixels(self.world, *place)), 1)
            self.assertEqual(app.title, "App Gates")
            login.lock()
            self.assert_locked(app)
            login.unlock()
            at_least(0.5, time.monotonic())
            self.assert_locked(app)

    def test_only_where_the_lock_is_on(self):
        login = self.world.logind()
        saver = self.world.saver(*SAVERS[0])
        app = self.shell([TODO])
        saver.set_active(True)
        login.lock()
        login.set_locked_hint(True)
        login.set_active(False)
        login.prepare_for_sleep(True)
        self.assert_open(app)
        # And nobody's sleep is held up.
        self.assertEqual(login.inhibitors(app.pid), [])
        self.assertEqual(login.count("inhibited"), 0)

    def test_another_user_comes(self):
        login = self.world.logind()
        app = self.opened()
        login.wait_inhibited(app.pid)
        login.set_active(False)
        self.assert_locked(app)
        self.asks_nobody(app)
        login.set_active(True)
        self.asks(app)
        self.assert_locked(app)
        self.unlock(app)

    def test_a_user_without_a_display_and_a_logind_that_restarts(self):
        login = self.world.logind(session=None)
        app = self.opened()
        login.wait_inhibited(app.pid)
        login.lock()
        self.assert_locked(app)
        self.unlock_by_button(app)
        login.session = "c7"
        login.start()
        login.wait_inhibited(app.pid)
        self.lock_anew(app, login)
        self.unlock_by_button(app)
        login.end()
        app.wait_for("list item", TODO)
        login.start()
        login.wait_inhibited(app.pid)
        login.suspend()
        self.assertEqual(login.wait_asleep(), "released")
        self.assert_locked(app)


@needs_user
class KeyringTest(SessionTest):
    def test_the_keyrings_question_does_not_lock_and_its_end_begins_the_grace_period(self):
        self.come_back([TODO], lock=True, sessionName="", sessionStore="", sessionStarted=0)
        (self.world.data / "app-gates/session.key").unlink()
        keyring = self.world.keyring()
        app = self.world.app()
        self.unlock(app)
        app.wait_for("button", "Continue on this computer", states=("focused",))
        # It hangs as one that waits for its user does.
        keyring.freeze()
        app.key("Return")
        app.wait_for("button", "Cancel")
        with self.world.display.other_window():
            left = time.monotonic()
            app.until(lambda: not app.has("frame", states=("active",)), "the window to be inactive")
            at_least(2.5, left)  # more than the grace period, less than the keyring's deadline
            self.assertFalse(app.has("label", LOCKED))
            keyring.thaw()
            app.wait_for("label", LOCKED, seconds=5)
        self.assert_hidden(app, TODO)
        app.activate()
        self.unlock(app)
        app.wait_for("list item", TODO)


@needs_user
class FrozenTest(SessionTest):
    def test_a_logind_that_hangs_costs_nothing_and_is_heard_when_it_wakes(self):
        login = self.world.logind()
        login.freeze()
        began = time.monotonic()
        app = self.opened()
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(app.children(), {})
        login.thaw()
        login.wait_inhibited(app.pid)
        self.lock_anew(app, login)

    def test_a_system_bus_that_hangs_or_dies_costs_nothing(self):
        bus = self.world.system_bus()
        bus.daemon.signal(signal.SIGSTOP)
        app = self.opened()
        bus.daemon.signal(signal.SIGCONT)
        login = self.world.logind()
        login.wait_inhibited(app.pid)
        # The bus itself goes, as at an upgrade gone wrong: no session ends with it.
        bus.daemon.end()
        login.end()
        self.assert_open(app)
        (self.world.folder / "system/system_bus_socket").unlink(missing_ok=True)
        self.world.system_bus()
        login.start()
        login.wait_inhibited(app.pid)
        self.lock_anew(app, login)


if __name__ == "__main__":
    unittest.main()
