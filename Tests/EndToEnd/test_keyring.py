"""A keyring that hangs, at sign-in and at the start; test_session.py has the one that answers."""

import re

from steps import WorldTest

PROCEED = ("button", "Continue on this computer")


class HangingKeyringTest(WorldTest):
    def arrive(self):
        """The app of somebody who only has to sign in, with a keyring that does not answer."""
        self.come_back(["Buy milk"], sessionName="", sessionStore="", sessionStarted=0)
        self.key_file.unlink()
        self.keyring = self.world.keyring()
        app = self.world.app()
        app.wait_for(*PROCEED, states=("focused",))
        return app

    @property
    def key_file(self):
        return self.world.data / "app-gates/session.key"

    def secrets(self):
        return re.findall("^secret = [0-9a-f]{64}$", self.keyring.search(app="app-gates"), re.M)

    def test_sign_in_can_be_left(self):
        app = self.arrive()
        self.keyring.freeze()
        app.key("Return")
        app.click("button", "Cancel")
        app.wait_for(*PROCEED, states=("sensitive",))
        # Its late answer signs nobody in, and leaves nothing behind.
        self.keyring.thaw()
        self.assertEqual(self.secrets(), [])
        self.assertFalse(self.key_file.exists())
        self.assertTrue(app.has(*PROCEED))
        self.assertEqual(self.preferences["sessionStore"], "")
        app.click(*PROCEED)
        app.wait_for("list item", "Buy milk")
        self.assertEqual(len(self.secrets()), 1)
        self.assertEqual(self.preferences["sessionStore"], "keyring")

    def test_sign_in_goes_on_with_a_file_after_the_deadline(self):
        app = self.arrive()
        self.keyring.freeze()
        app.key("Return")
        app.wait_for("list item", "Buy milk", seconds=20)
        self.assertEqual(self.preferences["sessionStore"], "file")
        self.assertTrue(self.key_file.exists())

    def test_the_start_does_not_wait_and_does_not_sign_out(self):
        app = self.arrive()
        app.key("Return")
        app.wait_for("list item", "Buy milk")
        self.assertEqual(app.close(), 0)
        self.keyring.freeze()
        app = self.world.app()
        app.wait_for("list item", "Buy milk", seconds=4)  # less than the keyring's deadline
        self.assertEqual(self.preferences["sessionStore"], "keyring")
        self.assertEqual(app.close(), 0)

    def test_a_signed_out_user_stays_so_where_the_secret_cannot_be_removed(self):
        app = self.arrive()
        app.key("Return")
        app.wait_for("list item", "Buy milk")
        self.keyring.end()
        self.open_me(app)
        app.click("button", "Sign Out")
        app.wait_for("label", "Sign Out?")
        app.key("alt+s")
        app.wait_for("alert", re.compile("^You are signed out here, but the session's secret could not be removed: "))
        self.assertEqual(self.preferences["sessionStore"], "")
        app.click("button", "Try again")
        app.wait_for(*PROCEED)
        self.assertEqual(self.todos(), ["Buy milk"])
