"""All that PAM says on the locked page: several prompts, each with fresh input, and what pam_faillock tells."""

import re
import shutil
import unittest

from steps import LOCKED, WorldTest, needs_user

CODE = "auth required pam_unix.so\nauth required {module} {what}\naccount required pam_unix.so"
# The second example of pam_faillock(8), with the tally where the user can write it.
FAILLOCK = """auth required pam_faillock.so preauth dir={tally} deny=2 unlock_time=600
auth sufficient pam_unix.so
auth [default=die] pam_faillock.so authfail dir={tally} deny=2 unlock_time=600
auth required pam_deny.so
account required pam_faillock.so dir={tally}
account required pam_unix.so"""


@needs_user
class PromptsTest(WorldTest):
    def password(self, app):
        app.wait_for("password text", states=("focused", "editable"), seconds=15)
        app.type(self.world.user.password)
        app.key("Return")

    def test_a_second_prompt_takes_fresh_input(self):
        self.world.etc.service("app-gates", CODE.format(module=self.world.pam_module(), what="prompt"))
        app = self.locked()
        name = app.find("password text").name
        self.password(app)
        second = app.look_until(lambda: app.find("password text", states=("editable",)) and
                                app.find("password text").name != name and app.find("password text"), "the prompt", 10)
        self.assertEqual(second.text, "")
        self.assertTrue(app.has("label", LOCKED))
        app.type("one")
        app.key("Return")
        app.wait_gone("label", LOCKED)

    def test_a_prompt_in_view_does_not_leave_the_next_one_in_view(self):
        self.world.etc.service("app-gates", CODE.format(module=self.world.pam_module(), what="visible"))
        app = self.locked()
        self.password(app)
        app.wait_for("password text", "Name", states=("editable", "focused"))
        app.type("wrong")
        app.until(lambda: app.find("password text", "Name").text == "wrong", "the answer in view")
        app.key("Return")
        app.wait_for("alert", "That was not right. Try again.")
        # From now on a password is asked for, and nobody knows it yet.
        app.wait_for("password text")
        app.type("hunter2")
        app.wait_for("password text", states=("editable",), seconds=15)
        app.type("hunter2")
        self.assertNotIn("hunter2", app.dump())

    @unittest.skipIf(shutil.which("faillock") is None, "needs faillock, of the package libpam-modules-bin")
    def test_what_faillock_says_is_shown_as_it_says_it(self):
        tally = self.world.folder / "tally"
        tally.mkdir()
        self.world.own(tally)
        self.world.etc.service("app-gates", FAILLOCK.format(tally=tally))
        app = self.locked()
        for _ in range(2):
            app.wait_for("password text", states=("focused", "editable"), seconds=20)
            app.type("wrong")
            app.key("Return")
            app.wait_gone("password text", states=("editable",))
        app.wait_for("alert", re.compile(r"locked due to 2 failed logins.*\(10 minutes left to unlock\)", re.S), seconds=20)
        self.assertTrue(app.has("label", LOCKED))
