"""What Account Security says of the ways to unlock, and what is found out before the lock is turned on."""

import re
import unittest

from steps import WorldTest, needs_user
from Rig import why_no_fingerprints

SWITCH = ("check box", "App Lock")


class MeTest(WorldTest):
    def me(self, *arguments, program=None, **preferences):
        self.come_back(**preferences)
        app = self.world.app(*arguments, program=program)
        app.wait_for("text", "Add a todo")
        self.open_me(app)
        app.wait_for("list item", "Password")
        return app

    def says(self, app, words):
        app.wait_for("label", re.compile(words))


@needs_user
class WaysTest(MeTest):
    def test_what_there_is(self):
        app = self.me()
        self.says(app, "^Your desktop password, checked by this computer$")
        self.says(app, "No fingerprint service was found; install fprintd")

    def test_in_a_sandbox_without_rights_the_switch_stays_off_and_says_why(self):
        app = self.me("--no-new-privs", self.world.binaries / "app-gates", program="/usr/bin/setpriv")
        words = "the app runs in a sandbox without the rights for it. Run it outside the sandbox."
        self.says(app, words)
        before = len(app.find_all("label", re.compile(words)))
        app.click(*SWITCH)
        app.look_until(lambda: len(app.find_all("label", re.compile(words))) == before + 1, "the reason at the switch", 5)
        self.assertFalse(app.has("password text"))
        self.assertNotIn("checked", app.find(*SWITCH).states)
        self.assertEqual(self.preferences["biometricEnabled"], "false")

    def test_the_period_of_the_password(self):
        self.come_back(["Buy milk"], lock=True)
        app = self.world.app()
        self.unlock(app)
        self.open_me(app)
        app.wait_for("label", "1 day")
        app.click("combo box", "Ask for Password After", states=("sensitive",))
        # libadwaita's items bear no name of their own.
        app.wait_for("label", "1 week")
        app.key("Down", "Return")
        app.until(lambda: self.preferences.get("passwordAfterSeconds") == "604800", "the choice on disk")


@needs_user
@unittest.skipIf(why_no_fingerprints(), f"{why_no_fingerprints()}")
class ReaderTest(MeTest):
    def test_what_there_is(self):
        fingers = self.world.fingerprints()
        for words, prepare in (("no finger of yours is enrolled. Enrol one in your desktop’s settings", lambda: None),
                               ("1 finger is enrolled", fingers.enroll)):
            prepare()
            app = self.me()
            self.says(app, words)
            app.close()

    def test_the_pam_file_is_missing(self):
        self.world.fingerprints().enroll()
        self.world.etc.service("app-gates-fingerprint", None)
        app = self.me()
        self.says(app, "/etc/pam.d/app-gates-fingerprint is missing. Install the app’s package")

    def test_no_reader(self):
        self.world.fingerprints(reader=False)
        app = self.me()
        self.says(app, "^No reader was found. Plug one in, or use the password.$")
