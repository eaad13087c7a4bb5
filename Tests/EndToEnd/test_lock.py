"""Turning the lock on and off, and the ways out of the locked screen."""

import time

from steps import LOCKED, WorldTest, at_least, needs_user

WRONG = "That was not right. Try again."
SWITCH = ("check box", "App Lock")


@needs_user
class SwitchTest(WorldTest):
    def on_me(self, **preferences):
        app = self.shell(["Buy milk"], **preferences)
        app.key("alt+2")
        app.wait_for(*SWITCH)
        return app

    def ask(self, app):
        """Turns the switch and waits for the question."""
        app.click(*SWITCH)
        return app.wait_for("password text", states=("focused", "editable"))

    def test_turning_on_takes_the_right_password(self):
        app = self.on_me()
        self.ask(app)
        app.type("wrong")
        app.key("Return")
        app.wait_for("alert", WRONG)
        self.assertNotIn("checked", app.find(*SWITCH).states)
        self.assertEqual(self.preferences["biometricEnabled"], "false")
        # The next conversation is there once PAM's delay has passed.
        app.wait_for("password text", states=("focused", "editable"))
        app.type(self.world.user.password)
        app.key("Return")
        app.wait_for(*SWITCH, states=("checked",))
        self.assertEqual(self.preferences["biometricEnabled"], "true")
        app.wait_gone("password text")
        self.assertFalse(app.has("label", LOCKED))

    def test_turning_on_can_be_cancelled(self):
        app = self.on_me()
        self.ask(app)
        app.until(lambda: "app-gates-auth" in app.children().values(), "the helper")
        app.key("Escape")
        app.wait_gone("password text")
        app.until(lambda: app.children() == {}, "the helper's end")
        self.assertNotIn("checked", app.find(*SWITCH).states)
        self.assertEqual(self.preferences["biometricEnabled"], "false")

    def test_turning_off_takes_the_right_password(self):
        self.come_back(lock=True)
        app = self.world.app()
        self.unlock(app)
        app.key("alt+2")
        self.ask(app)
        app.type("wrong")
        app.key("Return")
        app.wait_for("alert", WRONG)
        self.assertEqual(self.preferences["biometricEnabled"], "true")
        app.wait_for("password text", states=("focused", "editable"))
        app.type(self.world.user.password)
        app.key("Return")
        app.until(lambda: self.preferences["biometricEnabled"] == "false", "the lock to be off")
        app.wait_gone("password text")
        app.key("ctrl+l")
        self.assertTrue(app.has(*SWITCH))
        self.assertFalse(app.has("label", LOCKED))


@needs_user
class LaunchTest(WorldTest):
    def test_locked_at_launch_and_opened_by_the_right_password(self):
        app = self.locked()
        self.assert_hidden(app, "Buy milk", "Add a todo")
        self.assertEqual(app.title, "App Gates")
        self.unlock(app)
        app.wait_for("list item", "Buy milk")

    def test_a_wrong_password_stays_locked_and_waits(self):
        app = self.locked()
        app.type("wrong")
        app.key("Return")
        app.wait_for("alert", WRONG)
        refused = time.monotonic()
        self.assertIn("sensitive", app.wait_for("button", "Quit").states)
        self.assertNotIn("editable", app.find("password text").states)
        # Typed ahead: it goes nowhere, and cannot shorten PAM's delay.
        app.type(self.world.user.password)
        app.key("Return")
        app.wait_for("password text", states=("focused", "editable"))
        # pam_unix asks for two seconds, of which PAM takes or adds up to half.
        self.assertGreater(time.monotonic() - refused, 0.9)
        self.assertTrue(app.has("label", LOCKED))
        self.assert_hidden(app, "Buy milk")
        self.unlock(app)
        app.wait_for("list item", "Buy milk")

    def test_the_delay_outlives_cancel(self):
        app = self.locked()
        app.type("wrong")
        app.key("Return")
        app.wait_for("alert", WRONG)
        refused = time.monotonic()
        app.key("Escape")
        app.wait_gone("password text")
        app.click("button", "Unlock")
        app.wait_for("password text", states=("focused", "editable"))
        self.assertGreater(time.monotonic() - refused, 0.9)

    def test_an_empty_answer_is_refused_before_pam(self):
        app = self.locked()
        app.key("Return")
        app.wait_for("alert", "Type your password first.")
        self.assertIn("editable", app.find("password text").states)
        self.unlock(app)

    def test_cancel_leads_to_a_button(self):
        app = self.locked()
        app.key("Escape")
        app.wait_gone("password text")
        app.wait_for("button", "Unlock", states=("focused",))
        app.until(lambda: app.children() == {}, "the helper's end")
        self.assert_hidden(app, "Buy milk")
        app.key("Return")
        self.unlock(app)
        app.wait_for("list item", "Buy milk")

    def test_quit_and_close_while_locked(self):
        app = self.locked()
        app.click("button", "Quit")
        self.assertEqual(app.wait(), 0)
        app = self.world.app()
        app.wait_for("password text", states=("focused",))
        self.assertEqual(app.close(), 0)
        app = self.world.app()
        app.wait_for("password text", states=("focused",))
        app.key("ctrl+q")
        self.assertEqual(app.wait(), 0)

    def test_an_answer_that_was_overtaken_by_a_new_lock_opens_nothing(self):
        app = self.locked()
        began = time.monotonic()
        app.type(self.world.user.password)
        # Enter and the new lock in one go: the verdict comes for an attempt that is not the present one any more.
        self.world.display.tool("xdotool", "key", "--delay", "0", "Return", "ctrl+l")
        at_least(1.0, began)
        self.assertTrue(app.has("label", LOCKED))
        self.assert_hidden(app, "Buy milk")
