"""The manifest of updates: when it is fetched, each answer that a server may give, and what is kept of it."""

import configparser
import json
import pathlib
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Fakes"))

from fake_web import (FakeWeb, endless_headers, large, nothing, one_byte_a_second, packed, raw, redirect, reply, silence,
                      tagged)
from steps import WorldTest

FORCED, PROMPT, CHECK = "This version is too old", "A new version is available", "Check again"
STILL = "The server has answered: this version is still too old. Update it."
UNREACHED = "The server could not be reached. Check the network, then try again."
BROKEN_OFF = "The server’s answer broke off. Try again."
TOO_SLOW = "The server took too long to answer. Check the network, then try again."
NO_MANIFEST = "What the server answers cannot be understood. Try again later."
TOO_LARGE = "The server’s answer is too large to be right. Try again later."


def manifest(**members):
    return json.dumps(members).encode()


def refused(status):
    return f"The server does not say which version is needed (status {status}). Try again later."


class ManifestTest(WorldTest):
    def setUp(self):
        super().setUp()
        self.web = FakeWeb()
        self.addCleanup(self.web.close)
        self.come_back(["Buy milk"])

    def serve(self, answer, **secrets):
        self.web.answers["/app.json"] = answer
        self.world.secrets(UPDATE_MANIFEST_URL=self.web.address("/app.json"), **secrets)

    def start(self, screen=None):
        app = self.world.app()
        app.wait_for(*(("label", screen) if screen else ("text", "Add a todo")))
        return app

    def leave_and_return(self, app):
        with self.world.display.other_window():
            app.until(lambda: not app.is_active, "the app is left")
        app.activate()
        app.until(lambda: app.is_active, "the app is there again")

    @property
    def cache(self):
        return self.world.home / ".cache/app-gates/manifest.ini"

    def kept(self):
        parser = configparser.ConfigParser(interpolation=None)
        parser.optionxform = str
        parser.read(self.cache)
        return dict(parser["manifest"]) if parser.has_section("manifest") else {}

    def wait_kept(self, app, version):
        app.until(lambda: self.kept().get("version") == version, f"version {version} to be kept")


class FetchTest(ManifestTest):
    def test_fetched_kept_and_offered_when_the_user_comes_back(self):
        self.serve(tagged(manifest(version="99.1", url="https://example.org/get", notes="Faster.\n<b>Safer.</b>"), '"1"'))
        app = self.start()
        self.wait_kept(app, "99.1")
        self.assertEqual(self.cache.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.cache.parent.stat().st_mode & 0o777, 0o700)
        self.assertFalse(app.has("label", PROMPT), "nobody is interrupted")
        self.leave_and_return(app)
        app.wait_for("label", PROMPT)
        self.assertTrue(app.has("label", "https://example.org/get"))
        self.assertTrue(app.has("label", "Faster.\n<b>Safer.</b>"))
        self.assertEqual(self.decisions()["UpdateGate"], "prompt")
        self.assertEqual(app.close(), 0)
        # Without a server what was kept counts, and is not asked for again on this day.
        self.web.close()
        app = self.start(PROMPT)
        app.click("button", "Skip this version")
        app.wait_for("list item", "Buy milk")
        self.assertEqual(app.close(), 0)
        self.assertEqual(len(self.web.requests), 1)
        self.assertNotIn("if-none-match", self.web.requests[0].headers)

    def test_asked_again_after_a_day_by_its_tag(self):
        self.serve(tagged(manifest(version="0.1"), '"1"'))
        app = self.start()
        self.wait_kept(app, "0.1")
        self.assertEqual(app.close(), 0)
        text = self.cache.read_text()
        asked = self.kept()["askedAt"]
        self.world.write(self.cache, text.replace(asked, str(int(asked) - 86401)))
        app = self.start()
        app.until(lambda: int(self.kept()["askedAt"]) >= int(asked), "the day to be noted")
        self.assertEqual(len(self.web.requests), 2)
        self.assertEqual(self.web.requests[1].headers["if-none-match"], '"1"')
        self.assertEqual(self.kept()["version"], "0.1")

    def test_without_consent_nothing_is_asked_and_nothing_that_was_kept_forces(self):
        self.serve(reply(200, manifest(version="99.1", minimum="99.0")))
        app = self.start()
        self.wait_kept(app, "99.1")
        self.assertEqual(app.close(), 0)
        self.assertEqual(self.decisions()["UpdateGate"], "forced")
        self.come_back(acceptedConsentVersion="")
        self.assertEqual(self.decisions()["UpdateGate"], "open")
        app = self.world.app()
        app.wait_for("label", "Before you begin")
        self.assertFalse(app.has("label", FORCED))
        self.leave_and_return(app)
        self.assertEqual(self.web.connections, 1)
        app.kill()
        # The screen that the packager's settings insist on: one click, one request, and nothing kept of it.
        before = self.cache.read_bytes()
        self.serve(reply(200, manifest(version="99.2", minimum="99.2")), MIN_APP_VERSION="98")
        app = self.start(FORCED)
        self.assertEqual(self.web.connections, 1)
        app.click("button", CHECK)
        app.wait_for("alert", STILL)
        self.assertEqual(self.web.connections, 2)
        self.assertEqual(self.cache.read_bytes(), before)
        self.assertIn("Version 98 or newer is needed", app.dump())

    def test_settings_that_change_count_when_the_user_comes_back(self):
        app = self.start()
        self.world.secrets(MIN_APP_VERSION="99.0")
        self.leave_and_return(app)
        app.wait_for("label", FORCED)
        self.assert_hidden(app, "Buy milk")
        self.world.secrets(MIN_APP_VERSION="0.1")
        app.click("button", CHECK)
        app.wait_for("list item", "Buy milk")


class AnswersTest(ManifestTest):
    """The screen that insists, with servers of every kind behind Check again."""

    worth = 20

    def check(self, app, answer, words, seconds=10):
        self.web.answers["/app.json"] = answer
        before = len(self.web.requests)
        app.click("button", CHECK)
        self.web.wait_for(before + 1)
        # It answers while it waits: this look goes through the window's own loop.
        began = time.monotonic()
        self.assertTrue(app.has("label", FORCED))
        self.assertLess(time.monotonic() - began, 2)
        app.wait_for("alert", words, seconds=seconds)
        self.assertTrue(app.has("label", FORCED))
        self.assertEqual(len(self.web.requests), before + 1, "one click, one request")

    def test_each_answer(self):
        self.serve(reply(200, manifest(version="99.1", minimum="99.0")), APP_STORE_URL="https://example.org/get")
        app = self.start()
        self.wait_kept(app, "99.1")
        self.leave_and_return(app)
        app.wait_for("label", FORCED)
        kept = self.kept()
        for answer, words in (
            (reply(200, b"<html>Sign in to this network</html>"), NO_MANIFEST),
            (reply(200, b"[" * 60000), NO_MANIFEST),
            (reply(200, b'{"version": "Varies with device"}'), NO_MANIFEST),
            (reply(200, b""), NO_MANIFEST),
            (packed(manifest(version="0.1")), NO_MANIFEST),
            (raw(b"garbage\r\n\r\n"), None),
            (reply(304), NO_MANIFEST),
            (reply(403, b"no"), refused(403)),
            (reply(404), refused(404)),
            (reply(429), "The server is busy. Try again in a few minutes."),
            (reply(429, headers=[("Retry-After", "60")]), "The server is busy. Try again in 1 minute."),
            (reply(429, headers=[("Retry-After", "601")]), "The server is busy. Try again in 11 minutes."),
            (reply(503, headers=[("Retry-After", "Wed, 01 Jan 2070 00:00:00 GMT")]),
             "The server is busy. Try again in 1440 minutes."),
            (reply(500), refused(500)),
            (nothing, None),
            (reply(200, manifest(version="0.1"), says=1000), BROKEN_OFF),
            (large(50 << 20), TOO_LARGE),
            (endless_headers, None),
            (redirect("https://elsewhere.example/"),
             "The server points to elsewhere.example, which is not followed. Tell whoever set the app up."),
        ):
            with self.subTest(words):
                if words:
                    self.check(app, answer, words)
                else:
                    # Libraries differ in what they call it; the user is told to try again.
                    self.web.answers["/app.json"] = answer
                    before = len(self.web.requests)
                    app.click("button", CHECK)
                    self.web.wait_for(before + 1)
                    app.until(lambda: any("ry again" in node.name for node in app.find_all("alert")), "a sentence")
                    self.assertTrue(app.has("label", FORCED))
        self.assertEqual(self.kept(), kept)
        # The right one, at last.
        self.web.answers["/app.json"] = reply(200, manifest(version="0.1", minimum="0.1"))
        app.click("button", CHECK)
        app.wait_for("list item", "Buy milk")
        self.assertEqual(self.kept()["minimum"], "0.1")

    def test_slow_ones_are_given_up_and_the_window_goes_on(self):
        self.serve(silence, MIN_APP_VERSION="99", APP_STORE_URL="https://example.org/get")
        opened = self.world.program("xdg-open", 'for word; do echo "$# $word" >>"$LOG"; done')
        app = self.start(FORCED)
        for answer in (silence, one_byte_a_second(manifest(version="99.1", minimum="99.0", notes="x" * 100))):
            self.web.answers["/app.json"] = answer
            opened.write_text("")
            before = len(self.web.requests)
            app.click("button", CHECK)
            app.wait_for("alert", "Asking the server…")
            self.web.wait_for(before + 1)
            app.click("button", CHECK)
            app.click("button", "Update")
            app.until(lambda: opened.read_text(), "xdg-open while the server is asked")
            app.wait_for("alert", TOO_SLOW, seconds=20)
            self.assertEqual(len(self.web.requests), before + 1)
            app.until(lambda: "app-gates-web" not in str(app.children()), "its process to end")

    def test_no_server(self):
        self.serve(nothing, MIN_APP_VERSION="99")
        self.web.close()
        app = self.start(FORCED)
        app.click("button", CHECK)
        app.wait_for("alert", UNREACHED)

    def test_leaving_while_it_asks(self):
        self.serve(silence, MIN_APP_VERSION="99")
        app = self.start(FORCED)
        before = len(self.web.requests)
        app.click("button", CHECK)
        self.web.wait_for(before + 1)
        app.click("button", "Quit")
        self.assertEqual(app.wait(), 0)


if __name__ == "__main__":
    import unittest
    unittest.main()
