"""Delete Everything, on the real program: what goes, what stays, and what happens where it breaks off."""

import os
import re
import signal

from Rig import until
from steps import WorldTest
from test_keyring import KeyringTest
from test_new_todo import NAME, PATH

OURS = {
    ".config/app-gates/preferences.ini.damaged-20260101T000000Z": "x",
    ".local/share/app-gates/todos.sqlite3.damaged-20260101T000000Z": "x",
    ".local/share/app-gates/todos-0123456789abcdef.sqlite3": "x",
    ".local/share/app-gates/todo-drafts-0123456789abcdef.ini": "x",
    ".local/state/app-gates/crashes/crash-20260101T000000Z-1.txt": "x",
    ".cache/app-gates/manifest.ini": "x",
    ".config/autostart/io.github.appgates.AppGates.desktop": "[Desktop Entry]\nType=Application\n",
}
OTHERS = {
    ".config/app-gates/app-gates.conf": "[app-gates]\n",
    ".local/share/app-gates/style.css": "x",
    ".local/share/other/todos.sqlite3": "x",
    ".config/autostart/other.desktop": "x",
    "todo.txt": "Buy milk\n",
}


class EraseTest(WorldTest):
    def used(self, **preferences):
        """The app of somebody with files of every kind, on the page Me."""
        self.come_back(["Buy milk"], **preferences)
        for path, text in {**OURS, **OTHERS}.items():
            self.world.write(self.world.home / path, text)
        app = self.world.app()
        app.wait_for("list item", "Buy milk")
        self.to_page(app)
        return app

    def to_page(self, app):
        self.open_me(app)
        app.click("list item", "Delete Everything…")
        app.wait_for("text", "Type “delete” to go on", states=("focused",))

    def erase(self, app):
        app.type("delete")
        app.wait_for("button", "Delete Everything", states=("sensitive",))
        app.key("Return")

    def files(self):
        """All files below the home that the app or this test has made, but for what the desktop keeps."""
        skip = (".cache/fontconfig", ".cache/openbox", ".cache/mesa", ".cache/gstreamer", ".config/dconf",
                ".config/gtk-4.0", ".config/pulse", ".local/share/keyrings", ".config/glib", ".cache/dconf", ".dbus",
                ".local/share/gvfs")
        found = [path.relative_to(self.world.home) for path in self.world.home.rglob("*")
                 if path.is_symlink() or path.is_file()]
        return sorted(str(path) for path in found if not str(path).startswith(skip))

    def assert_first_day(self, app):
        app.wait_for("button", "Skip", seconds=20)
        self.assert_hidden(app, "Buy milk")
        left = self.files()
        # What the new run has begun by itself.
        begun = [path for path in left if re.search("/(preferences.ini|run)$", path)]
        self.assertEqual(sorted(set(left) - set(begun)), sorted(OTHERS))
        for path, text in OTHERS.items():
            self.assertEqual((self.world.home / path).read_text(), text)
        for key in ("sessionStore", "onboardingCompleted", "acceptedConsentVersion"):
            self.assertIn(self.preferences.get(key, ""), ("", "false"))


class EraseFileTest(EraseTest):
    def test_everything_goes_and_it_starts_as_on_the_first_day(self):
        app = self.used()
        self.erase(app)
        self.assert_first_day(app)
        self.assertEqual(app.close(), 0)

    def test_nothing_happens_before_the_word(self):
        app = self.used()
        before = self.files()
        for words in ("", "delet", "deleted"):
            app.set_text("text", "Type “delete” to go on", words)
            self.assertNotIn("sensitive", app.find("button", "Delete Everything").states)
            app.key("Return")
        app.key("Escape")
        app.wait_for("list item", "Delete Everything…")
        self.assertEqual(self.files(), before)
        self.assertEqual(app.close(), 0)
        app = self.world.app()
        app.wait_for("list item", "Buy milk")

    def test_a_folder_that_is_a_link_is_refused_before_anything_goes(self):
        self.come_back(["Buy milk"])
        state = self.world.home / ".local/state/app-gates"
        state.parent.mkdir(parents=True, exist_ok=True)
        elsewhere = self.world.home / "elsewhere"
        elsewhere.mkdir()
        self.world.own(elsewhere)
        state.symlink_to(elsewhere)
        app = self.world.app()
        app.wait_for("list item", "Buy milk")
        self.to_page(app)
        self.erase(app)
        app.wait_for("alert", re.compile(r"^Nothing was deleted. This is in the way: ~/.local/state/app-gates \(it is a"))
        self.assertEqual(self.todos(), ["Buy milk"])
        self.assertEqual(self.preferences["sessionStore"], "file")

    def test_what_breaks_off_goes_on_at_the_next_start(self):
        self.come_back(["Buy milk"])
        for path, text in {**OURS, **OTHERS}.items():
            self.world.write(self.world.home / path, text)
        # As a run leaves it that was killed between the removal of the secret and the end.
        (self.world.data / "app-gates/session.key").unlink()
        self.world.write(self.world.home / ".local/state/app-gates/erase", "Everything is to be deleted.\n")
        many = self.world.home / ".local/state/app-gates/analytics/old"
        for number in range(3000):
            self.world.write(many / str(number), "x")
        app = self.world.app(wait=False)
        # And once more in the middle of it, as far as it gets.
        app.until(lambda: len(os.listdir(many)) < 3000 if many.exists() else True, "the first removals", 20)
        app.kill()
        app = self.world.app()
        self.assert_first_day(app)

    def test_what_cannot_be_deleted_is_named(self):
        if self.world.user is None:
            self.skipTest("needs a user of its own")
        app = self.used()
        held = self.world.home / ".local/state/app-gates/reports/held"
        held.mkdir(parents=True)
        (held / "x").write_text("x")  # root's, in a folder of root's
        self.erase(app)
        app.wait_for("alert", re.compile(r"^Not everything could be deleted.*~/.local/state/app-gates/reports/held/x"),
                     seconds=20)
        self.assertFalse((self.world.data / "app-gates/todos.sqlite3").exists())
        self.assertEqual((held / "x").read_text(), "x")

    def test_what_is_left_of_the_todos_is_behind_the_lock(self):
        if self.world.user is None:
            self.skipTest("needs a user of its own")
        self.come_back(["Buy milk"], lock=True)
        held = self.world.data / "app-gates/todos-held"
        held.mkdir()
        (held / "x").write_text("x")  # root's, in a folder of root's
        self.world.write(self.world.home / ".local/state/app-gates/erase", "Everything is to be deleted.\n")
        app = self.world.app()
        app.wait_for("alert", re.compile(r"^Not everything could be deleted.*~/.local/share/app-gates/todos-held/x"))
        self.assertFalse((self.world.data / "app-gates/todos.sqlite3").exists())
        self.assertFalse((self.world.home / ".local/state/app-gates/erase").exists())
        app.click("button", "Try again")
        app.wait_for("label", "App Gates is locked")

    def test_a_lock_over_it_keeps_it_and_the_password_is_wanted(self):
        if self.world.user is None:
            self.skipTest("needs a user of its own")
        self.come_back(["Buy milk"], lock=True)
        app = self.world.app()
        self.unlock(app)
        app.wait_for("list item", "Buy milk")
        self.to_page(app)
        app.type("delete")
        app.key("ctrl+l")
        app.wait_for("label", "App Gates is locked")
        self.assert_hidden(app, "Delete Everything")
        self.unlock(app)
        app.wait_for("button", "Delete Everything", states=("sensitive",))
        self.assertEqual(self.todos(), ["Buy milk"])
        # With the lock on it wants the password, so that nobody who only passes by deletes anything.
        app.click("button", "Delete Everything")
        app.wait_for("password text", states=("focused", "editable"))
        app.key("Escape")
        app.wait_gone("password text")
        self.assertEqual(self.todos(), ["Buy milk"])
        app.click("button", "Delete Everything")
        app.wait_for("password text", states=("focused", "editable"))
        app.type(self.world.user.password)
        app.key("Return")
        app.wait_for("button", "Skip", seconds=30)
        self.assertFalse((self.world.data / "app-gates/todos.sqlite3").exists())
        self.assertNotEqual(self.decisions()["BiometricGate"], "locked")


class EraseKeyringTest(KeyringTest, EraseTest):
    def to_erase(self):
        app = self.signed_in()
        for path, text in {**OURS, **OTHERS}.items():
            self.world.write(self.world.home / path, text)
        self.to_page(app)
        return app

    def test_the_secret_goes_from_the_keyring(self):
        app = self.to_erase()
        self.store("other", "com.example.Other")
        self.erase(app)
        self.assert_first_day(app)
        self.assertEqual(self.secrets(), ["other"])

    def test_once_begun_it_is_not_left(self):
        app = self.to_erase()
        self.keyring.freeze()
        self.erase(app)
        app.wait_for("alert", "Removing the session’s secret…")
        for keys in ("Escape", "alt+1", "ctrl+n", "Escape"):
            app.key(keys)
        self.world.run(["gdbus", "call", "--session", "--dest", NAME, "--object-path", PATH,
                        "--method", "org.gtk.Actions.Activate", "import", "@av []", "@a{sv} {}"])
        app.wait_for("alert", re.compile("^Nothing was deleted, since the session’s secret could not be removed.*"
                                         "does not answer"), seconds=25)
        self.assertEqual(len(app.windows()), 1)
        # Then it can be.
        app.key("Escape")
        app.wait_for("list item", "Delete Everything…")
        self.keyring.thaw()
        self.assertEqual(self.todos(), ["Buy milk"])

    def test_a_window_that_is_closed_does_not_break_it_off(self):
        app = self.to_erase()
        self.keyring.freeze()
        self.erase(app)
        app.wait_for("alert", "Removing the session’s secret…")
        app.key("alt+F4")
        until(lambda: not app.windows(), "the window's end")
        self.keyring.thaw()
        self.assert_first_day(app)
        self.assertEqual(self.secrets(), [])
        self.assertEqual(app.close(), 0)

    def test_asked_to_end_it_does_not_come_back(self):
        app = self.to_erase()
        self.keyring.freeze()
        self.erase(app)
        app.wait_for("alert", "Removing the session’s secret…")
        app.signal(signal.SIGTERM)
        self.assertEqual(app.wait(), 0)
        self.keyring.thaw()
        self.assertEqual(self.todos(), ["Buy milk"])

    def test_nothing_goes_where_the_secret_cannot(self):
        app = self.to_erase()
        before = self.files()
        for hinder, words in ((self.keyring.freeze, "does not answer"), (self.keyring.end, "No keyring was found")):
            hinder()
            app.set_text("text", "Type “delete” to go on", "delete")
            app.click("button", "Delete Everything")
            app.wait_for("alert", re.compile("^Nothing was deleted, since the session’s secret could not be removed.*"
                                             + words), seconds=25)
            self.assertEqual([path for path in self.files() if path in before], before)
            self.assertFalse((self.world.home / ".local/state/app-gates/erase").exists())
            self.keyring.recover()
        self.assertEqual(len(self.secrets()), 1)
        app.set_text("text", "Type “delete” to go on", "delete")
        app.click("button", "Delete Everything")
        self.assert_first_day(app)
        self.assertEqual(self.secrets(), [])
