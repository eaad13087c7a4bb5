"""A newcomer, and the same person at the second start."""

import stat

from steps import CONSENT, GATE_WORDS, WELCOME, WorldTest


class NewcomerTest(WorldTest):
    def start(self):
        """Starts the app and looks all the time until the list or a gate can be worked with; all names seen."""
        self.world.desk.events()
        app = self.world.app(wait=False)
        names = set()

        def settled():
            names.update(node.name for node in app.tree())
            return {"Add a todo", "Next"} & names and app.windows()

        app.look_until(settled, "the first screen", 20)
        names.update(event["name"] for event in self.world.desk.events())
        return app, names

    def test_through_every_gate_by_keyboard_then_straight_through(self):
        app, names = self.start()
        self.assertIn("Locked when you are away", names)  # the watch of the second start can see gates

        app.wait_for("button", "Next", states=("focused",))
        for slide in (1, 2, 3):
            app.key("Return")
            app.until(lambda: self.preferences.get("onboardingPage") == str(slide), f"slide {slide + 1}")
        app.wait_for("button", "Get started", states=("focused",))
        app.key("Return")

        app.wait_for("label", "Before you begin")
        self.assertNotIn("acceptedConsentVersion", self.preferences)
        self.tab_to(app, "button", "Agree")
        app.key("Return")

        app.wait_for("label", WELCOME)
        app.wait_for("button", "Continue on this computer", states=("focused",))
        app.key("Return")

        app.wait_for("text", "Add a todo")
        app.wait_for("text", states=("focused",))
        app.type("Buy milk")
        app.key("Return")
        app.wait_for("list item", "Buy milk")
        self.assertEqual(self.todos(), ["Buy milk"])
        self.assertEqual(app.close(), 0)
        self.check_files()

        self.assertEqual(set(self.decisions().values()), {"open"})
        app, names = self.start()
        self.assertEqual(names & GATE_WORDS, set())
        app.wait_for("list item", "Buy milk")
        self.assertEqual(self.seen_in_events() & GATE_WORDS, set())
        self.assertNotIn("CRITICAL", app.log)
        self.assertEqual(app.close(), 0)

    def seen_in_events(self):
        return {event["name"] for event in self.world.desk.events()}

    def check_files(self):
        kept = self.preferences
        self.assertGreater(int(kept.pop("sessionStarted")), 1700000000)
        self.assertEqual(kept, {
            "onboardingCompleted": "true", "onboardingPage": "3", "acceptedConsentVersion": CONSENT,
            "ratingActions": "1", "sessionName": kept["sessionName"], "sessionStore": "file",
            # Of a session of this computer, and with nothing left behind, there is nothing to say.
            "sessionIssuer": "", "sessionSubject": "", "sessionLeftover": ""})
        folder = self.world.config / "app-gates"
        self.assertEqual(stat.S_IMODE(folder.stat().st_mode), 0o700)
        self.assertEqual([path.name for path in folder.iterdir()], ["preferences.ini"])
        for path in (folder / "preferences.ini", self.world.data / "app-gates/session.key",
                     self.world.data / "app-gates/todos.sqlite3"):
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600, path)
        self.assertEqual(stat.S_IMODE((self.world.data / "app-gates").stat().st_mode), 0o700)
