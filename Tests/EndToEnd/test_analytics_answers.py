"""Counted events and the server: nothing is lost to a bad one, and the app goes on."""

import shutil
import socket
import time

from analytics import (LAST_PATIENCE, ON, RECEIPT, AnalyticsTest, large, nothing, one_byte_a_second, packed, raw, redirect,
                       reply, silence)
from damage import read_only, until_it_is_given_up
from steps import until

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
        until_it_is_given_up(app)
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
