"""What is counted: nothing before consent and the switch, in order and once after it, and nothing lost to a bad server."""

import json
import pathlib
import re
import shutil
import socket
import sys
import time
import unittest
import uuid

from damage import read_only
from Rig import PrivateNetwork, why_no_network
from steps import CONSENT, ROOT, WorldTest, until

sys.path.append(str(ROOT / "Tests/Fakes"))
from fake_web import (FakeWeb, large, nothing, one_byte_a_second, packed, raw, redirect, reply, silence)  # noqa: E402

ASK = "Before you begin"
SWITCH = ("check box", "Count a few events")
RECEIPT = reply(200, b'{"status": 1}', [("Content-Type", "application/json")])
ON = {"analyticsEnabled": True}
# A bit more than the program's own two seconds, on a busy machine.
LAST_PATIENCE = 5.0


class AnalyticsTest(WorldTest):
    # Without animations, so that a page takes a click as soon as it is there.
    options = {**WorldTest.options, "animations": False}

    def setUp(self):
        super().setUp()
        self.web = FakeWeb()
        self.addCleanup(self.web.close)
        self.web.answers["/batch/"] = RECEIPT
        self.configure()

    def configure(self, **more):
        self.world.secrets(ANALYTICS_URL=self.web.address(), ANALYTICS_KEY="phc_key", **more)

    def through_the_slides(self, **options):
        app = self.world.app(**options)
        app.wait_for("button", "Next", states=("focused",), seconds=20)
        app.click("button", "Skip")
        app.wait_for("label", ASK)
        return app

    def files(self):
        """What was written, but for the marker that every run keeps until its end."""
        return sorted(path.relative_to(self.world.state).as_posix() for path in self.world.state.rglob("*")
                      if path.is_file() and path.name != "run")

    @property
    def folder(self):
        return self.world.state / "app-gates/analytics"

    def waiting(self):
        path = self.folder / "events.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def received(self):
        """All events of all requests, in the order in which they came."""
        return [event for request in self.web.requests for event in json.loads(request.body)["batch"]]

    def arrived(self):
        """The names of the events, each once, as the server that tells them apart by their uuid has them."""
        return list({event["uuid"]: event["event"] for event in self.received()}.values())

    def privacy(self, app):
        app.key("alt+2")
        app.wait_for("list item", "Privacy")
        app.resize(760, 1250)
        app.click("list item", "Privacy")
        app.wait_for("heading", "The last events")


class ConsentFirstTest(AnalyticsTest):
    def test_off_unless_it_is_turned_on(self):
        app = self.through_the_slides()
        self.assertNotIn("checked", app.wait_for(*SWITCH).states)
        app.click("button", "Agree")
        app.wait_for("button", "Continue on this computer")
        self.assertEqual(self.preferences["analyticsEnabled"], "false")
        self.assertEqual(app.close(), 0)
        self.assertEqual(self.files(), [])
        self.assertEqual(self.web.connections, 0)

    def test_turned_on_it_is_sent_with_the_agreement(self):
        app = self.through_the_slides()
        app.click(*SWITCH)
        app.wait_for(*SWITCH, states=("checked",))
        self.assertNotIn("analyticsEnabled", self.preferences)
        self.assertEqual(self.files(), [])
        app.click("button", "Agree")
        app.wait_for("button", "Continue on this computer")
        self.assertEqual(self.preferences["analyticsEnabled"], "true")
        self.assertEqual(app.close(), 0)
        (request,) = self.web.requests
        self.assertEqual((request.method, request.path), ("POST", "/batch/"))
        self.assertEqual(request.headers["content-type"], "application/json")
        self.assertNotIn("cookie", request.headers)
        body = json.loads(request.body)
        self.assertEqual(set(body), {"api_key", "batch"})
        self.assertEqual(body["api_key"], "phc_key")
        self.assertEqual([event["event"] for event in body["batch"]], ["app opened", "onboarding completed"])
        for event in body["batch"]:
            self.assertEqual(uuid.UUID(event["uuid"]).version, 4)
            self.assertRegex(event["timestamp"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            self.assertEqual(set(event["properties"]), {"$lib", "app_version", "$ip", "$geoip_disable"})
            self.assertIsNone(event["properties"]["$ip"])
            self.assertIs(event["properties"]["$geoip_disable"], True)
        # Nothing that comes from the user or the machine.
        said = json.dumps(request.headers) + request.body.decode()
        machine = pathlib.Path("/etc/machine-id")
        for secret in (self.world.user.name if self.world.user else "\n", str(self.world.home),
                       machine.read_text().strip() if machine.exists() else "\n"):
            self.assertNotIn(secret or "\n", said)
        self.assertEqual(self.files(), ["app-gates/analytics/id", "app-gates/analytics/sent.jsonl"])
        for name in ("id", "sent.jsonl"):
            self.assertEqual((self.folder / name).stat().st_mode & 0o777, 0o600)

    def test_the_packagers_default_only_sets_the_switch(self):
        self.configure(ANALYTICS_DEFAULT=True)
        app = self.through_the_slides()
        self.assertIn("checked", app.wait_for(*SWITCH).states)
        app.kill()
        self.assertEqual(self.web.connections, 0)
        # Who had agreed before the packager set an address was never asked, and is not counted.
        self.world.preferences(onboardingCompleted=True, acceptedConsentVersion=CONSENT)
        app = self.world.app()
        app.wait_for("button", "Continue on this computer")
        self.assertEqual(app.close(), 0)
        self.assertEqual((self.files(), self.web.connections), ([], 0))

    def test_declined_leaves_nothing_behind(self):
        self.configure(ANALYTICS_DEFAULT=True)
        app = self.through_the_slides()
        app.click("button", "Decline")
        app.click("button", "Read again")
        app.click("button", "Agree")
        app.wait_for("button", "Continue on this computer")
        self.assertEqual(app.close(), 0)
        # What had waited when it was declined is gone for good.
        self.assertEqual((self.received(), self.waiting()), ([], []))

    def test_nothing_without_an_address(self):
        self.world.secrets(ANALYTICS_KEY="key", ANALYTICS_DEFAULT=True)
        app = self.through_the_slides()
        self.assertFalse(app.has(*SWITCH))
        app.click("button", "Agree")
        app.wait_for("button", "Continue on this computer")
        app.kill()
        self.assertEqual(self.files(), [])
        app = self.shell(**ON)
        self.open_me(app)
        self.assertFalse(app.has("list item", "Privacy"))
        self.assertFalse(app.has(name=re.compile("[Cc]ount(ed|ing)? a few")))


@unittest.skipIf(shutil.which("strace") is None, "needs the package strace")
@unittest.skipIf(why_no_network(), f"{why_no_network()}")
class TraceTest(AnalyticsTest):
    def setUp(self):
        super().setUp()
        self.network = PrivateNetwork()
        self.addCleanup(self.network.__exit__)
        self.web = self.network.run(FakeWeb)
        self.web.answers["/batch/"] = RECEIPT

    def test_no_socket_before_the_agreement_and_each_event_once_after_it(self):
        self.configure(ANALYTICS_DEFAULT=True, APP_STORE_URL="https://example.org/", LATEST_APP_VERSION="99.0",
                       TERMS_URL="https://example.org/terms", UPDATE_MANIFEST_URL=self.web.address("/manifest.json"))
        trace = self.world.write("trace", "")
        # -D: the tracer is the program's grandchild, which keeps its process id.
        app = self.network.run(lambda: self.world.app(
            "-D", "-f", "-qq", "-o", trace, "-e", "trace=network,execve", self.world.binaries / "app-gates",
            program="strace"))
        app.click("button", "Later", seconds=30)
        app.click("button", "Skip")
        app.wait_for("label", ASK)
        app.click("list item", "Terms of Use")
        app.look_until(lambda: (back := app.find("button", "Back")) and back.is_on_screen, "the text", 10)
        app.key("Escape")
        app.look_until(lambda: app.find("label", ASK).is_on_screen, "the question again", 10)
        # Longer than events gather: none of them went.
        time.sleep(12)
        before = trace.read_text()
        self.assertIn("AF_UNIX", before)
        self.assertEqual(re.findall(r".*AF_INET.*", before), [])
        self.assertEqual(self.web.connections, 0)

        app.click("button", "Agree")
        app.wait_for("button", "Continue on this computer")
        until(lambda: "/batch/" in [request.path for request in self.web.requests], "the events at the server", 30)
        self.assertEqual(app.close(), 0)
        self.assertIn("AF_INET", trace.read_text()[len(before):])
        self.web.requests[:] = [request for request in self.web.requests if request.path == "/batch/"]
        self.assertEqual([event["event"] for event in self.received()], ["app opened", "onboarding completed"])


# What a server may do to the first request, and whether the events stay.
ANSWERS = {
    "200 with garbage": (reply(200, b"<html>Sign in to the hotel's network</html>"), True),
    "200 with other garbage": (reply(200, bytes(range(256))), True),
    "304": (reply(304), True),
    "400": (reply(400, b"{}"), False),
    "404": (reply(404, b"not here"), False),
    "429": (reply(429, b"{}"), True),
    "429 with Retry-After": (reply(429, b"{}", [("Retry-After", "3600")]), True),
    "500": (reply(500, b"{}"), True),
    "nothing at all": (nothing, True),
    "silence": (silence, True),
    "no HTTP": (raw(b"hello\r\n\r\n"), True),
    "a truncated body": (reply(200, b'{"status"', says=500), True),
    "50 MB": (large(50 << 20), True),
    "a bomb": (packed(bytes(50 << 20)), True),
    "a redirect to another host": (redirect("http://127.0.0.2:9/batch/"), True),
    "one byte a second": (one_byte_a_second(b'{"status": 1}'), True),
}


class AnswersTest(AnalyticsTest):
    def leave(self, app):
        """Closes the window; how long the window took to go, and the program to end."""
        app.activate()
        begun = time.monotonic()
        app.key("alt+F4")
        app.until(lambda: not app.child.is_running or not app.windows(), "the window to go")
        window = time.monotonic() - begun
        self.assertEqual(app.wait(10), 0)
        return window, time.monotonic() - begun

    def starts_until(self, condition):
        """Starts the app and closes it until the condition holds; how often that was, and what the last run wrote.

        Once, as a rule: on a machine that is busy two seconds may not do for a request.
        """
        for starts in range(1, 6):
            app = self.shell(**ON)
            window, end = self.leave(app)
            self.assertLess(window, 1.5, "the window waits for nothing")
            self.assertLess(end, LAST_PATIENCE)
            if condition():
                return starts, app.log
        self.fail("five starts were not enough")

    def test_whatever_the_server_does(self):
        for name, (answer, stays) in ANSWERS.items():
            with self.subTest(answer=name):
                shutil.rmtree(self.folder, ignore_errors=True)
                self.web.requests.clear()
                self.web.answers["/batch/"] = answer
                starts, log = self.starts_until(lambda: self.web.requests)
                self.assertEqual(len(self.waiting()), starts if stays else 0)
                if not stays:
                    self.assertRegex(log, r"counted events were thrown away: the server refuses them \(4\d\d\)")
                # The server is well again.
                self.web.answers["/batch/"] = RECEIPT
                more, log = self.starts_until(lambda: not self.waiting())
                self.assertEqual(self.arrived(), ["app opened"] * (starts + more), f"{log}{self.received()}")

    def test_no_server_at_all(self):
        # Nobody listens there, and nobody else can.
        with socket.socket() as port:
            port.bind(("127.0.0.1", 0))
            self.world.secrets(ANALYTICS_URL=f"http://127.0.0.1:{port.getsockname()[1]}")
            window, end = self.leave(self.shell(**ON))
        self.assertLess(window, 1.5)
        self.assertLess(end, LAST_PATIENCE)
        self.assertEqual([event["event"] for event in self.waiting()], ["app opened"])

    def test_the_app_goes_on_while_the_server_says_nothing(self):
        self.web.answers["/batch/"] = silence
        app = self.shell(**ON)
        self.web.wait_for(1)
        begun = time.monotonic()
        app.type("Buy milk")
        app.key("Return")
        app.wait_for("list item", "Buy milk")
        self.assertLess(time.monotonic() - begun, 2.0)
        _, end = self.leave(app)
        self.assertLess(end, LAST_PATIENCE)
        self.assertEqual([event["event"] for event in self.waiting()], ["app opened", "todo added"])

    def test_a_server_that_asks_for_patience_is_left_alone(self):
        self.web.answers["/batch/"] = reply(429, b"{}", [("Retry-After", "60")])
        app = self.shell(**ON)
        self.web.wait_for(1)
        app.until(lambda: "asks for patience" in app.log, "the answer")
        app.type("Buy milk")
        app.key("Return")
        app.wait_for("list item", "Buy milk")
        _, end = self.leave(app)
        self.assertLess(end, 2.0)
        self.assertEqual(len(self.web.requests), 1)
        self.assertEqual(len(self.waiting()), 2)

    def test_a_start_in_safe_mode_waits_for_nothing(self):
        self.come_back(["Buy milk"], **ON)
        # The list is there, and cannot be written to.
        read_only(self.world.data / "app-gates/todos.sqlite3")
        self.web.answers["/batch/"] = silence
        app = self.world.app()
        for number in range(4):
            app.click("text", "Add a todo")
            app.type("More")
            app.key("Return")
            app.wait_for("label", "Something went wrong")
            if number < 3:
                app.click("button", "Try again")
                app.wait_gone("label", "Something went wrong")
        self.web.wait_for(1)
        marker = self.world.state / "app-gates/run"
        # Its name has the moment in it at which the run began.
        (before,) = (line for line in marker.read_text().split("\n") if line.startswith("record="))
        begun = time.monotonic()
        app.click("button", "Start in Safe Mode")

        def is_new():
            try:
                return before not in marker.read_text().split("\n")
            except FileNotFoundError:
                return False

        until(is_new, "the new run")
        # Two seconds are what a quit gives the server.
        self.assertLess(time.monotonic() - begun, 1.9)
        app.wait_for("label", "Safe Mode")
        self.assertEqual(self.waiting()[0]["event"], "app opened")

    def test_a_second_start_while_the_last_events_go(self):
        self.web.answers["/batch/"] = silence
        app = self.shell(**ON)
        app.activate()
        app.key("alt+F4")
        self.web.wait_for(1)
        # The program is on its way out, and is asked for again.
        second = self.world.app(wait=False)
        runs = (app, second)
        until(lambda: any(run.child.is_running and run.windows() for run in runs), "a window", 20)
        (shown,) = [run for run in runs if run.child.is_running and run.windows()]
        shown.wait_for("text", "Add a todo")
        # It stays, and what had been on its way is sent by it.
        self.web.answers["/batch/"] = RECEIPT
        until(lambda: not self.waiting(), "the events at the server", 20)
        self.assertTrue(shown.child.is_running)
        self.assertEqual(self.arrived().count("app opened"), 2)


class PrivacyTest(AnalyticsTest):
    def test_the_last_events_exactly_as_sent_and_the_switch(self):
        app = self.shell(["One"], **ON)
        self.web.wait_for(1)
        self.privacy(app)
        text = app.look_until(lambda: next((node.name for node in app.find_all("label") if "distinct_id" in node.name),
                                           None), "the events", 10)
        for line in text.split("\n\n"):
            self.assertIn(line, self.web.requests[0].body.decode())
        app.click(*SWITCH)
        app.until(lambda: self.preferences["analyticsEnabled"] == "false", "the switch on disk")
        app.key("Escape")
        app.key("alt+1")
        app.type("Buy milk")
        app.key("Return")
        app.wait_for("list item", "Buy milk")
        self.assertEqual(app.close(), 0)
        self.assertEqual((len(self.web.requests), self.waiting()), (1, []))

    def delete(self, app):
        self.privacy(app)
        app.click("button", "Delete My Data…")
        app.wait_for("dialog", "Delete what was counted?")
        app.key("alt+d")

    def test_delete_my_data(self):
        app = self.shell(**ON)
        self.web.wait_for(1)
        identity = self.received()[0]["distinct_id"]
        app.until(lambda: not self.waiting(), "the receipt")
        self.delete(app)
        app.wait_for("alert", re.compile("^Everything is removed here. The server was asked"))
        event = self.received()[-1]
        self.assertEqual((event["event"], event["distinct_id"]), ("deletion requested", identity))
        self.assertEqual(self.files(), [])
        self.assertTrue(app.has("label", "There are none."))
        app.key("Escape")
        app.key("alt+1")
        app.type("Buy milk")
        app.key("Return")
        app.wait_for("list item", "Buy milk")
        self.assertEqual(app.close(), 0)
        self.assertEqual(self.received()[-1]["event"], "todo added")
        self.assertNotEqual(self.received()[-1]["distinct_id"], identity)

    def test_delete_my_data_without_the_server(self):
        app = self.shell(**ON)
        self.web.wait_for(1)
        app.until(lambda: not self.waiting(), "the receipt")
        self.web.answers["/batch/"] = nothing
        self.delete(app)
        app.wait_for("alert", re.compile("^Everything is removed here. The server could not be asked"))
        self.assertEqual(self.files(), [])
