"""How the session's secret stands in a real keyring, with the words and the remedy of each state, and moves there."""

import re
import shutil

from Rig.desk import PYTHON
from Rig.world import ROOT
from steps import WorldTest, needs_user

PROCEED = ("button", "Continue on this computer")
IN_KEYRING = "The session’s secret is in your keyring."
IN_FILE = re.compile("^No keyring was found, so the session’s secret is in a file that only you can read")
LOCKED = re.compile("^Your keyring is locked, so the secret cannot be read now. You stay signed in.")
FROZEN = "Your keyring does not answer. You stay signed in. Try again in a while."
AWAY = re.compile("^No keyring was found, though the secret is in one. You stay signed in.")
SCHEMA = "io.github.appgates.AppGates.Session"
FORMER = "io.github.appgates.Session"


class KeyringTest(WorldTest):
    def setUp(self):
        super().setUp()
        self.keyring = self.world.keyring()

    def arrive(self, env=None):
        """The app of somebody who only has to sign in."""
        self.come_back(["Buy milk"], sessionName="", sessionStore="", sessionStarted=0)
        self.key_file.unlink()
        app = self.world.app(env=env)
        app.wait_for(*PROCEED, states=("focused",))
        return app

    def signed_in(self, env=None):
        """The app with a session whose secret is in the keyring."""
        app = self.arrive(env)
        app.key("Return")
        app.wait_for("list item", "Buy milk")
        self.assertEqual(self.preferences["sessionStore"], "keyring")
        return app

    def sign_out(self, app):
        self.open_me(app)
        app.click("button", "Sign Out")
        app.wait_for("label", "Sign Out?")
        app.key("alt+s")

    @property
    def key_file(self):
        return self.world.data / "app-gates/session.key"

    def secrets(self):
        """The values in the keyring, under whatever schema."""
        return re.findall("^secret = (.*)$", self.keyring.search(app="app-gates"), re.M)

    def store(self, value, schema=SCHEMA):
        self.world.run(["secret-tool", "store", "--label=x", "app", "app-gates", "xdg:schema", schema],
                       input=value.encode())

    def clear(self):
        self.world.run(["secret-tool", "clear", "app", "app-gates"])

    def assert_still_in(self, app):
        self.assertFalse(app.has(*PROCEED))
        self.assertEqual(self.preferences["sessionStore"], "keyring")
        self.assertEqual(self.todos(), ["Buy milk"])


class StatesTest(KeyringTest):
    def test_locked_is_said_and_unlocked_by_the_keyrings_own_prompt(self):
        prompter = "/usr/lib/gcr/gcr-prompter"
        if not shutil.which(prompter):
            prompter = "/usr/libexec/gcr-prompter"
        if not shutil.which(prompter):
            self.skipTest("gcr-prompter is not installed")
        self.assertEqual(self.signed_in().close(), 0)
        self.keyring.restart_locked()
        app = self.world.app()
        app.wait_for("list item", "Buy milk")
        self.open_me(app)
        app.wait_for("label", LOCKED)
        # Nobody is there yet to put up the question: that is said, and it can be asked again.
        app.click("button", "Unlock")
        app.wait_for("label", re.compile("^Your keyring is locked.* The keyring is locked. Unlock it, then try again.$"))
        self.assert_still_in(app)
        self.world.start([prompter], "prompter")
        self.world.session.wait_for("org.gnome.keyring.SystemPrompter")
        app.click("button", "Unlock")
        app.until(lambda: not app.is_active, "the prompt in front", 10)
        self.world.display.type("keyring")
        self.world.display.key("Return")
        app.wait_for("label", IN_KEYRING, seconds=15)
        self.assertFalse(app.has("button", "Unlock"))
        self.assertEqual(app.close(), 0)

    def test_a_keyring_that_opens_or_goes_is_followed(self):
        app = self.signed_in()
        self.open_me(app)
        app.wait_for("label", IN_KEYRING)
        self.keyring.end()
        app.wait_for("label", AWAY)
        self.keyring.start(unlocked=False)
        app.wait_for("label", LOCKED)
        self.keyring.end()
        self.keyring.start(unlocked=True)
        app.wait_for("label", IN_KEYRING)
        self.assert_still_in(app)

    def test_frozen_is_said_and_tried_again(self):
        app = self.signed_in()
        self.keyring.freeze()
        self.open_me(app)
        app.wait_for("label", FROZEN, seconds=15)
        self.assert_still_in(app)
        self.keyring.thaw()
        app.click("button", "Try Again")
        app.wait_for("label", IN_KEYRING, seconds=15)

    def test_refused_is_said(self):
        self.assertEqual(self.signed_in().close(), 0)
        self.keyring.end()
        fake = self.world.folder / "refusing_keyring.py"
        shutil.copy(ROOT / "Tests/Fakes/refusing_keyring.py", fake)
        fake.chmod(0o644)
        service = self.world.start([PYTHON, fake], "refusing")
        self.world.session.wait_for("org.freedesktop.secrets")
        app = self.world.app()
        app.wait_for("list item", "Buy milk")
        self.open_me(app)
        app.wait_for("label", re.compile("^Your keyring refuses to hand the secret out. You stay signed in."))
        self.sign_out(app)
        app.wait_for("alert", re.compile("could not be removed: The keyring refuses"))
        app.click("button", "Try again")
        app.wait_for(*PROCEED)
        app.click(*PROCEED)
        app.wait_for("alert", re.compile("^The keyring refuses."))
        self.assertFalse(self.key_file.exists(), "no file where there is a keyring")
        service.end()

    def test_gone_or_damaged_while_it_runs_offers_to_sign_in_again(self):
        app = self.signed_in()
        for change, words in ((self.clear, "The secret is gone from your keyring."),
                              (lambda: self.store("two\nlines"), "What your keyring has for the secret is damaged.")):
            self.open_me(app)
            app.wait_for("label", IN_KEYRING)
            change()
            app.key("alt+1")
            app.key("alt+2")
            app.wait_for("label", re.compile("^" + re.escape(words)))
            self.assert_still_in(app)
            app.click("button", "Sign In Again")
            app.click(*PROCEED)
            app.wait_for("list item", "Buy milk")
            app.until(lambda: len(self.secrets()) == 1, "one secret")

    def test_gone_at_the_start_is_said_and_damaged_is_not_gone(self):
        self.assertEqual(self.signed_in().close(), 0)
        self.store("two\nlines")
        app = self.world.app()
        app.wait_for("list item", "Buy milk")
        self.open_me(app)
        app.wait_for("button", "Sign In Again")
        self.assertEqual(app.close(), 0)
        self.clear()
        app = self.world.app()
        app.wait_for("alert", re.compile("^The session’s secret is gone from where it was kept."))
        self.assertEqual(self.todos(), ["Buy milk"])
        app.click(*PROCEED)
        app.wait_for("list item", "Buy milk")

    def test_a_secret_under_the_former_name_is_found_and_moved(self):
        self.assertEqual(self.signed_in().close(), 0)
        self.clear()
        self.store("ab" * 32, FORMER)
        app = self.world.app()
        app.wait_for("list item", "Buy milk")
        self.open_me(app)
        app.wait_for("label", IN_KEYRING)
        found = self.keyring.search(app="app-gates")
        self.assertEqual(self.secrets(), ["ab" * 32])
        self.assertIn("schema = " + SCHEMA, found)
        self.assertNotIn("schema = " + FORMER + "\n", found)


class HangingTest(KeyringTest):
    """A keyring that does not answer holds nothing up."""

    def test_a_sign_in_can_be_left(self):
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

    def test_a_sign_in_says_so_and_can_be_tried_again(self):
        app = self.arrive()
        self.keyring.freeze()
        app.key("Return")
        app.wait_for("alert", "The keyring does not answer. Try again in a while.", seconds=20)
        self.assertFalse(self.key_file.exists(), "a file behind the user's back")
        self.keyring.thaw()
        app.click(*PROCEED)
        app.wait_for("list item", "Buy milk")
        self.assertEqual(len(self.secrets()), 1)

    def test_the_start_does_not_wait_and_does_not_sign_out(self):
        self.assertEqual(self.signed_in().close(), 0)
        self.keyring.freeze()
        app = self.world.app()
        app.wait_for("list item", "Buy milk", seconds=4)  # less than the keyring's deadline
        self.assert_still_in(app)
        self.assertEqual(app.close(), 0)

    @needs_user
    def test_the_lock_and_the_unlock_do_not_wait(self):
        self.assertEqual(self.signed_in().close(), 0)
        self.world.preferences(**{**self.preferences, "biometricEnabled": True})
        self.keyring.freeze()
        app = self.world.app()
        app.wait_for("label", "App Gates is locked", seconds=4)
        self.unlock(app)
        app.wait_for("list item", "Buy milk", seconds=4)
        app.key("ctrl+l")
        app.wait_for("label", "App Gates is locked", seconds=2)
        self.unlock(app)
        self.assert_still_in(app)

    def test_a_signed_out_user_stays_so_where_the_secret_cannot_be_removed(self):
        app = self.signed_in()
        self.keyring.end()
        self.sign_out(app)
        app.wait_for("alert", re.compile("^You are signed out here, but the session’s secret could not be removed: "))
        self.assertEqual(self.preferences["sessionStore"], "")
        app.click("button", "Try again")
        app.wait_for(*PROCEED)
        self.assertEqual(self.todos(), ["Buy milk"])


class MoveTest(WorldTest):
    """The key file stands in until there is a keyring."""

    def test_it_moves_by_itself_once_there_is_a_keyring(self):
        app = self.shell(["Buy milk"])
        self.open_me(app)
        app.wait_for("label", IN_FILE)
        key = self.world.data / "app-gates/session.key"
        secret = key.read_text().strip()
        keyring = self.world.keyring()
        app.wait_for("label", IN_KEYRING)
        app.until(lambda: not key.exists(), "the file to go")
        self.assertEqual(self.preferences["sessionStore"], "keyring")
        self.assertIn("secret = " + secret, keyring.search(app="app-gates"))
        self.assertEqual(app.close(), 0)

    def test_it_stays_where_the_keyring_is_locked_and_moves_when_that_opens(self):
        keyring = self.world.keyring()
        keyring.restart_locked()
        app = self.shell(["Buy milk"])
        self.open_me(app)
        app.wait_for("label", IN_FILE)
        key = self.world.data / "app-gates/session.key"
        self.assertTrue(key.exists())
        keyring.end()
        keyring.start(unlocked=True)
        app.wait_for("label", IN_KEYRING)
        app.until(lambda: not key.exists(), "the file to go")
