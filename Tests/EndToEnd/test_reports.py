"""Reports that the user sends: what goes, and what comes of it with each answer of a server."""

import re
import sys
import time
import unittest
import uuid

from damage import SharedWorldTest
from relay import read_envelope
from reports import WORDS, Reports
from steps import ROOT, WorldTest

sys.path.append(str(ROOT / "Tests/Fakes"))
from fake_web import FakeWeb, nothing, one_byte_a_second, redirect, reply  # noqa: E402


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
