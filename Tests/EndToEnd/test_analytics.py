"""What is counted: nothing before consent and the switch, in order and once after it, and what the user sees of it."""

import json
import pathlib
import re
import shutil
import time
import unittest
import uuid

from analytics import ASK, AnalyticsTest, FakeWeb, ON, RECEIPT, SWITCH, nothing
from Rig import PrivateNetwork, why_no_network
from steps import CONSENT, at_least, until


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
        self.assertFalse(app.has("list item", "Counted Events"))
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
        at_least(12, time.monotonic())
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
