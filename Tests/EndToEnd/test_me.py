"""The page Me, apart from the lock and the session: permissions, legal texts, feedback, About."""

import os
import re
import shutil

from Rig.desk import PYTHON
from Rig.world import ROOT
from steps import WorldTest

DOCUMENTS = {"Terms of Use": "terms.md", "Privacy Policy": "privacy.md", "End User Licence": "eula.md"}


class MeTest(WorldTest):
    # High enough for the whole page: rows that are scrolled away cannot be clicked.
    options = {"size": (1280, 1800)}

    def on_me(self, **preferences):
        app = self.shell(**preferences)
        app.resize(800, 1720)
        app.key("alt+2")
        app.look_until(lambda: app.find("list item", "About App Gates").is_on_screen, "the page", 5)
        app.wait_gone("label", "Looking…")
        return app


class PermissionsTest(MeTest):
    @property
    def entry(self):
        return self.world.config / "autostart/io.github.appgates.AppGates.desktop"

    def test_start_at_login_writes_and_removes_the_entry(self):
        app = self.on_me()
        self.assertFalse(self.entry.exists())
        app.click("check box", "Start at Login")
        app.wait_for("label", "The app starts when you log in.")
        lines = self.entry.read_text().splitlines()
        self.assertEqual(lines[0], "[Desktop Entry]")
        self.assertIn("Type=Application", lines)
        # Not installed, so by the path that it runs from.
        self.assertRegex("\n".join(lines), r"(?m)^Exec=/.*/app-gates$")
        self.assertIn("checked", app.find("check box", "Start at Login").states)
        self.assertEqual(app.close(), 0)

        app = self.on_me()
        app.wait_for("check box", "Start at Login", states=("checked",))
        app.click("check box", "Start at Login")
        app.wait_for("label", "The app starts when you open it.")
        self.assertFalse(self.entry.exists())
        self.assertNotIn("checked", app.find("check box", "Start at Login").states)

    def test_an_entry_that_the_desktop_switched_off_is_off(self):
        self.world.write(self.entry, "[Desktop Entry]\nType=Application\nExec=app-gates\nHidden=true\n")
        app = self.on_me()
        app.wait_for("label", "The app starts when you open it.")
        self.assertNotIn("checked", app.find("check box", "Start at Login").states)

    def test_an_entry_that_cannot_be_written_says_so(self):
        self.world.write(self.entry.parent, "a file where the folder should be")
        app = self.on_me()
        app.click("check box", "Start at Login")
        app.wait_for("label", name_starts("This could not be changed: "))
        self.assertNotIn("checked", app.find("check box", "Start at Login").states)

    def test_nothing_opens_by_itself_and_settings_open_on_request(self):
        log = self.world.program("gnome-control-center", 'echo "$@" >>"$LOG"')
        app = self.on_me()
        app.wait_for("label", "No fingerprint service was found; install fprintd to use a reader.")
        self.assertTrue(app.has("list item", "Notifications"))
        self.assertEqual(log.read_text(), "")
        app.find_all("button", "Settings")[0].click()
        app.until(lambda: log.read_text() == "notifications\n", "the settings of notifications")
        app.find_all("button", "Settings")[1].click()
        app.until(lambda: log.read_text() == "notifications\nuser-accounts\n", "the settings of fingerprints")

    def test_no_settings_program_is_said(self):
        for other in ("gnome-control-center", "systemsettings", "xfce4-notifyd-config"):
            if shutil.which(other, path=self.world.env["PATH"]):
                self.skipTest(f"{other} is installed here")
        app = self.on_me()
        app.click("button", "Settings")
        app.wait_for("label", name_starts("No settings program was found."))

    def test_fingers_are_counted(self):
        self.world.system_bus()
        fake = self.world.folder / "fake_fprintd.py"
        shutil.copy(ROOT / "Tests/Fakes/fake_fprintd.py", fake)
        fake.chmod(0o644)
        self.world.start([PYTHON, fake, "enrolled"], "fprintd")
        self.world.system.wait_for("net.reactivated.Fprint")
        app = self.on_me()
        app.wait_for("label", "2 fingers are enrolled.")


class LegalTest(MeTest):
    def test_each_text_opens_and_closes_with_escape(self):
        app = self.on_me()
        for title, file in DOCUMENTS.items():
            heading = next(line[2:] for line in (ROOT / "data/legal" / file).read_text().splitlines()
                           if line.startswith("# "))
            app.click("list item", title)
            app.wait_for("label", heading)
            self.assertFalse(app.has("button", "View online"))
            app.key("Escape")
            app.wait_gone("button", "Back")
            self.assertTrue(app.find("list item", title).is_on_screen)
            self.assertEqual(app.title, "Me – App Gates")
        app.click("list item", "Terms of Use")
        app.click("button", "Back")
        app.wait_gone("button", "Back")
        app.wait_for("list item", "Terms of Use", states=("focused",))

    def test_view_online_is_there_where_an_address_is_set(self):
        self.world.secrets(PRIVACY_URL="https://example.org/privacy")
        log = self.world.program("xdg-open", 'echo "$@" >>"$LOG"')
        app = self.on_me()
        app.click("list item", "Privacy Policy")
        app.click("button", "View online")
        app.until(lambda: log.read_text() == "https://example.org/privacy\n", "the address to be opened")
        app.key("Escape")
        app.wait_gone("button", "Back")
        app.click("list item", "Terms of Use")
        app.wait_for("button", "Back")
        self.assertFalse(app.has("button", "View online"))


class FeedbackTest(MeTest):
    def open_form(self):
        app = self.on_me()
        app.click("list item", "Send Feedback")
        app.wait_for("label", "What is good, and what is not?")
        app.wait_for("text", "Your feedback", states=("focused",))
        return app

    def test_nothing_can_be_handed_on_while_it_is_empty(self):
        app = self.open_form()
        for name in ("Copy", "Save as a File…"):
            self.assertNotIn("sensitive", app.find("button", name).states)
        app.type("Good")
        app.wait_for("button", "Copy", states=("sensitive",))
        app.key("Escape")
        app.wait_gone("button", "Back")

    def test_copy_puts_all_of_it_on_the_clipboard(self):
        app = self.open_form()
        app.type("Fine & <b>fast</b>")
        app.click("button", "Copy")
        app.wait_for("alert", "Copied. Paste it wherever you want to send it from.")
        app.point_at(app.find("text", "Your feedback"))
        app.key("ctrl+a", "ctrl+v")

        def pasted():
            text = app.find("text", "Your feedback").text
            return text.startswith("Fine & <b>fast</b>\n\nApp Gates 0.") and text.endswith("MainShell\n")

        app.look_until(pasted, "what was copied", 5)

    def test_save_asks_for_a_place_and_writes_there(self):
        app = self.open_form()
        app.type("Fine & fast")
        app.click("button", "Save as a File…")
        app.look_until(lambda: app.find("text", states=("focused",)) and len(app.windows()) == 2, "the chooser", 10)
        app.key("Escape")
        app.look_until(lambda: len(app.windows()) == 1, "the chooser to go", 5)
        self.assertEqual(list(self.world.home.glob("*.txt")), [])

        app.click("button", "Save as a File…")
        app.look_until(lambda: len(app.windows()) == 2, "the chooser", 10)
        app.wait_for("text", states=("focused",))
        target = self.world.home / "feedback.txt"
        app.key("ctrl+a")
        app.type(str(target))
        app.key("Return")
        app.wait_for("alert", "Saved.")
        text = target.read_text()
        self.assertTrue(text.startswith("Fine & fast\n\nApp Gates 0."), text)
        # The form is still there, with what was typed.
        self.assertEqual(app.find("text", "Your feedback").text, "Fine & fast")

    def test_a_place_that_takes_no_file_is_said(self):
        if self.world.user is None:
            self.skipTest("needs a user of its own")
        folder = self.world.home / "closed"
        folder.mkdir()
        folder.chmod(0o555)  # root's, and not the user's
        app = self.open_form()
        app.type("Fine & fast")
        app.click("button", "Save as a File…")
        app.look_until(lambda: len(app.windows()) == 2, "the chooser", 10)
        app.wait_for("text", states=("focused",))
        app.key("ctrl+a")
        app.type(f"{folder}/feedback.txt")
        app.key("Return")
        app.look_until(lambda: not (folder / "feedback.txt").exists() and app.has(
            "alert", name_starts("It could not be saved: ")), "the reason", 10)
        self.assertEqual(app.find("text", "Your feedback").text, "Fine & fast")


class AboutTest(MeTest):
    def test_it_opens_and_closes(self):
        app = self.on_me()
        app.click("list item", "About App Gates")
        app.look_until(lambda: len(app.windows()) == 2, "the window", 5)
        app.wait_for("label", "The App Gates authors")
        self.assertFalse(app.has("label", "App Gates is locked"))
        app.key("Escape")
        app.look_until(lambda: len(app.windows()) == 1, "the window to go", 5)
        app.wait_gone("label", "The App Gates authors")
        app.key("alt+1")
        app.wait_for("text", "Add a todo")

    def test_the_debug_information_is_there_and_says_nothing_private(self):
        self.world.secrets(OIDC_ISSUER="https://issuer.example.org", OIDC_CLIENT_ID="app-gates-client",
                           SENTRY_DSN="https://0123456789abcdef@reports.example.org/1")
        app = self.on_me(sessionName="Ada Private")
        app.click("list item", "About App Gates")
        app.look_until(lambda: len(app.windows()) == 2, "the window", 5)
        self.assertTrue(app.has("list item", "Debugging Information"))
        text = app.look_until(self.debug_information(app), "the text", 5)
        for line in ("App Gates 0.", "System: ", "GTK 4.", "Language: ", "Session secret: file, present",
                     "- BiometricGate: open", "- AuthGate: open"):
            self.assertIn(line, text)
        name = self.world.user.name if self.world.user else os.environ.get("USER", "root")
        for private in (name, "Ada", "Private", str(self.world.home), "/home", "~", "example.org", "client", "://",
                        os.uname().nodename, "0123456789abcdef"):
            self.assertNotIn(private, text)

    @staticmethod
    def debug_information(app):
        def look():
            return next((node.text for node in app.find_all("text") if (node.text or "").startswith("App Gates ")), None)
        return look

    def test_the_inspector_stays_shut_there_and_in_the_main_window(self):
        app = self.on_me()
        for count in (1, 2):
            app.key("ctrl+shift+d", "ctrl+shift+i")
            # Another key is answered after them.
            app.key("alt+2")
            self.assertEqual(len(app.windows()), count)
            if count == 1:
                app.click("list item", "About App Gates")
                app.look_until(lambda: len(app.windows()) == 2, "the window", 5)
                app.wait_for("label", "The App Gates authors")


def name_starts(words):
    return re.compile("^" + re.escape(words))
