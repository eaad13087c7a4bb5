"""A finger on the real fprintd's virtual reader opens the app; what else decides; and when the reader is let go of."""

import pathlib
import time
import unittest

from fingers import (ANY, DAY, NO_MATCH, PASSWORD_DUE, READY, SWITCH, TOO_MANY, FingerTest, needs_reader,
                     needs_user)


@needs_user
@needs_reader
class FingerOpensTest(FingerTest):
    def test_an_enrolled_finger_opens_without_a_key(self):
        app = self.start()
        self.by_finger(app)
        self.assertFalse(app.has("alert", ANY))

    def test_three_wrong_fingers_then_the_password(self):
        app = self.start()
        for number in (1, 2, 3):
            self.no_match(app, number)
            self.says(app, NO_MATCH)
            self.assert_locked(app)
        self.by_password(app)
        # The password has cleared what was counted.
        self.assertEqual(self.memory("refusedFingers"), 0)
        self.lock_again(app)
        self.no_match(app, 1)
        self.by_finger(app)
        self.assertEqual(self.memory("refusedFingers"), 0)

    def test_after_five_wrong_fingers_the_password_is_wanted(self):
        app = self.start()
        for number in range(1, 6):
            self.no_match(app, number)
        self.says(app, TOO_MANY)
        self.fp.wait_released()
        self.assert_locked(app)
        # A cancelled prompt, a new lock and another start change nothing of it.
        app.key("Escape")
        app.wait_gone("password text")
        app.key("Return")
        self.says(app, TOO_MANY)
        app.key("ctrl+l")
        app.end()
        app = self.start(TOO_MANY)
        self.asks(app)
        self.fp.wait_released()
        self.by_password(app)
        self.lock_again(app)
        self.by_finger(app)


@needs_user
@needs_reader
class PasswordDueTest(FingerTest):
    def due(self, text):
        """The finger does not open now, and the page says so."""
        with self.subTest(text):
            self.world.write(self.memory_file, f"[lock]\n{text}\n")
            app = self.start(PASSWORD_DUE)
            self.asks(app)
            # It was held for a moment, so that the system's own stack would not wait for a finger.
            self.fp.wait_released()
            self.assert_locked(app)
            return app

    def not_due(self, ago):
        self.remember(passwordAt=int(time.time()) - ago)
        app = self.start()
        self.by_finger(app)
        app.end()

    def test_a_day_ago(self):
        self.not_due(DAY - 600)
        app = self.due(f"passwordAt={int(time.time()) - DAY}")
        self.by_password(app)
        self.lock_again(app)
        self.by_finger(app)

    def test_a_week_ago(self):
        self.come_back(lock=True, lockAfterSeconds=300, passwordAfterSeconds=7 * DAY)
        self.not_due(2 * DAY)
        self.due(f"passwordAt={int(time.time()) - 7 * DAY}")

    def test_what_is_not_clear_is_due(self):
        for text in ("", f"passwordAt={int(time.time()) + DAY}", "passwordAt=soon"):
            self.due(text).end()


@needs_user
@needs_reader
class LetGoTest(FingerTest):
    """The reader is held only while somebody is asked, and taken again after."""

    with_logind = True

    def waits_again(self, app):
        self.says(app, READY)
        self.fp.wait_waiting()
        self.assert_locked(app)

    def test_while_nobody_is_there(self):
        app = self.start()
        self.login.wait_inhibited(app.pid)
        self.fp.wait_waiting()
        with self.subTest("another window in front"):
            with self.world.display.other_window():
                self.fp.wait_released()
            app.activate()
            self.waits_again(app)
        with self.subTest("cancelled"):
            app.key("Escape")
            self.fp.wait_released()
            app.until(lambda: not app.children(), "the helpers' end")
            app.click("button", "Unlock")
            self.waits_again(app)
        with self.subTest("the desktop's lock screen"):
            self.login.set_locked_hint(True)
            self.fp.wait_released()
            self.login.set_locked_hint(False)
            self.waits_again(app)
        with self.subTest("another user"):
            self.login.set_active(False)
            self.fp.wait_released()
            self.login.set_active(True)
            self.waits_again(app)
        self.by_finger(app)

    def test_with_the_app(self):
        for how in ("quit", "killed"):
            with self.subTest(how):
                app = self.start()
                self.fp.wait_waiting()
                if how == "quit":
                    app.key("ctrl+q")
                    self.assertEqual(app.wait(), 0)
                else:
                    app.kill()
                self.fp.wait_released(2)

    def test_when_its_helper_is_killed(self):
        app = self.start()
        self.fp.wait_waiting()
        self.asks(app)
        self.bus.begin()
        finger, = self.fingers_helper(app)
        app.world.run(["kill", "-KILL", str(finger)], as_root=True)
        app.until(lambda: self.bus.hear().begun, "another helper")
        self.waits_again(app)
        self.by_finger(app)

    def fingers_helper(self, app):
        """Those of the app's helpers that are on the system bus."""
        helpers = self.helpers(app)
        return [pid for pid in self.bus.pids() if pid in helpers]

    def sleep(self, app):
        """The machine falls asleep, and is woken up.

        fprintd hears of it a moment later than the app, whose helper has to stand still by then: left to itself it
        would let go of the reader in the midst of it, and fprintd could not open the reader any more.
        """
        self.addCleanup(self.fp.restart)
        number = self.login.count("asleep") + 1
        helper, = self.fingers_helper(app)
        self.fp.freeze()
        self.login.suspend()
        app.until(lambda: self.is_stopped(helper), "the finger's helper to stand still")
        self.fp.thaw()
        self.login.wait_event("asleep", number=number)
        self.assertEqual(app.find_all("alert", ANY), [])
        self.login.resume()
        app.until(lambda: helper not in self.helpers(app), "the end of that helper")

    def is_stopped(self, pid):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("T")

    def test_while_the_computer_sleeps(self):
        app = self.start()
        self.login.wait_inhibited(app.pid)
        for _ in range(3):
            self.fp.wait_waiting()
            self.sleep(app)
            self.waits_again(app)
            self.login.wait_inhibited(app.pid)
        self.by_finger(app)

    def test_while_the_computer_sleeps_over_a_question(self):
        self.come_back(lock=False)
        app = self.world.app()
        self.apps.append(app)
        app.wait_for("text", "Add a todo")
        app.key("alt+2")
        app.click(*SWITCH)
        self.says(app, READY)
        self.fp.wait_waiting()
        self.sleep(app)
        self.says(app, READY)
        self.fp.wait_waiting()
        # Nor is the reader kept from the desktop's own lock screen.
        self.login.set_locked_hint(True)
        self.fp.wait_released()
        self.login.set_locked_hint(False)
        self.says(app, READY)
        self.fp.scan()
        app.wait_for(*SWITCH, states=("checked",))


@needs_user
@needs_reader
class QuestionTest(FingerTest):
    """The question before the lock is turned on or off takes a finger, too."""

    def test_the_switch_takes_a_finger_and_the_locked_page_takes_it_over(self):
        app = self.start()
        self.by_finger(app)
        app.key("alt+2")
        app.click(*SWITCH)
        self.says(app, READY)
        self.fp.wait_waiting()
        self.bus.begin()
        self.world.run([self.world.binaries / "app-gates", "--lock"])
        app.wait_for("label", "App Gates is locked")
        app.until(lambda: self.bus.hear().begun, "the helper of the locked page")
        self.says(app, READY)
        self.fp.wait_waiting()
        self.assertEqual(self.bus.hear().most, 1)
        self.fp.scan()
        app.wait_for(*SWITCH, states=("checked",))
        self.assertEqual(self.preferences["biometricEnabled"], "true")
        # The question went with the lock; asked again, a finger answers it.
        app.until(lambda: len(app.windows()) == 1, "the question to be gone")
        app.click(*SWITCH)
        self.says(app, READY)
        self.fp.scan()
        app.until(lambda: self.preferences["biometricEnabled"] == "false", "the lock to be off")


if __name__ == "__main__":
    unittest.main()
