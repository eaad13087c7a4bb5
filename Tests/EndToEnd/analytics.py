"""What the tests of counted events begin with: a server for them, and a packager's settings that name it."""

import json
import sys

from steps import ROOT, WorldTest, until

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
        app.wait_for("list item", "Counted Events")
        app.resize(760, 1720)
        app.click("list item", "Counted Events")
        app.wait_for("heading", "The last events")


__all__ = ["ASK", "AnalyticsTest", "FakeWeb", "LAST_PATIENCE", "ON", "RECEIPT", "SWITCH", "large", "nothing",
           "one_byte_a_second", "packed", "raw", "redirect", "reply", "silence"]
