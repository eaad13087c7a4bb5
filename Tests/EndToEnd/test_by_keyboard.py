"""Pages that are seen when something has gone wrong, walked with the keyboard alone."""

import re
import signal
import unittest

from crashes import CLOSED, ENDED, TITLE, CrashTest
from damage import on_the_screen, read_only
from reports import CARD, Reports
from steps import WorldTest


class AfterAnEndTest(CrashTest):
    def ended(self, number=signal.SIGKILL, title=ENDED):
        """A run after one that ended so."""
        app = self.opened()
        self.fall(app, number)
        return self.told(title)

    def test_continue_has_the_keyboard(self):
        app = self.ended()
        app.wait_for("button", "Continue", states=("focused",))
        app.key("Return")
        app.wait_for("list item", TITLE)

    def test_the_report_can_be_reached_and_left(self):
        app = self.ended()
        self.tab_to(app, "button", "Send a Report")
        app.key("Return")
        app.wait_for("text", "What happened", states=("focused",))
        app.key("Escape")
        # Whoever comes back stands where they were.
        app.wait_for("button", "Send a Report", states=("focused",))
        on_the_screen(app, "label", ENDED)
        app.key("alt+c")
        app.wait_for("list item", TITLE)

    def test_safe_mode(self):
        app = self.ended(signal.SIGSEGV, CLOSED)
        for _ in range(2):
            app.wait_for("button", "Continue", states=("focused",))
            app.key("Return")
            app.wait_for("list item", TITLE)
            self.fall(app, signal.SIGSEGV)
            app = self.told(CLOSED)
        app.key("Return")
        on_the_screen(app, "label", "Safe Mode")
        app.wait_for("button", "Leave Safe Mode", states=("focused",))
        self.tab_to(app, "button", "Reset What Is Damaged…")
        app.key("Return")
        app.wait_for("alert", "Nothing is damaged.")
        self.tab_to(app, "button", "Open the List")
        app.key("space")
        app.wait_for("list item", TITLE)


class CardTest(WorldTest):
    def test_the_report_of_an_error(self):
        self.come_back([TITLE])
        read_only(self.world.data / "app-gates/todos.sqlite3")
        app = self.world.app()
        app.wait_for("list item", TITLE)
        app.wait_for("text", states=("focused",))
        app.type("Another")
        app.key("Return")
        on_the_screen(app, *CARD)
        self.tab_to(app, "button", "Send a Report")
        app.key("Return")
        app.wait_for("text", "What happened", states=("focused",))
        app.key("Escape")
        app.wait_for("button", "Send a Report", states=("focused",))
        on_the_screen(app, *CARD)


class ReportTest(Reports, WorldTest):
    def test_from_the_form_to_the_page_of_reports(self):
        web = self.serve()
        self.world.secrets(SENTRY_DSN=self.address(web))
        app = self.shell(["Buy milk"])
        app.key("alt+2")
        app.wait_for("label", "Account Security")
        self.tab_to_row(app, "Send Feedback")
        app.key("Return")
        app.wait_for("text", "Your feedback", states=("focused",))
        app.type("It works without a mouse")
        # In a text of several lines Tab is a character; Control leads on.
        app.key("ctrl+Tab")
        app.wait_for("text", "Name (optional)", states=("focused",))
        app.key("Tab")
        app.wait_for("text", "Email for an answer (optional)", states=("focused",))
        app.key("Tab")
        app.key("Return")
        app.wait_for("label", re.compile('"event_id"'))
        self.tab_to(app, "button", "Send")
        app.key("Return")
        app.wait_for("label", "Thank You")
        app.wait_for("button", "OK", states=("focused",))
        app.key("Return")
        app.wait_for("list item", "Send Feedback", states=("focused",))
        app.key("Down", "Return")
        app.wait_for("label", re.compile("It works without a mouse"))
        self.tab_to(app, "button", "Delete Report")
        app.key("Return")
        app.wait_gone("label", re.compile("It works without a mouse"))
        app.key("Escape")
        app.wait_for("list item", "Reports", states=("focused",))

    def tab_to_row(self, app, name):
        """Tab goes from group to group where it is the arrows that go from row to row."""
        for _ in range(60):
            if app.find("list item", name, states=("focused",)):
                return
            app.key("Tab" if not app.find("list item", states=("focused",)) else "Down")
        self.fail(f"no key leads to {name}\n{app.dump()}")


if __name__ == "__main__":
    unittest.main()
