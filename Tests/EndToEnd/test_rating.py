"""The question for a review: after the third action, once, and what each answer leads to."""

import time

from steps import WorldTest

QUESTION = ("label", "Do you like App Gates?")


class RatingTest(WorldTest):
    def tick(self, app, count):
        """Ticks so many todos, from the row in focus or the field on."""
        for _ in range(count):
            app.key("Down", "space")

    def asked(self, **preferences):
        app = self.shell(["One", "Two"], ratingActions=2, **preferences)
        self.tick(app, 1)
        app.wait_for(*QUESTION)
        return app

    def test_it_comes_after_the_third_action_and_not_again(self):
        app = self.shell([f"Todo {number}" for number in range(1, 9)])
        self.tick(app, 2)
        app.until(lambda: self.preferences.get("ratingActions") == "2", "two actions")
        self.assertFalse(app.has(*QUESTION))
        self.tick(app, 1)
        app.wait_for(*QUESTION)
        # It counts from the moment that it shows: a kill now does not make it come again.
        kept = self.preferences
        self.assertEqual(kept["ratingActions"], "0")
        self.assertEqual(kept["ratingPromptVersion"], self.status()["version"])
        self.assertEqual(len(kept["ratingPromptDates"].rstrip(";").split(";")), 1)
        app.kill()
        app = self.world.app()
        app.wait_for("list item", "Todo 4")
        app.key("Down", "Down", "Down")
        self.tick(app, 4)
        app.until(lambda: self.preferences["ratingActions"] == "4", "four more actions")
        self.assertFalse(app.has(*QUESTION))
        self.assertEqual(self.preferences["ratingPromptDates"], kept["ratingPromptDates"])

    def test_it_never_interrupts_half_a_word(self):
        app = self.shell(["One", "Two"], ratingActions=2)
        app.wait_for("text", "Add a todo", states=("focused",))
        app.type("Buy")
        app.key("Down", "space")
        app.until(lambda: self.preferences.get("ratingActions") == "3", "the third action")
        self.assertFalse(app.has(*QUESTION))
        self.assertNotIn("ratingPromptDates", self.preferences)
        # The moment has passed; the next one comes with the next action.
        app.set_text("text", "Add a todo", "")
        app.key("Down", "space")
        app.wait_for(*QUESTION)

    def test_a_date_from_a_clock_that_was_ahead_is_repaired(self):
        app = self.shell(["One"], ratingActions=9, ratingPromptVersion="0.0.1", ratingPromptDates="4000000000;")
        begun = int(time.time())
        self.tick(app, 1)
        app.until(lambda: self.preferences["ratingPromptDates"] != "4000000000;", "the repaired date")
        self.assertTrue(begun <= int(self.preferences["ratingPromptDates"].rstrip(";")) <= time.time())
        self.assertFalse(app.has(*QUESTION))

    def test_taking_a_tick_away_is_no_action(self):
        app = self.shell(["One"], ratingActions=1)
        app.key("Down", "space", "space")
        app.wait_for("list item", "One", states=("focused",))
        self.assertEqual(self.preferences["ratingActions"], "2")
        self.assertFalse(app.has(*QUESTION))

    def test_rate_opens_the_page_of_the_app(self):
        log = self.world.program("xdg-open", 'echo "$@" >>"$LOG"')
        self.world.secrets(APP_STORE_URL="https://example.org/app-gates")
        app = self.asked()
        self.assertEqual(log.read_text(), "")
        app.key("alt+r")
        app.until(lambda: log.read_text() == "https://example.org/app-gates\n", "the address to be opened")
        app.wait_gone(*QUESTION)

    def test_feedback_opens_the_form(self):
        app = self.asked()
        app.key("alt+f")
        app.wait_for("label", "What is good, and what is not?")
        app.wait_for("text", "Your feedback", states=("focused",))

    def test_never_is_kept(self):
        app = self.asked()
        app.key("alt+v")
        app.wait_gone(*QUESTION)
        app.until(lambda: self.preferences.get("ratingDeclined") == "true", "the answer in the preferences")

    def test_escape_is_not_now(self):
        app = self.asked()
        app.key("Escape")
        app.wait_gone(*QUESTION)
        self.assertNotEqual(self.preferences.get("ratingDeclined"), "true")
        app.wait_for("list item", "One, done", states=("focused",))
