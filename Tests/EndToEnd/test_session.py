"""The session: where its secret lives, and that signing out takes the secret and nothing else."""

import re
import stat

from steps import WorldTest

PROCEED = ("button", "Continue on this computer")
IN_KEYRING = "The session’s secret is in your keyring."
IN_FILE = re.compile("^No keyring was found, so the session’s secret is in a file that only you can read")


class SessionTest(WorldTest):
    def sign_in(self, app):
        app.click(*PROCEED)
        app.wait_for("text", "Add a todo", seconds=20)

    def newcomer(self):
        """The app of somebody who has everything behind them but signing in."""
        self.come_back(["Buy milk"], sessionName="", sessionStore="", sessionStarted=0)
        self.key.unlink()
        app = self.world.app()
        self.sign_in(app)
        return app

    @property
    def key(self):
        return self.world.data / "app-gates/session.key"

    def sign_out(self, app):
        self.open_me(app)
        app.click("button", "Sign Out")
        app.wait_for("label", "Sign Out?")
        # The question's own come last, one for a wide window and one for a narrow one; only one of them is there.
        # GTK 4.8 says a mnemonic's underscore too.
        [node for node in app.find_all("button", re.compile("Sign Out$")) if node.is_on_screen][-1].click()
        app.wait_for(*PROCEED)

    def secrets(self):
        return self.keyring.search(app="app-gates")

    def test_in_the_keyring(self):
        self.keyring = self.world.keyring()
        app = self.newcomer()
        self.assertEqual(self.preferences["sessionStore"], "keyring")
        self.assertRegex(self.secrets(), r"secret = [0-9a-f]{64}\n")
        self.assertFalse(self.key.exists())
        self.open_me(app)
        app.wait_for("label", IN_KEYRING)

        self.sign_out(app)
        app.until(lambda: "secret = " not in self.secrets(), "the secret to be removed")
        self.assertEqual(self.preferences["sessionStore"], "")
        self.assert_hidden(app, "Buy milk")
        self.assertEqual(self.todos(), ["Buy milk"])
        self.sign_in(app)
        app.wait_for("list item", "Buy milk")
        self.assertEqual(app.close(), 0)

    def test_a_locked_or_absent_keyring_does_not_sign_out(self):
        self.keyring = self.world.keyring()
        self.assertEqual(self.newcomer().close(), 0)
        for change in (self.keyring.restart_locked, self.keyring.end):
            with self.subTest(keyring=change.__name__):
                change()
                app = self.world.app()
                app.wait_for("list item", "Buy milk")
                self.open_me(app)
                self.assertFalse(app.has(*PROCEED))
                self.assertEqual(app.close(), 0)
                self.assertEqual(self.preferences["sessionStore"], "keyring")

    def test_a_secret_that_is_gone_ends_the_session(self):
        self.keyring = self.world.keyring()
        self.assertEqual(self.newcomer().close(), 0)
        self.world.run(["secret-tool", "clear", "app", "app-gates"])
        app = self.world.app()
        app.wait_for(*PROCEED)
        self.assertEqual(self.preferences["sessionStore"], "")

    def test_in_a_file_where_no_keyring_answers(self):
        app = self.newcomer()
        self.assertEqual(self.preferences["sessionStore"], "file")
        self.assertRegex(self.key.read_text(), "^[0-9a-f]{64}\n$")
        self.assertEqual(stat.S_IMODE(self.key.stat().st_mode), 0o600)
        first = self.key.read_text()
        self.open_me(app)
        app.wait_for("label", IN_FILE)
        self.sign_out(app)
        app.until(lambda: not self.key.exists(), "the file to be removed")
        self.assertEqual(self.todos(), ["Buy milk"])
        self.assertEqual(app.close(), 0)
        # Signed out stays signed out, and the next session has a secret of its own.
        app = self.world.app()
        app.wait_for(*PROCEED)
        self.sign_in(app)
        app.wait_for("list item", "Buy milk")
        self.assertNotEqual(self.key.read_text(), first)

    def test_signing_out_can_be_thought_over(self):
        app = self.shell(["Buy milk"])
        self.open_me(app)
        app.click("button", "Sign Out")
        app.wait_for("label", "Sign Out?")
        app.key("Escape")
        app.wait_gone("label", "Sign Out?")
        self.assertEqual(self.preferences["sessionStore"], "file")
        self.assertTrue(self.key.exists())
        self.assertFalse(app.has(*PROCEED))
