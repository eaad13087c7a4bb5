"""Reports that the user sends: what goes, what comes of it with each answer of a server, and what is never in them."""

import configparser
import re
import socket
import sys
import time
import unittest
import uuid

from damage import SharedWorldTest, on_the_screen, read_only
from relay import normalized, read_envelope, why_no_relay
from steps import LOCKED, ROOT, WorldTest, needs_user

sys.path.append(str(ROOT / "Tests/Fakes"))
from fake_web import FakeWeb, nothing, one_byte_a_second, redirect, reply  # noqa: E402

CARD = ("label", "Something went wrong")
PATH = "/below/api/42/envelope/"
WORDS = "Es ging schief: äöü"


class Reports:
    """What the tests have in common; `world` is theirs."""

    def serve(self, answer=reply(200, b"{}")):
        web = FakeWeb()
        self.addCleanup(web.close)
        web.answers[PATH] = answer
        return web

    def address(self, web):
        return f"http://public:secret@127.0.0.1:{web.port}/below/42"

    @property
    def folder(self):
        return self.world.state / "app-gates/reports"

    def kept(self):
        """{file's name: {key: value}}"""
        found = {}
        for path in self.folder.glob("*.ini"):
            parser = configparser.ConfigParser(interpolation=None, delimiters="=", comment_prefixes=())
            parser.optionxform = str
            try:
                parser.read(path)
            except configparser.Error:
                continue  # just being replaced
            found[path.stem] = dict(parser[parser.sections()[0]]) if parser.sections() else {}
        return found

    def states(self):
        return sorted(keys.get("state", "") for name, keys in self.kept().items() if name != "limits")

    def see(self, app, name):
        """Waits until a label is on the screen: pages that are not shown are in the tree as well."""
        app.look_until(lambda: any(node.is_on_screen for node in app.find_all("label", name)), f"{name} on the screen", 10)

    def write_report(self, app, role_name="What happened", words=WORDS):
        app.wait_for("text", role_name, states=("focused",))
        app.set_text("text", role_name, words)
        app.look_until(lambda: app.find("text", role_name).text == words, "the words", 5)


class SendingTest(Reports, WorldTest):
    def feedback(self, dsn):
        self.world.secrets(SENTRY_DSN=dsn)
        app = self.shell(["Buy milk"])
        self.open_me(app)
        app.click("list item", "Send Feedback")
        app.wait_for("text", "Your feedback", states=("focused",))
        return app

    def test_feedback_is_read_sent_and_followed(self):
        web = self.serve()
        app = self.feedback(self.address(web))
        self.assertNotIn("sensitive", app.find("button", "Send").states)
        self.write_report(app, "Your feedback")
        app.set_text("text", "Name (optional)", "Ada")
        app.set_text("text", "Email for an answer (optional)", "ada")
        app.wait_for("alert", re.compile("^That is no email address"))
        self.assertNotIn("sensitive", app.find("button", "Send").states)
        app.set_text("text", "Email for an answer (optional)", "ada@example.org")
        app.wait_gone("alert", re.compile("^That is no email address"))
        app.click("button", "What will be sent")
        shown = app.wait_for("label", re.compile('"event_id"')).text
        self.assertEqual(web.connections, 0)
        app.click("button", "Send")
        app.wait_for("label", "Thank You")
        [request] = web.wait_for(1)
        header, item, payload, raw = read_envelope(request.body)
        # The very text, but for the time of sending.
        sent = re.sub(r',"sent_at":"[^"]*"', "", request.body.decode())
        self.assertEqual(shown, sent + "\nThe time of sending (sent_at) is added to each first line when it goes.")
        self.assertEqual(item["type"], "feedback")
        words = payload["contexts"]["feedback"]
        self.assertEqual(words, {"message": WORDS, "name": "Ada", "contact_email": "ada@example.org"})
        self.assertEqual(request.headers["content-type"], "application/x-sentry-envelope")
        self.assertRegex(request.headers["x-sentry-auth"],
                         r"^Sentry sentry_version=7, sentry_client=app-gates/[0-9.]+, sentry_key=public$")
        self.assertNotIn("secret", str(request.headers))

        app.until(lambda: [state.split()[0] for state in self.states()] == ["sent"], "the arrival to be kept")
        # What has arrived is not kept any longer.
        self.assertNotIn(WORDS.encode(), b"".join(path.read_bytes() for path in self.folder.iterdir())
                         .replace(f"title={WORDS}".encode(), b""))
        app.click("button", "OK")
        app.wait_for("list item", "Send Feedback", states=("focused",))
        app.key("Down", "Return")
        app.wait_for("list item", WORDS)
        app.wait_for("label", re.compile("^Sent on "))
        app.click("button", "Delete Report")
        self.see(app, "No Reports")
        self.assertEqual(self.states(), [])
        app.click("button", re.compile("Undo$"))
        self.see(app, re.compile("^Sent on "))

    def test_what_is_typed_stays_while_the_program_runs(self):
        app = self.feedback("https://public@example.invalid/1")
        self.write_report(app, "Your feedback")
        app.click("button", "Back")
        app.wait_gone("text", "Your feedback")
        app.wait_for("list item", "Send Feedback", states=("focused",))
        app.key("Return")
        self.assertEqual(app.wait_for("text", "Your feedback", states=("focused",)).text, WORDS)

    def test_offline_it_waits_and_can_be_taken_back(self):
        web = self.serve()
        web.close()
        app = self.feedback(self.address(web))
        self.write_report(app, "Your feedback")
        app.click("button", "Send")
        app.click("button", "OK")
        app.wait_for("list item", "Send Feedback", states=("focused",))
        app.key("Down", "Return")
        app.wait_for("label", re.compile("^Waiting since "))
        self.assertEqual(self.states(), ["waiting"])
        [path] = self.folder.glob("*.ini")
        self.assertEqual((path.stat().st_mode & 0o777, self.folder.stat().st_mode & 0o777), (0o600, 0o700))
        app.click("button", "Delete Report")
        self.see(app, "No Reports")
        self.assertEqual(list(self.folder.glob("*.ini")), [])
        app.click("button", re.compile("Undo$"))
        self.see(app, re.compile("^Waiting since "))
        self.assertEqual(app.close(), 0)
        # The next run finds the server.
        web = self.serve()
        self.world.secrets(SENTRY_DSN=self.address(web))
        app = self.world.app()
        web.wait_for(1)
        app.until(lambda: [state.split()[0] for state in self.states()] == ["sent"], "the arrival")
        self.assertEqual(len(web.requests), 1)


class AnswersTest(Reports, SharedWorldTest):
    """Each answer of a server, to a report that waits when the program starts."""

    def wait_for_state(self, pattern, answer, reports=1):
        web = self.serve(answer)
        self.begin_again()
        self.world.secrets(SENTRY_DSN=self.address(web))
        self.come_back(["Buy milk"])
        for number in range(reports):
            name = uuid.uuid4().hex
            self.world.write(self.folder / f"{name}.ini", "\n".join([
                "[report]", f"madeAt={1700000000 + number}", "title=Words", f"likeness={number}", "state=waiting",
                "parts=1", "kind-0=feedback", f"id-0={name}", 'payload-0={"event_id":"%s"}' % name, ""]))
        app = self.start()
        app.wait_for("text", "Add a todo")
        web.wait_for(1)
        app.until(lambda: re.fullmatch(pattern, self.states()[0]), f"{pattern}, not {self.states()}", 30)
        return web, app

    def test_each_answer(self):
        with FakeWeb() as other:
            for name, pattern, answer in [
                ("200", r"sent \d+", reply(200, b"{}")), ("slowly", r"sent \d+", one_byte_a_second(b"{}...")),
                ("413", r"refused \d+ status 413", reply(413)), ("500", r"refused \d+ status 500", reply(500)),
                ("400", r"refused \d+ status 400", reply(400, b"{}")),
                ("another host", r"refused \d+ redirected 127.0.0.1.*", redirect(other.address("/"), 307)),
                ("no HTTP", r"refused \d+ malformed|waiting", lambda connection, request: connection.sendall(b"SSH\r\n\r\n")),
            ]:
                with self.subTest(name):
                    web, _ = self.wait_for_state(pattern, answer)
                    self.assertEqual(len(web.requests), 1, "it is sent once")
            self.assertEqual(other.connections, 0, "what points elsewhere is not followed")

    def test_what_is_no_answer_leaves_it_waiting(self):
        for name, answer in [("nothing", nothing), ("truncated", reply(200, b"{", says=100))]:
            with self.subTest(name):
                web, app = self.wait_for_state("waiting", answer)
                self.assertEqual(app.close(), 0)
                self.assertEqual(self.states(), ["waiting"])
                self.assertEqual(len(web.requests), 1, "the next try comes after a pause")

    def test_each_form_of_limit(self):
        def date(connection, request):
            moment = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 300))
            reply(429, b"", [("Retry-After", moment)])(connection, request)

        for name, headers, category, least, most in [
            ("category", [("X-Sentry-Rate-Limits", "60:feedback:organization")], "category-feedback", 58, 62),
            ("fraction", [("X-Sentry-Rate-Limits", "90.5:feedback;error:project:reason")], "category-feedback", 88, 93),
            ("all", [("X-Sentry-Rate-Limits", "120::organization")], "all", 118, 122),
            ("the longer", [("X-Sentry-Rate-Limits", "60:feedback:o, 180:feedback:o")], "category-feedback", 178, 182),
            ("seconds", [("Retry-After", "240")], "all", 238, 242), ("date", date, "all", 290, 302),
            ("no word", [], "all", 58, 62),
        ]:
            with self.subTest(name):
                web, _ = self.wait_for_state(r"refused \d+ status 429", headers if callable(headers) else reply(429, b"", headers),
                                             reports=2)
                self.assertEqual(self.states()[1], "waiting", "the second waits for the limit's end")
                left = int(self.kept()["limits"][category]) / 1000 - time.time()
                self.assertTrue(least <= left <= most, f"{left} s")
                self.assertEqual(len(web.requests), 1)

    def test_many_are_sent_apart(self):
        web, app = self.wait_for_state(r"sent \d+", reply(200, b"{}"), reports=5)
        web.wait_for(5)
        app.until(lambda: {state.split()[0] for state in self.states()} == {"sent"}, "all of them to arrive")
        self.assertEqual(len(web.requests), 5)


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


class FramingTest(unittest.TestCase):
    """The reader of envelopes refuses each slip in their form."""

    GOOD = (b'{"event_id":"%s","sent_at":"2027-01-15T08:01:00Z"}\n{"type":"event","length":48}\n{"event_id":"%s"}\n'
            % (b"a" * 32, b"a" * 32)).replace(b"48", str(len(b'{"event_id":"%s"}' % (b"a" * 32))).encode())

    def test_slips(self):
        read_envelope(self.GOOD)
        length = re.search(rb'length":(\d+)', self.GOOD).group(1)
        for old, new in [(b"\n", b""), (length, b"%d" % (int(length) + 1)), (length, b"%d" % (int(length) - 1)),
                         (b'"sent_at":"2027-01-15T08:01:00Z"', b'"sent_at":""'), (b"a" * 32, b"A" * 32),
                         (b'"length":' + length, b'"length":"%s"' % length)]:
            with self.subTest(f"{old} → {new}"), self.assertRaises((AssertionError, ValueError, KeyError)):
                read_envelope(self.GOOD.replace(old, new, 1))
        with self.assertRaises(AssertionError):
            read_envelope(self.GOOD + b"{}\n")


if __name__ == "__main__":
    unittest.main()
