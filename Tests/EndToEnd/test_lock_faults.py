"""Whatever keeps a password from being checked leaves the app locked, and says what to do."""

import os
import re
import shutil
import signal
import tempfile

from steps import BINARIES, LOCKED, WorldTest, needs_user

MISSING_SERVICE = re.compile("/etc/pam.d/app-gates is missing. Install the app’s package")


@needs_user
class FaultTest(WorldTest):
    def setUp(self):
        super().setUp()
        self.service = (self.world.etc.path / "pam.d/app-gates").read_text()

    def test_no_pam_service_the_switch_stays_off_and_says_why(self):
        self.world.etc.service("app-gates", None)
        app = self.shell()
        self.open_me(app)
        app.click("check box", "App Lock")
        app.wait_for("label", MISSING_SERVICE)
        app.until(lambda: len(app.windows()) == 1, "the question to be gone")
        self.assertNotIn("checked", app.find("check box", "App Lock").states)
        self.assertEqual(self.preferences["biometricEnabled"], "false")

    def test_no_pam_service_while_locked(self):
        self.world.etc.service("app-gates", None)
        app = self.locked(wait=False)
        app.wait_for("alert", MISSING_SERVICE)
        self.assert_hidden(app, "Buy milk")
        # Put right, and tried again without a new start.
        self.world.etc.service("app-gates", self.service)
        app.click("button", "Unlock")
        self.unlock(app)
        app.wait_for("list item", "Buy milk")

    def test_a_service_that_lets_everybody_in_without_asking_opens_nothing(self):
        self.world.etc.service("app-gates", "auth required pam_permit.so\naccount required pam_permit.so")
        app = self.locked(wait=False)
        app.wait_for("alert", "The system cannot check passwords now. Try again later.")
        self.assertTrue(app.has("label", LOCKED))
        self.assert_hidden(app, "Buy milk")

    def test_an_expired_account_stays_locked(self):
        self.world.user.change("chage", "-E", "0")
        app = self.locked()
        app.type(self.world.user.password)
        app.key("Return")
        app.wait_for("alert", re.compile("^Your account has expired"))
        self.assertTrue(app.has("label", LOCKED))
        self.assert_hidden(app, "Buy milk")

    def test_the_helper_is_killed_while_it_asks(self):
        app = self.locked()
        self.kill_helper(app)
        app.wait_for("alert", "The password check ended before its time. Try again.")
        self.assert_hidden(app, "Buy milk")
        app.key("Escape")
        app.wait_gone("password text")
        app.click("button", "Unlock")
        self.unlock(app)
        app.wait_for("list item", "Buy milk")

    def test_the_helper_is_killed_while_pam_has_the_answer(self):
        # A module that takes its time between question and verdict.
        self.world.etc.service("app-gates", "auth [success=ok default=die] pam_unix.so\n"
                               "auth required pam_exec.so quiet /usr/bin/sleep 600\naccount required pam_unix.so")
        app = self.locked()
        app.type(self.world.user.password)
        app.key("Return")
        self.kill_helper(app, asleep=True)
        app.wait_for("alert", "The password check ended before its time. Try again.")
        self.assert_hidden(app, "Buy milk")

    def kill_helper(self, app, asleep=False):
        (helper,) = app.until(
            lambda: [pid for pid, name in app.children().items() if name == "app-gates-auth"], "the helper")
        if asleep:
            app.until(lambda: self.has_child(helper), "the module that sleeps")
        os.kill(helper, signal.SIGKILL)

    def has_child(self, pid):
        done = self.world.run(["ps", "--ppid", pid, "-o", "pid="], check=False)
        return done.stdout.strip()


@needs_user
class NoHelperTest(WorldTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.chmod(folder.name, 0o755)
        shutil.copy(BINARIES / "app-gates", folder.name)
        self.options = {**self.options, "binaries": folder.name}
        super().setUp()

    def test_it_stays_locked_and_says_so(self):
        app = self.locked(wait=False)
        app.wait_for("alert", "Passwords cannot be checked: app-gates-auth is missing. "
                              "Install the app’s package again.")
        self.assertTrue(app.has("label", LOCKED))
        self.assert_hidden(app, "Buy milk")
        app.click("button", "Quit")
        self.assertEqual(app.wait(), 0)
