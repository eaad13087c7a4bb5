"""The wait that PAM asks for after a wrong password: counted on the screen, and not to be got around."""

import re
import time

from steps import LOCKED, WorldTest, needs_user

WAIT = re.compile(r"^The next try is possible in (\d+) seconds?\.$")
# pam_faildelay asks for eight seconds, of which PAM takes or adds up to half.
SLOW = "auth optional pam_faildelay.so delay=8000000\nauth required pam_unix.so\naccount required pam_unix.so"


@needs_user
class WaitTest(WorldTest):
    def seconds(self, app):
        """What the screen says is left."""
        return int(WAIT.match(app.wait_for("label", WAIT).name).group(1))

    def refused(self):
        """The app after a wrong password, with a long wait before it."""
        self.world.etc.service("app-gates", SLOW)
        app = self.locked()
        app.type("wrong")
        app.key("Return")
        app.wait_for("label", WAIT)
        return app

    def lock_ini(self):
        return (self.world.state / "app-gates/lock.ini").read_text()

    def test_it_is_counted_down(self):
        app = self.refused()
        first, since = self.seconds(app), time.monotonic()
        self.assertGreater(first, 2)
        app.look_until(lambda: self.seconds(app) == first - 2, "two seconds to be counted", 5)
        self.assertLess(time.monotonic() - since, 4)
        app.wait_for("password text", states=("editable",), seconds=15)
        self.assertFalse(app.has("label", WAIT))
        self.unlock(app)

    def test_it_survives_cancel_and_a_restart(self):
        app = self.refused()
        app.key("Escape")
        app.wait_gone("label", WAIT)
        app.click("button", "Unlock")
        self.assertGreater(self.seconds(app), 1)
        before = self.seconds(app)
        app.kill()
        app = self.world.app()
        after = self.seconds(app)
        self.assertLessEqual(after, before)
        self.assertTrue(app.has("label", LOCKED))
        self.assertNotIn("editable", app.find("password text").states)
        self.unlock(app)

    def test_killed_before_the_verdict_it_has_to_be_waited_all_the_same(self):
        self.world.etc.service(
            "app-gates", "auth required pam_unix.so\nauth required pam_exec.so /bin/sleep 60\naccount required pam_unix.so")
        app = self.locked()
        app.type("wrong")
        app.key("Return")
        app.until(lambda: "notBefore=0\n" not in self.lock_ini(), "the wait to be on disk")
        app.kill()
        app = self.world.app()
        self.assertGreaterEqual(self.seconds(app), 1)

    def test_the_right_password_leaves_none(self):
        app = self.locked()
        self.unlock(app)
        app.until(lambda: "notBefore=0\n" in self.lock_ini(), "no wait on disk")
        mode = (self.world.state / "app-gates/lock.ini").stat().st_mode & 0o777
        self.assertEqual(mode, 0o600)

    def test_a_password_that_has_to_be_changed_opens_with_a_notice(self):
        self.world.user.change("chage", "-d", "0")
        app = self.locked()
        self.unlock(app)
        app.wait_for(None, re.compile("change your password soon"))
