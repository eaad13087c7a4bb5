"""Consent: declining, reading, saving, and what is asked anew."""

import re

from steps import CONSENT, ROOT, WorldTest

ASK = "Before you begin"
DOCUMENTS = {"Terms of Use": "terms", "Privacy Policy": "privacy", "End User Licence": "eula"}


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
        return re.sub(r"\s+", " ", " ".join(node.name for node in app.tree() if node.role in ("label", "heading")))

    def test_another_version_is_asked_about_again(self):
        for version in ("2999-01-01", "yes"):
            with self.subTest(accepted=version):
                app = self.start(acceptedConsentVersion=version)
                self.assertFalse(app.has("label", re.compile("^New in the version")))
                app.kill()

    def test_an_earlier_version_is_told_what_is_new(self):
        self.world.preferences(onboardingCompleted=True, acceptedConsentVersion="2026-04-30")
        app = self.world.app()
        app.wait_for("label", "The texts have changed")
        app.wait_for("heading", f"New in the version of {CONSENT}")
        self.assertFalse(app.has("heading", "New in the version of 2026-04-30"))
        words = self.words(app)
        section = (ROOT / "data/legal/changes.md").read_text().split("## ")[1]
        for item in section.split("\n- ")[1:]:
            self.assertIn(re.sub(r"\s+", " ", item).strip()[:60], words)
        app.click("button", "Agree")
        app.wait_for("button", "Continue on this computer")
        self.assertEqual(self.preferences["acceptedConsentVersion"], CONSENT)

    def test_headings_and_lists_are_known_to_screen_readers(self):
        app = self.start()
        self.open(app, "Privacy Policy")
        source = (ROOT / "data/legal/privacy.md").read_text()
        headings = [node.name for node in app.find_all("heading")]
        self.assertEqual(headings, re.findall(r"^#+ (.*)", source, re.M))
        items = [node for node in app.find_all("list item") if node.is_on_screen]
        self.assertTrue(items)
        # A list is named by the heading above it.
        self.assertIn("What stays on your computer", [node.name for node in app.find_all("list")])

    def test_a_text_is_saved_and_replaces_no_file_without_a_question(self):
        app = self.start()
        self.open(app, "Terms of Use")
        target = self.world.home / "terms.md"
        self.world.write(target, "mine\n")
        self.save(app, target)
        # The dialog asks; Escape keeps what is there.
        app.look_until(lambda: len(app.windows()) == 3, "the question before a file is replaced", 10)
        app.key("Escape")
        app.look_until(lambda: len(app.windows()) == 2, "the dialog again", 10)
        self.assertEqual(target.read_text(), "mine\n")
        app.key("Escape")
        app.look_until(lambda: len(app.windows()) == 1, "the text again", 10)
        other = self.world.home / "new.md"
        self.save(app, other)
        app.wait_for("alert", "Saved.")
        self.assertEqual(other.read_text(), (ROOT / "data/legal/terms.md").read_text())
        if self.world.user:
            closed = self.world.home / "closed"
            closed.mkdir()
            closed.chmod(0o555)  # root's, and not the user's
            self.save(app, closed / "terms.md")
            app.wait_for("alert", re.compile("^It could not be saved: .* Choose another place"))

    def save(self, app, target):
        app.click("button", "Save as a File…")
        app.look_until(lambda: len(app.windows()) == 2, "the chooser", 10)
        app.wait_for("text", states=("focused",))
        app.key("ctrl+a")
        app.type(str(target))
        app.key("Return")

    def test_consent_that_is_taken_back_in_the_file_closes_the_gate(self):
        app = self.shell(["Buy milk"])
        path = self.world.config / "app-gates/preferences.ini"
        self.world.write(path, path.read_text().replace(CONSENT, ""))
        app.wait_for("label", ASK)
        self.assert_hidden(app, "Buy milk")
