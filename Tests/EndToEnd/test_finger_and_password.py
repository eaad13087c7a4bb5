"""Finger and password side by side: neither waits for the other, and neither costs the other anything."""

import os
import signal
import time
import unittest

from fingers import (FINGER_SERVICE, LOCKED, NO_MATCH, READY, WRONG_PASSWORD, FingerTest, needs_reader, needs_user,
                     until)


@needs_user
@needs_reader
class SideBySideTest(FingerTest):
    def test_the_password_while_the_reader_waits(self):
        app = self.start()
        self.fp.wait_waiting()
        self.asks(app)
        self.assertEqual(len(self.helpers(app)), 2)
        self.by_password(app)
        self.assertFalse(self.fp.is_claimed)

    def test_a_wrong_password_costs_the_finger_nothing(self):
        app = self.start()
        self.type_password(app, "wrong")
        self.says(app, WRONG_PASSWORD)
        # In the midst of the wait that PAM asks for.
        self.assertNotIn("editable", app.find("password text").states)
        self.by_finger(app)

    def test_a_finger_and_a_reader_that_fails_cost_the_password_nothing(self):
        app = self.start()
        self.asks(app)
        password = self.world.user.password
        app.type(password[:4])
        self.no_match(app, 1)
        self.says(app, NO_MATCH)
        self.fp.error(0)
        self.fp.wait_released()
        self.no_match(app, 2)
        self.fp.unplug()
        self.addCleanup(self.fp.restart)
        self.fp.client.wait_for(lambda: any(name == "InterfacesRemoved" for name, _ in self.fp.client.signals),
                                "the reader pulled out")
        self.assertFalse(app.has("alert", WRONG_PASSWORD))
        self.assertEqual(len(app.find("password text").text), 4)
        app.type(password[4:])
        app.key("Return")
        app.wait_gone("label", LOCKED)

    def test_a_verdict_that_comes_after_the_finger_opens_nothing(self):
        # A module that takes its time between question and verdict.
        gate = self.world.home / "gate"
        os.mkfifo(gate)
        self.world.own(gate)
        slow = self.services["app-gates"] + f"auth required pam_exec.so quiet /usr/bin/cat {gate}\n"
        self.world.etc.service("app-gates", slow)
        app = self.start()
        self.asks(app)
        began = time.monotonic()
        self.type_password(app)
        helper, = until(lambda: [pid for pid in self.helpers(app) if self.has_child(pid)], "the module that waits")
        self.fp.scan()
        app.wait_gone("label", LOCKED)
        self.assertLess(time.monotonic() - began, 10)
        # Its verdict is still awaited, and locked anew in between.
        self.assertIn(helper, self.helpers(app))
        app.key("ctrl+l")
        self.says(app, READY)
        self.world.run(["sh", "-c", f": >{gate}"])
        app.until(lambda: helper not in self.helpers(app), "the verdict")
        self.world.etc.service("app-gates", self.services["app-gates"])
        self.asks(app)
        self.assert_locked(app)
        self.by_finger(app)

    def has_child(self, pid):
        return open(f"/proc/{pid}/task/{pid}/children").read().strip()


@needs_user
@needs_reader
class DebianProfileTest(FingerTest):
    """pam_fprintd is in common-auth, too, before pam_unix, and would wait for 30 seconds."""

    def setUp(self):
        super().setUp()
        self.fp.into_common_auth("max-tries=1 timeout=30")

    def test_the_password_is_asked_for_at_once_each_time(self):
        app = self.start()
        began = time.monotonic()
        self.asks(app)
        self.type_password(app, "wrong")
        self.says(app, WRONG_PASSWORD)
        self.asks(app)
        self.by_password(app)
        self.assertLess(time.monotonic() - began, 20)
        self.lock_again(app)
        self.by_finger(app)

    def test_also_where_a_finger_does_not_do(self):
        self.remember()
        app = self.start(None)
        began = time.monotonic()
        self.type_password(app, "wrong")
        self.says(app, WRONG_PASSWORD)
        self.by_password(app)
        self.assertLess(time.monotonic() - began, 20)

    def test_a_finger_is_no_password_there(self):
        # Without a helper of our own at the reader, the password's own stack waits for a finger.
        self.world.etc.service(FINGER_SERVICE, None)
        app = self.start(None)
        self.fp.wait_waiting()
        self.fp.scan()
        self.says(app, "The system cannot check passwords now. Try again later.")
        self.assert_locked(app)


@needs_user
@needs_reader
class NewerLockTest(FingerTest):
    def test_a_finger_laid_on_after_a_second_lock_opens(self):
        app = self.start()
        for lock in (self.by_key, self.by_command):
            with self.subTest(lock.__name__):
                self.fp.wait_waiting()
                self.bus.begin()
                lock(app)
                # Another helper: what the old one would say is worth nothing any more.
                app.until(lambda: self.bus.hear().begun, "a new helper")
                self.fp.wait_waiting()
                self.by_finger(app)
                self.lock_again(app)

    def by_key(self, app):
        app.key("ctrl+l")

    def by_command(self, app):
        self.world.run([self.world.binaries / "app-gates", "--lock"])

    def test_a_finger_that_was_on_its_way_at_a_second_lock_opens_nothing(self):
        app = self.start()
        self.no_match(app, 1)
        self.fp.wait_waiting()
        finger, = [pid for pid in self.bus.pids() if pid in self.helpers(app)]
        # The app stands still while the finger is recognised and the key is pressed, and finds both at once; the key
        # first, since its window is looked at before its helpers.
        self.world.display.tool("xdotool", "keydown", "ctrl")
        app.signal(signal.SIGSTOP)
        self.fp.scan()
        until(lambda: self.has_ended(finger), "the verdict given")
        self.world.display.tool("xdotool", "key", "--delay", "0", "l")
        app.signal(signal.SIGCONT)
        self.world.display.tool("xdotool", "keyup", "ctrl")
        app.until(lambda: finger not in self.helpers(app), "the verdict taken")
        self.fp.wait_waiting()
        self.assert_locked(app)
        # An opening would have cleared what was counted.
        self.assertEqual(self.memory("refusedFingers"), 1)
        self.by_finger(app)

    def has_ended(self, pid):
        return open(f"/proc/{pid}/stat").read().rpartition(") ")[2].startswith("Z")


if __name__ == "__main__":
    unittest.main()
