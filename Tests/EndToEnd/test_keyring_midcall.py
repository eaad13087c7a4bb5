"""The keyring ended or stopped in the middle of each call: nothing is lost, nothing hangs, and it can be mended.

`before`: the daemon never gets the call. `after`: it has done what it was asked, and the answer is lost. The calls are
those that the program really makes: a call that is armed and never comes fails the test.
"""

import re

from test_keyring import IN_KEYRING, PROCEED, KeyringTest

WAYS = [(act, phase) for act in ("kill", "stop") for phase in ("before", "after")]
SECRET = "ab" * 32
KEYRING = re.compile("keyring", re.I)


class CaseNamed:
    """Says with a failure in which case it was."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, _, error, __):
        if error is not None:
            error.add_note(self.name)


class MidCallTest(KeyringTest):
    def setUp(self):
        super().setUp()
        self.between = self.keyring.between()

    def each(self, *members):
        """Each way with each call."""
        return [(member, *way) for member in members for way in WAYS]

    def fail_as(self, *case):
        return CaseNamed(" ".join(case))


class StoreTest(MidCallTest):
    def test_signing_in(self):
        app = self.arrive(self.between.env)
        for member, act, phase in self.each("ReadAlias", "Get", "CreateItem"):
            with self.fail_as(act, phase, member):
                self.between.arm(act, phase, member)
                app.click(*PROCEED)
                self.between.wait()
                app.look_until(lambda: app.has("alert", KEYRING) or app.has("list item", "Buy milk"), "the end of it", 25)
                if act == "stop":
                    self.assertEqual(self.preferences["sessionStore"], "")
                    self.assertFalse(self.key_file.exists(), "no file where there is a keyring")
                self.keyring.recover()
                if app.has(*PROCEED):
                    continue
                # A keyring that has ended is none: the file stands in, and the secret moves when it is back.
                app.until(lambda: self.preferences["sessionStore"] == "keyring", "the move", 15)
                app.until(lambda: not self.key_file.exists(), "the file to go")
                self.assertEqual(len(self.secrets()), 1)
                self.sign_out(app)
                app.wait_for(*PROCEED)
                app.until(lambda: self.secrets() == [], "the secret to go")
        if app.has(*PROCEED):
            app.click(*PROCEED)
        app.wait_for("list item", "Buy milk", seconds=25)
        self.assertEqual(self.preferences["sessionStore"], "keyring")
        self.assertEqual(len(self.secrets()), 1)


class ReadTest(MidCallTest):
    def test_starting(self):
        self.assertEqual(self.signed_in(self.between.env).close(), 0)
        for member, act, phase in self.each("SearchItems", "GetSecrets"):
            with self.fail_as(act, phase, member):
                self.between.arm(act, phase, member)
                app = self.world.app(env=self.between.env)
                app.wait_for("list item", "Buy milk", seconds=4)
                self.between.wait()
                self.open_me(app)
                app.wait_for("list item", "Session Secret")
                self.assert_still_in(app)
                self.keyring.recover()
                app.look_until(lambda app=app: self.mended(app), "the secret to be found again", 30)
                self.assert_still_in(app)
                self.assertEqual(app.close(), 0)
        self.assertEqual(len(self.secrets()), 1)

    def mended(self, app):
        if app.has("label", IN_KEYRING):
            return True
        # It follows the keyring by itself too, so the button may go at any moment.
        button = app.find("button", "Try Again", states=("sensitive",))
        if button:
            button.click()
        return False


class RemoveTest(MidCallTest):
    def test_signing_out(self):
        app = self.signed_in(self.between.env)
        for member, act, phase in self.each("SearchItems", "Delete"):
            with self.fail_as(act, phase, member):
                self.open_me(app)
                app.wait_for("label", IN_KEYRING, seconds=25)
                app.click("button", "Sign Out")
                app.wait_for("label", "Sign Out?")
                self.between.arm(act, phase, member)
                app.key("alt+s")
                self.between.wait()
                app.until(lambda: self.preferences["sessionStore"] == "", "the session to end", 3)
                # Signed out at once; that the secret stayed is said as soon as it is known.
                app.wait_for("alert", re.compile("could not be removed"), seconds=25)
                self.keyring.recover()
                self.assertEqual(app.close(), 0)
                self.assertEqual(self.todos(), ["Buy milk"])
                app = self.world.app(env=self.between.env)
                app.click(*PROCEED)
                app.wait_for("list item", "Buy milk", seconds=25)
                self.assertEqual(len(self.secrets()), 1)


class UnlockTest(MidCallTest):
    def test_unlocking(self):
        self.assertEqual(self.signed_in(self.between.env).close(), 0)
        for phase in ("before", "after"):
            with self.subTest(phase=phase):
                self.keyring.restart_locked()
                app = self.world.app(env=self.between.env)
                self.open_me(app)
                app.wait_for("button", "Unlock", states=("sensitive",))
                self.between.arm("kill", phase, "Unlock")
                app.click("button", "Unlock")
                self.between.wait()
                app.wait_gone("button", "Unlock")
                self.assert_still_in(app)
                self.keyring.recover()
                app.wait_for("label", IN_KEYRING, seconds=15)
                self.assertEqual(app.close(), 0)

    def test_a_keyring_that_freezes_in_its_prompt_holds_nothing_up(self):
        self.assertEqual(self.signed_in(self.between.env).close(), 0)
        self.keyring.restart_locked()
        app = self.world.app(env=self.between.env)
        self.open_me(app)
        app.wait_for("button", "Unlock", states=("sensitive",))
        self.between.arm("stop", "before", "Unlock")
        app.click("button", "Unlock")
        self.between.wait()
        app.key("alt+1")
        app.wait_for("list item", "Buy milk", seconds=4)
        app.click("text", "Add a todo")
        app.type("Water the plants")
        app.key("Return")
        app.wait_for("list item", "Water the plants", seconds=4)
        self.assertEqual(app.close(), 0)
        self.assertEqual(self.preferences["sessionStore"], "keyring")


class MoveTest(MidCallTest):
    """At each moment, what is on record is a store that has the secret."""

    def come(self):
        self.world.run(["secret-tool", "clear", "app", "app-gates"], check=False)
        self.come_back(["Buy milk"] if not (self.world.data / "app-gates/todos.sqlite3").exists() else [])
        return self.world.app(env=self.between.env)

    def assert_kept(self):
        if self.preferences["sessionStore"] == "file":
            self.assertEqual(self.key_file.read_text(), SECRET + "\n")
        else:
            self.assertEqual(self.preferences["sessionStore"], "keyring")
            self.assertEqual(self.secrets(), [SECRET])

    def assert_moved_in_the_end(self):
        app = self.world.app(env=self.between.env)
        app.wait_for("list item", "Buy milk")
        app.until(lambda: self.preferences["sessionStore"] == "keyring" and not self.key_file.exists(), "the move", 15)
        self.assertEqual(self.secrets(), [SECRET])
        self.assertEqual(app.close(), 0)

    def test_the_keyring_in_the_middle(self):
        for member, act, phase in self.each("CreateItem", "SearchItems", "GetSecrets"):
            with self.fail_as(act, phase, member):
                self.between.arm(act, phase, member)
                app = self.come()
                app.wait_for("list item", "Buy milk", seconds=4)
                self.between.wait()
                self.assertFalse(app.has(*PROCEED))
                self.keyring.recover()
                self.assert_kept()
                self.assertEqual(app.close(), 0)
                self.assert_moved_in_the_end()

    def test_the_app_killed_in_the_middle(self):
        for member in ("CreateItem", "SearchItems", "GetSecrets"):
            for phase in ("before", "after"):
                with self.subTest(member=member, phase=phase):
                    self.world.run(["secret-tool", "clear", "app", "app-gates"], check=False)
                    self.keyring.freeze()
                    app = self.come_frozen()
                    self.between.arm("kill", phase, member, pid=app.pid)
                    self.keyring.thaw()
                    self.between.wait()
                    app.wait()
                    # That it was killed is not what this is about.
                    (self.world.home / ".local/state/app-gates/run").unlink()
                    self.assert_kept()
                    self.assert_moved_in_the_end()

    def come_frozen(self):
        """The app, waiting for the keyring's first answer."""
        self.come_back(["Buy milk"] if not (self.world.data / "app-gates/todos.sqlite3").exists() else [])
        count = len(self.between.calls)
        app = self.world.app(env=self.between.env)
        app.until(lambda: len(self.between.calls) > count, "the first question", 10)
        return app
