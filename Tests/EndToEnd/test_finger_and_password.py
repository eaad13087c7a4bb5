"""Finger and password side by side: neither waits for the other, and neither costs the other anything."""

import time
import unittest

from fingers import (IN_USE, LOCKED, NO_MATCH, READY, UNAVAILABLE, WRONG_PASSWORD, FingerTest, needs_reader,
                     needs_user)


@needs_user
@needs_reader
class SideBySideTest(FingerTest):
    def test_the_password_while_the_reader_waits(self):
        app = self.start()
        self.fp.wait_waiting()
        self.by_password(app)
        self.assertFalse(self.fp.is_claimed)

    def test_a_wrong_password_costs_the_finger_nothing(self):
        app = self.start()
        self.type_password(app, "wrong")
        self.says(app, WRONG_PASSWORD)
        # In the midst of the wait that PAM asks for.
        self.assertNotIn("editable", app.find("password text").states)
        self.by_finger(app)
        self.lock_again(app)
        self.type_password(app, "wrong")
        self.says(app, WRONG_PASSWORD)
        self.asks(app)
        self.by_finger(app)

    def test_a_wrong_finger_costs_the_password_nothing(self):
        app = self.start()
        self.asks(app)
        password = self.world.user.password
        app.type(password[:4])
        self.no_match(app, 1)
        self.says(app, NO_MATCH)
        self.fp.error(0)
        self.says_ready_again(app)
        self.no_match(app, 2)
        self.assertFalse(app.has("alert", WRONG_PASSWORD))
        self.assertEqual(len(app.find("password text").text), 4)
        app.type(password[4:])
        app.key("Return")
        self.opened(app)

    def says_ready_again(self, app):
        self.fp.wait_released()
        self.fp.wait_waiting()

    def test_typed_before_the_reader_is_there(self):
        """Held up by a fprintd that answers nothing, a password is taken all the same."""

    def test_a_finger_while_pam_checks_the_password(self):
        # A module that takes its time between question and verdict.
        service = self.services["app-gates"]
        self.world.etc.service("app-gates", service + "auth required pam_exec.so quiet /usr/bin/sleep 600\n")
        app = self.start()
        self.type_password(app)
        app.wait_for("password text", states=("focused",))
        self.by_finger(app)

    def test_two_helpers_at_the_most(self):
        app = self.start()
        self.asks(app)
        self.assertEqual(len(self.helpers(app)), 2)


@needs_user
@needs_reader
class DebianProfileTest(FingerTest):
    """pam_fprintd is in common-auth, too, before pam_unix."""

    def setUp(self):
        super().setUp()
        self.fp.into_common_auth("max-tries=1 timeout=30")

    def test_the_password_is_asked_for_at_once(self):
        app = self.start()
        began = time.monotonic()
        self.asks(app)
        self.assertLess(time.monotonic() - began, 5)
        self.assertEqual([node.name for node in app.find_all("alert", READY)], [READY])
        self.type_password(app, "wrong")
        self.says(app, WRONG_PASSWORD)
        # The second question, too.
        self.asks(app, seconds=8)
        self.by_password(app)
        self.lock_again(app)
        self.by_finger(app)

    def test_a_finger_is_no_password(self):
        self.remember(passwordAt=0)
        app = self.start(None)
        self.asks(app)
        self.by_password(app)


@needs_user
@needs_reader
class NewerLockTest(FingerTest):
    def test_a_finger_after_a_second_lock_opens(self):
        app = self.start()
        for lock in (self.by_key, self.by_command):
            with self.subTest(lock.__name__):
                self.fp.wait_waiting()
                self.bus.begin()
                lock(app)
                # A new conversation: the old one is worth nothing any more.
                app.until(lambda: self.bus.hear().begun, "a new helper")
                self.fp.wait_waiting()
                self.by_finger(app)
                self.lock_again(app)

    def by_key(self, app):
        app.key("ctrl+l")

    def by_command(self, app):
        self.world.run([self.world.binaries / "app-gates", "--lock"])


if __name__ == "__main__":
    unittest.main()
