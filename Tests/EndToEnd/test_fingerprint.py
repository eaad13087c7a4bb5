"""A finger on the real fprintd's virtual reader opens the app, and what else decides whether it does."""

import time
import unittest

from fingers import ANY, DAY, NO_MATCH, PASSWORD_DUE, READY, TOO_MANY, FingerTest, needs_reader, needs_user


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
        self.by_finger(app)

    def test_a_wrong_finger_then_the_right_one(self):
        app = self.start()
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
        # Another start, a cancelled prompt and a new lock change nothing of it.
        app.end()
        app = self.start(TOO_MANY)
        self.fp.wait_released()
        app.key("Escape")
        app.wait_gone("password text")
        app.key("Return")
        self.says(app, TOO_MANY)
        app.key("ctrl+l")
        self.says(app, TOO_MANY)
        self.asks(app)
        self.assertFalse(self.fp.is_claimed)
        self.by_password(app)
        self.lock_again(app)
        self.by_finger(app)


@needs_user
@needs_reader
class PasswordDueTest(FingerTest):
    def due(self, says=PASSWORD_DUE):
        """The finger does not open now, and the page says so; after the password it does again."""
        app = self.start(says)
        self.asks(app)
        self.fp.wait_released()
        self.assert_locked(app)
        self.by_password(app)
        self.lock_again(app)
        self.by_finger(app)
        app.end()

    def test_never_given(self):
        self.remember()
        self.due()

    def test_a_day_ago(self):
        self.remember(passwordAt=int(time.time()) - DAY + 600)
        app = self.start()
        self.by_finger(app)
        app.end()
        self.remember(passwordAt=int(time.time()) - DAY)
        self.due()

    def test_a_week_ago(self):
        week = {"biometricEnabled": True, "passwordAfterSeconds": 7 * DAY, "lockAfterSeconds": 300}
        self.come_back(lock=True, **week)
        self.remember(passwordAt=int(time.time()) - 2 * DAY)
        app = self.start()
        self.by_finger(app)
        app.end()
        self.remember(passwordAt=int(time.time()) - 7 * DAY)
        self.due()

    def test_in_the_future_or_damaged(self):
        for text in (f"passwordAt={int(time.time()) + DAY}", "passwordAt=soon", "refusedFingers=0"):
            with self.subTest(text):
                self.world.write(self.memory_file, f"[lock]\n{text}\n")
                app = self.start(PASSWORD_DUE)
                self.asks(app)
                self.assertFalse(self.fp.is_claimed)
                app.end()


if __name__ == "__main__":
    unittest.main()
