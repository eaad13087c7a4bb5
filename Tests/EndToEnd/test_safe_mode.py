"""Three crashes in a row start safe mode, and so does the error card; what can be done there, and how it is left."""

import re
import signal

from crashes import CLOSED, TITLE, CrashTest
from damage import folder_facts, on_the_screen, read_only, until_it_is_given_up
from steps import LOCKED, needs_user


@needs_user
class SafeModeTest(CrashTest):
    """Three crashes in a row."""

    def crash(self, times):
        app = self.opened(lock=True)
        for number in range(times):
            self.fall(app, signal.SIGSEGV)
            app = self.told()
            if number + 1 < times:
                self.go_on(app, lock=True)
        return app

    def safe(self):
        """Safe mode, behind the lock."""
        app = self.crash(3)
        on_the_screen(app, "label", "It was the third time within five minutes, so the app starts in safe mode now.")
        self.go_on(app, lock=True)
        self.assert_hidden(app, TITLE, "Safe Mode")
        self.unlock(app)
        on_the_screen(app, "label", "Safe Mode")
        return app

    def test_two_do_not(self):
        app = self.crash(2)
        self.go_on(app, lock=True)
        self.unlock(app)
        app.wait_for("list item", TITLE)

    def test_three_do_and_it_can_be_left(self):
        app = self.crash(3)
        files = {base: folder_facts(base / "app-gates") for base in (self.world.config, self.world.data)}
        self.go_on(app, lock=True)
        self.unlock(app)
        on_the_screen(app, "label", "Safe Mode")
        self.assertEqual({base: folder_facts(base / "app-gates") for base in files}, files)
        self.starts_again(app, "Leave Safe Mode")
        app.wait_for("label", LOCKED)
        self.assert_hidden(app, TITLE)
        self.unlock(app)
        app.wait_for("list item", TITLE)
        self.assertEqual(app.close(), 0)
        self.assertFalse(self.marker.exists())

    def test_the_list_can_be_used(self):
        app = self.safe()
        app.click("button", "Open the List")
        app.wait_for("list item", TITLE)

    def test_export(self):
        app = self.safe()
        app.click("button", "Export Todos…")
        app.look_until(lambda: len(app.windows()) == 2, "the chooser", 10)
        app.wait_for("text", states=("focused",))
        app.key("ctrl+a")
        app.type(str(self.world.home / "out.txt"))
        app.key("Return")
        app.wait_for("alert", "The todos were exported.")
        self.assertRegex((self.world.home / "out.txt").read_text(), rf"^\d{{4}}-\d\d-\d\d {TITLE}\n$")

    def test_reset_with_nothing_damaged(self):
        app = self.safe()
        app.click("button", "Reset What Is Damaged…")
        app.wait_for("alert", "Nothing is damaged.")

    def test_reset_of_a_damaged_list(self):
        app = self.crash(3)
        file = self.world.data / "app-gates/todos.sqlite3"
        damaged = b"rubbish" * 1000
        self.world.write(file, damaged)
        self.go_on(app, lock=True)
        self.unlock(app)
        app.click("button", "Export Todos…")
        app.wait_for("alert", re.compile("^The todos cannot be read: the file is damaged"))
        app.click("button", "Reset What Is Damaged…")
        app.wait_for("label", "Set Damaged Files Aside?")
        app.key("Escape")
        app.wait_gone("label", "Set Damaged Files Aside?")
        self.assertEqual(file.read_bytes(), damaged)
        app.click("button", "Reset What Is Damaged…")
        app.wait_for("label", "Set Damaged Files Aside?")
        app.key("alt+s")
        words = app.wait_for("alert", re.compile(r"^The damaged file is kept as ")).name
        copy = re.search(r"~/(\S+\.damaged-\d{8}T\d{6}Z)\.", words).group(1)
        self.assertEqual((self.world.home / copy).read_bytes(), damaged)

    def test_damaged_settings_are_left_alone_until_asked(self):
        app = self.crash(3)
        ini = self.world.config / "app-gates/preferences.ini"
        self.world.write(ini, "rubbish\n")
        app.force_quit()
        # Killed: the history is as it was, and the settings are read anew.
        app = self.start()
        app.wait_for("alert", re.compile(r"preferences\.ini cannot be read: the file is damaged"))
        app.click("button", "Try again")
        app.click("button", "Continue")
        app.wait_for("label", LOCKED)
        self.assertEqual(ini.read_text(), "rubbish\n")

    def test_the_error_card_starts_it(self):
        self.come_back([TITLE])
        read_only(self.world.data / "app-gates/todos.sqlite3")
        app = self.started()
        until_it_is_given_up(app)
        self.starts_again(app, "Start in Safe Mode")
        app.wait_for("label", "Safe Mode")
        # Nothing was wrong with the run that was left.
        self.assertFalse(app.has("label", CLOSED))
        self.assertEqual(app.close(), 0)
        self.started()
