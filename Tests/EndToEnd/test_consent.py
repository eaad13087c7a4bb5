"""Consent: declining, reading, and that nothing is counted or sent before it is given."""

import json
import re
import shutil
import unittest

from steps import CONSENT, ROOT, WorldTest

ASK = "Before you begin"
DOCUMENTS = {"Terms of Use": "terms", "Privacy Policy": "privacy", "End User Licence": "eula"}
SERVICE = "http://127.0.0.1:9/capture"


class ConsentTest(WorldTest):
    def start(self, **preferences):
        self.world.preferences(onboardingCompleted=True, **preferences)
        app = self.world.app()
        app.wait_for("label", ASK)
        return app

    def open(self, app, title):
        app.wait_for("list item", title)
        app.click("list item", title)
        app.look_until(lambda: (back := app.find("button", "Back")) and back.is_on_screen, "the text", 10)

    def test_declining_explains_and_changes_nothing(self):
        app = self.start()
        app.click("button", "Decline")
        node = app.wait_for("label", "Without your consent the app cannot start")
        app.look_until(lambda: app.find("label", node.name).is_on_screen, "the explanation", 5)
        self.assertNotIn("acceptedConsentVersion", self.preferences)
        app.click("button", "Read again")
        app.look_until(lambda: app.find("label", ASK).is_on_screen, "the texts again", 5)
        app.click("button", "Decline")
        app.click("button", "Quit")
        self.assertEqual(app.wait(), 0)
        app = self.world.app()
        app.wait_for("label", ASK)
        app.click("button", "Agree")
        app.wait_for("button", "Continue on this computer")
        self.assertEqual(self.preferences["acceptedConsentVersion"], CONSENT)

    def test_the_texts_can_be_read_and_are_online_where_that_is_set(self):
        opened = self.world.program("xdg-open", 'echo "$@" >>"$LOG"')
        self.world.secrets(PRIVACY_URL="https://example.org/privacy")
        app = self.start()
        for title, name in DOCUMENTS.items():
            with self.subTest(document=title):
                self.open(app, title)
                words = self.words(app)
                source = (ROOT / f"data/legal/{name}.md").read_text()
                for block in re.split(r"\n\s*\n", source):
                    # A sentence of each paragraph, without what is markup.
                    plain = re.sub(r"\s+", " ", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", block)).strip("#- ").strip()
                    self.assertIn(plain[:40], words)
                self.assertEqual(app.has("button", "View online"), name == "privacy")
                if name == "privacy":
                    app.click("button", "View online")
                    app.until(opened.read_text, "xdg-open")
                    self.assertEqual(opened.read_text(), "https://example.org/privacy\n")
                app.key("Escape")
                app.look_until(lambda: app.find("label", ASK).is_on_screen, "the question again", 5)
        self.assertNotIn("acceptedConsentVersion", self.preferences)

    def words(self, app):
        return re.sub(r"\s+", " ", " ".join(node.name for node in app.find_all("label")))

    def test_another_version_is_asked_about_again(self):
        for version in ("2020-01-01", "2999-01-01", "yes"):
            with self.subTest(accepted=version):
                self.start(acceptedConsentVersion=version).kill()

    def test_consent_that_is_taken_back_in_the_file_closes_the_gate(self):
        app = self.shell(["Buy milk"])
        path = self.world.config / "app-gates/preferences.ini"
        self.world.write(path, path.read_text().replace(CONSENT, ""))
        app.wait_for("label", ASK)
        self.assert_hidden(app, "Buy milk")


class AnalyticsTest(WorldTest):
    # Without animations, so that a page takes a click as soon as it is there.
    options = {**WorldTest.options, "animations": False}

    def through_the_slides(self, **options):
        self.world.secrets(ANALYTICS_URL=SERVICE, ANALYTICS_KEY="key")
        app = self.world.app(**options)
        app.wait_for("button", "Next", states=("focused",))
        app.click("button", "Skip")
        app.wait_for("label", ASK)
        return app

    def files(self):
        return sorted(path.relative_to(self.world.state).as_posix() for path in self.world.state.rglob("*")
                      if path.is_file())

    def test_counted_once_and_only_after_acceptance(self):
        app = self.through_the_slides()
        self.assertEqual(self.files(), [])
        app.click("button", "Agree")
        app.wait_for("button", "Continue on this computer")
        self.assertEqual(self.files(), ["app-gates/analytics/events.jsonl", "app-gates/analytics/id"])
        (event,) = self.events()
        self.assertEqual(event["event"], "onboarding completed")
        self.assertRegex(event["timestamp"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")
        self.assertNotIn(self.world.user.name if self.world.user else "\n", json.dumps(event))
        app.kill()
        app = self.world.app()
        app.wait_for("button", "Continue on this computer")
        self.assertEqual(len(self.events()), 1)

    def events(self):
        path = self.world.state / "app-gates/analytics/events.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()]

    def test_declined_leaves_nothing_behind(self):
        app = self.through_the_slides()
        app.click("button", "Decline")
        app.click("button", "Quit")
        self.assertEqual(app.wait(), 0)
        self.assertEqual(self.files(), [])

    def test_nothing_without_an_address(self):
        app = self.world.app()
        app.wait_for("button", "Next", states=("focused",))
        app.click("button", "Skip")
        app.click("button", "Agree")
        app.wait_for("button", "Continue on this computer")
        self.assertEqual(self.files(), [])

    @unittest.skipIf(shutil.which("strace") is None, "needs the package strace")
    def test_no_network_before_acceptance(self):
        trace = self.world.write("trace", "")
        # -D: the tracer is the program's grandchild, which keeps its process id.
        self.world.secrets(ANALYTICS_URL=SERVICE, ANALYTICS_KEY="key", APP_STORE_URL="https://example.org/",
                           LATEST_APP_VERSION="99.0", TERMS_URL="https://example.org/terms")
        app = self.world.app("-D", "-f", "-qq", "-o", trace, "-e", "trace=socket,connect",
                             self.world.binaries / "app-gates", program="strace")
        app.click("button", "Later", seconds=20)
        app.click("button", "Skip")
        app.wait_for("label", ASK)
        app.click("list item", "Terms of Use")
        app.look_until(lambda: (back := app.find("button", "Back")) and back.is_on_screen, "the text", 10)
        app.key("Escape")
        app.click("button", "Agree")
        app.wait_for("button", "Continue on this computer")
        app.close()
        calls = trace.read_text()
        self.assertIn("AF_UNIX", calls)
        self.assertEqual(re.findall(r".*AF_INET.*", calls), [])
