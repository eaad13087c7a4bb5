"""Whatever keeps the fingerprint reader away is said, costs no password try, and goes by itself where it can."""

import math
import time
import unittest

from fingers import (ANY, FINGER_SERVICE, IN_USE, NONE_ENROLLED, READY, RETRIES, UNAVAILABLE, UNPLUGGED,
                     FingerTest, needs_reader, needs_user, until)

# The first pause before the reader is asked for again; each further one is twice as long.
FIRST_PAUSE = 0.25


class FaultTest(FingerTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(self.put_back)

    def put_back(self):
        self.fp.reader = True
        self.fp.restart()
        self.fp.allow()

    def begin(self):
        """Counts helpers from here on."""
        self.began = time.monotonic()
        self.bus.begin()

    def assert_calm(self, rows=1):
        """No more helpers than the pauses leave room for, and never two at a time; `rows`: of failures, each from its
        first pause on."""
        seconds = time.monotonic() - self.began
        self.bus.hear()
        # The app has one connection of its own from its start on, and one for each look at the reader after a failure.
        tries = rows * (2 + math.log2(seconds / rows / FIRST_PAUSE + 1))
        self.assertLessEqual(self.bus.begun, 1 + 2 * tries, f"in {seconds:.1f} s")
        # Those three, where two that end meet one that begins: the bus hears of an end a moment later.
        self.assertLessEqual(self.bus.most, 3, self.bus.names)

    def words(self, app):
        """All that the page says of fingers."""
        return [node.name for node in app.find_all("alert", ANY)]


@needs_user
@needs_reader
class ScanTest(FaultTest):
    """What a scan can come to, but for a match and none."""

    def test_touch_again_in_pams_words_and_then_the_finger(self):
        app = self.start()
        for number, words in enumerate(RETRIES):
            with self.subTest(words):
                self.fp.retry(number)
                self.says(app, words)
                self.assert_locked(app)
        self.by_finger(app)
        # A scan that was no good is no refused finger.
        self.assertEqual(self.memory("refusedFingers"), -1)

    def test_a_time_out_is_not_to_be_seen(self):
        self.wait_seconds(10)
        app = self.start()
        self.fp.signals
        self.begin()
        self.fp.client.wait_for(lambda: ("verify-no-match", True) in self.fp.statuses(), "the time-out", 15)
        until(lambda: self.bus.hear().begun, "the next helper", pause=0.001)
        self.fp.wait_waiting()
        self.assertEqual(self.words(app), [READY])
        self.by_finger(app)
        self.assertEqual(self.memory("refusedFingers"), -1)

    def test_errors_of_the_reader_are_got_over_later_and_later(self):
        app = self.start()
        for numbers in ((0, 1, 2, 3), (4, 5, 6)):
            for failures, number in enumerate(numbers):
                with self.subTest(number):
                    self.fp.error(number)
                    began = time.monotonic()
                    self.fp.wait_released()
                    self.fp.wait_waiting()
                    # Until then nobody has tried.
                    self.assertGreaterEqual(time.monotonic() - began, FIRST_PAUSE * 2 ** failures - 0.02)
                    self.assert_locked(app)
            # A prompt that comes anew begins with short pauses.
            app.key("Escape")
            app.wait_gone("password text")
            app.key("Return")
            self.says(app, READY)
        self.assertEqual(self.memory("refusedFingers"), -1)
        self.by_finger(app)


@needs_user
@needs_reader
class ElsewhereTest(FaultTest):
    """The reader is there, and others decide on it."""

    def test_in_use_elsewhere_and_free_again(self):
        self.begin()
        with self.fp.claim_elsewhere(verify=True):
            app = self.start(IN_USE)
            self.asks(app)
            # Whose finger the other program sees is its own business: fprintd tells everybody, and it opens nothing.
            self.fp.signals
            self.fp.scan()
            self.fp.client.wait_for(lambda: ("verify-match", True) in self.fp.statuses(), "the other's match")
            self.says(app, IN_USE)
            self.assert_locked(app)
        self.says(app, READY)
        self.assert_calm()
        self.by_finger(app)

    def test_the_password_while_it_is_in_use_elsewhere(self):
        with self.fp.claim_elsewhere():
            app = self.start(IN_USE)
            self.type_password(app)
            app.wait_gone("label", "App Gates is locked")
            app.until(lambda: not app.children(), "the helpers' end")

    def test_polkit_denies_and_allows_again(self):
        self.fp.deny()
        self.begin()
        app = self.start(UNAVAILABLE)
        self.asks(app)
        self.assert_calm()
        self.fp.allow()
        self.says(app, READY)
        self.by_finger(app)

    def test_none_enrolled(self):
        self.fp.forget()
        self.addCleanup(self.fp.enroll)
        self.begin()
        app = self.start(NONE_ENROLLED)
        self.by_password(app)
        self.assert_calm()

    def test_the_pam_file_is_missing_or_names_no_module(self):
        # The file `other` of Debian asks for a password; one that lets everybody in must let in nobody here.
        for other in (self.services["other"], "auth required pam_permit.so\naccount required pam_permit.so"):
            self.world.etc.service("other", other)
            self.world.etc.service(FINGER_SERVICE, None)
            app = self.start(UNAVAILABLE)
            self.asks(app)
            self.assert_locked(app)
            self.assertEqual(len(app.find_all("password text")), 1)
            app.end()
        self.world.etc.service(FINGER_SERVICE, "auth required pam_there_is_none.so")
        self.begin()
        app = self.start(UNAVAILABLE)
        self.assert_calm()
        self.by_password(app)


@needs_user
@needs_reader
class GoneTest(FaultTest):
    """Reader or fprintd come and go."""

    def test_unplugged_and_back(self):
        app = self.start()
        self.fp.wait_waiting()
        self.begin()
        self.fp.unplug()
        self.says(app, UNPLUGGED)
        self.asks(app)
        self.assert_calm()
        self.fp.restart()
        self.says(app, READY)
        self.by_finger(app)

    def test_killed_and_started_again(self):
        app = self.start()
        self.fp.wait_waiting()
        self.begin()
        self.fp.end_daemon()
        self.says(app, UNAVAILABLE)
        self.asks(app)
        self.assert_calm()
        self.fp.restart()
        self.says(app, READY)
        self.by_finger(app)

    def test_no_word_where_there_has_been_no_reader_and_one_comes(self):
        for what in ("no fprintd", "no reader"):
            with self.subTest(what):
                self.fp.end_daemon()
                if what == "no reader":
                    self.fp.reader = False
                    self.fp.restart()
                app = self.start(None)
                self.asks(app)
                app.until(lambda: len(self.helpers(app)) == 1, "the finger's helper to be gone")
                # A finger would not do now in any case: of that no word either.
                self.assertEqual(self.words(app), [])
                self.fp.reader = True
                self.fp.restart()
                self.says(app, READY)
                self.by_finger(app)
                app.end()

    def test_no_word_of_a_password_that_is_due_without_a_reader(self):
        self.remember()
        self.fp.reader = False
        self.fp.restart()
        app = self.start(None)
        self.asks(app)
        self.assertEqual(self.words(app), [])
        self.by_password(app)


@needs_user
@needs_reader
class FrozenTest(FaultTest):
    """fprintd answers nothing: the password works all the same, and the finger again when it wakes."""

    def put_back(self):
        self.fp.thaw()

    def quickly_by_password(self, app, seconds):
        began = time.monotonic()
        app.wait_for("password text", states=("focused",))
        app.type(self.world.user.password)
        app.key("Return")
        app.wait_gone("label", "App Gates is locked")
        print(f"    opened {time.monotonic() - began:.1f} s after the first key", flush=True)
        self.assertLess(time.monotonic() - began, seconds)
        app.until(lambda: not app.children(), "the helpers' end")

    def test_before_it_is_asked(self):
        self.fp.freeze()
        app = self.start(None)
        # The finger's helper goes first for three seconds; what is typed meanwhile is not lost.
        self.quickly_by_password(app, 8)
        app.key("ctrl+l")
        app.wait_for("label", "App Gates is locked")
        self.fp.thaw()
        self.says(app, READY)
        self.by_finger(app)

    def test_in_the_midst_of_a_try(self):
        app = self.start()
        self.fp.wait_waiting()
        self.asks(app)
        self.fp.freeze()
        self.quickly_by_password(app, 3)
        self.fp.thaw()
        self.lock_again(app)
        # A helper that fprintd had not answered when it was ended has left nothing behind.
        self.by_finger(app)


if __name__ == "__main__":
    unittest.main()
