"""What is never in a report: anything of the user's, also above the lock; and that the server takes it."""

import re
import socket
import unittest

from damage import on_the_screen, read_only
from relay import normalized, read_envelope, why_no_relay
from reports import CARD, Reports
from steps import LOCKED, WorldTest, needs_user


@needs_user
class PrivacyTest(Reports, WorldTest):
    """A report of a run with todos, an address in a title and a home folder named after a person has none of them."""

    TITLES = ["Call erika.mustermann@example.org", "Buy a ring for Ada"]

    def setUp(self):
        super().setUp()
        world = self.world
        home = world.home / "erika.mustermann"
        for folder in (home, home / "config", home / "data", home / "state"):
            folder.mkdir()
            world.own(folder)
        world.config, world.data, world.state = home / "config", home / "data", home / "state"
        world.env.update(HOME=home, XDG_CONFIG_HOME=world.config, XDG_DATA_HOME=world.data, XDG_STATE_HOME=world.state)

    def assert_clean(self, data):
        for secret in ("erika", "mustermann", "Ada", "ring", "Buy", "Call", str(self.world.home), "/home", "todos.sqlite3",
                       self.world.user.name, socket.gethostname()):
            self.assertNotIn(secret.encode(), data, secret)

    def in_the_queue(self):
        return b"".join(path.name.encode() + path.read_bytes() for path in self.folder.iterdir())

    def broken(self, web, lock=False):
        self.come_back(self.TITLES, lock=lock)
        self.world.secrets(SENTRY_DSN=self.address(web))
        app = self.world.app(wait=False)
        app.wait_for_window()
        if lock:
            self.unlock(app)
        app.wait_for("text", "Add a todo")
        read_only(self.world.data / "app-gates/todos.sqlite3")
        for folder in (self.world.config, self.world.data):
            (folder / "app-gates").chmod(0o500)
        app.click("button", "Done")  # a setting, whose path has the name in it
        on_the_screen(app, *CARD)
        return app

    def test_nothing_of_the_users_goes(self):
        web = self.serve()
        web.close()
        app = self.broken(web)
        app.click("button", "Send a Report")
        self.write_report(app)
        app.click("button", "What will be sent")
        self.assert_clean(app.wait_for("label", re.compile('"event_id"')).text.encode())
        app.click("button", "Send")
        app.wait_for("label", "Thank You")
        app.until(lambda: self.states() == ["waiting"], "the report to be kept")
        self.assert_clean(self.in_the_queue())
        self.assertEqual(app.close(), 0)
        web = self.serve()
        (self.world.config / "app-gates").chmod(0o700)
        self.world.secrets(SENTRY_DSN=self.address(web))
        app = self.world.app(wait=False)
        first, second = web.wait_for(2)
        app.until(lambda: [state.split()[0] for state in self.states()] == ["sent"], "the arrival")
        for request in (first, second):
            self.assert_clean(request.body + str(request.headers).encode() + request.path.encode())
        self.assert_clean(self.in_the_queue())
        event, feedback = (read_envelope(request.body) for request in (first, second))
        self.assertNotEqual(event[0]["event_id"], feedback[0]["event_id"])
        self.assertEqual(feedback[2]["contexts"]["feedback"]["associated_event_id"], event[0]["event_id"])
        self.assertEqual([value["type"] for value in event[2]["exception"]["values"]], ["preferencesNotSaved"])

    def test_above_the_lock_the_form_shows_nothing_of_the_users(self):
        app = self.broken(self.serve(), lock=True)
        app.click("button", "Send a Report")
        self.write_report(app, words="Ada has a ring")
        app.key("ctrl+l")
        app.wait_gone("text", "What happened")
        self.assert_hidden(app, "Ada", "ring", *self.TITLES)
        app.click("button", "Send a Report")
        self.assertEqual(app.wait_for("text", "What happened", states=("focused",)).text, "")
        self.assert_hidden(app, "Ada", "ring", *self.TITLES)
        app.click("button", "Back")
        app.click("button", "Try again")
        on_the_screen(app, "label", LOCKED)

    def test_what_goes_is_what_the_server_takes(self):
        if why := why_no_relay():
            self.skipTest(why)
        web = self.serve()
        app = self.broken(web)
        app.click("button", "Send a Report")
        self.write_report(app)
        app.set_text("text", "Name (optional)", "Ada")
        app.set_text("text", "Email for an answer (optional)", "ada@example.org")
        app.click("button", "Send")
        events = [read_envelope(request.body)[2] for request in web.wait_for(2)]
        found = normalized(events)
        for event, kept in zip(events, found):
            self.assertFalse(kept.get("errors"), kept)
            self.assertFalse(kept.get("_meta"), kept)
            self.assertEqual(kept["event_id"], event["event_id"])
        self.assertEqual([kept["type"] for kept in found], ["error", "feedback"])
        # The validator does complain where there is something to complain about.
        [bad] = normalized([{**events[0], "level": "banana"}])
        self.assertTrue(bad.get("errors") or bad.get("_meta"), bad)


if __name__ == "__main__":
    unittest.main()
