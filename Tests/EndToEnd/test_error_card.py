"""The error card: real faults, the way back with the draft, and that it shows nothing of what is behind it."""

import errno
import pathlib
import re

from damage import SharedWorldTest, on_the_screen, read_only
from steps import LOCKED, WELCOME, needs_user

CARD = ("label", "Something went wrong")
NOT_SAVED = re.compile("^The settings in .* could not be saved: it is read-only")
REMEDY = "The list is as it was before."


def fill(path):
    """Writes until the disk is full."""
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise


@needs_user
class ErrorCardTest(SharedWorldTest):
    @property
    def folder(self):
        return self.world.config / "app-gates"

    def on_a_small_disk(self):
        """Puts the todos on a small file system, in the program's own mount namespace: it goes with the program."""
        user, become = self.world.user, self.world.user.become
        small = 'mount -t tmpfs -o size=600k none /mnt && cp -a "$0/." /mnt && mount --move /mnt "$0" && exec "$@"'
        user.become = lambda argv: ["sh", "-c", small, str(self.world.data / "app-gates"), *become(argv)]
        self.addCleanup(setattr, user, "become", become)

    def test_a_change_that_cannot_be_saved_keeps_the_draft(self):
        self.come_back(["Buy milk", "Sleep"])
        self.on_a_small_disk()
        app = self.start()
        app.wait_for("list item", "Buy milk")
        app.wait_for("text", "Add a todo", states=("focused",))
        app.type("Water the plants")
        app.key("Left", "Left", "Left")
        filler = pathlib.Path(f"/proc/{app.pid}/root{self.world.data}/app-gates/filler")  # as the program sees it
        fill(filler)
        for _ in range(2):
            app.key("Return")
            alert = on_the_screen(app, "alert", re.compile("^The change could not be saved"))
            self.assertEqual(alert.name, f"The change could not be saved: the disk is full. {REMEDY}")
            self.assert_hidden(app, "Buy milk", "Water the plants", "Add a todo")
            app.wait_for("button", "Try again", states=("focused",))
            app.key("Return")
            app.wait_gone(*CARD)
            draft = app.wait_for("text", "Add a todo", states=("focused",))
            self.assertEqual((draft.text, draft.caret), ("Water the plants", 13))
            self.assertTrue(app.has("list item", "Sleep"))
            self.assertFalse(app.has("list item", "Water the plants"))
        filler.unlink()
        app.key("Return")
        app.wait_for("list item", "Water the plants")
        self.assertFalse(app.has(*CARD))
        self.assertEqual(app.find("text", "Add a todo").text, "")

    def test_what_failed_succeeds_once_the_cause_is_gone(self):
        self.come_back(["Buy milk"])
        path = self.world.data / "app-gates/todos.sqlite3"
        read_only(path)
        app = self.start()
        app.wait_for("text", "Add a todo", states=("focused",))
        app.type("Sleep")
        app.key("Return")
        on_the_screen(app, "alert", f"The change could not be saved: it is read-only. {REMEDY}")
        path.chmod(0o600)
        app.key("Return")
        app.wait_for("text", "Add a todo", states=("focused",))
        app.key("Return")
        app.wait_for("list item", "Sleep")
        self.assertEqual(self.todos(), ["Buy milk", "Sleep"])

    def test_a_setting_that_cannot_be_saved_is_told_once_and_saved_later(self):
        app = self.shell(["Buy milk"])
        self.folder.chmod(0o500)
        app.click("button", "Done")
        on_the_screen(app, "alert", NOT_SAVED)
        self.go_on(app)
        on_the_screen(app, "label", "Nothing done yet")
        # The same key for the same cause: the user knows by now.
        app.click("button", "Open")
        on_the_screen(app, "list item", "Buy milk")
        self.assertFalse(app.has(*CARD))
        self.assertNotIn("todoFilter", self.preferences)
        self.folder.chmod(0o700)
        app.click("button", "Done")
        app.until(lambda: self.preferences.get("todoFilter") == "done", "the filter to be saved")
        self.assertFalse(app.has(*CARD))

    def test_two_identical_errors_are_one_card(self):
        self.world.preferences(onboardingPage=3)
        self.folder.chmod(0o500)
        app = self.start()
        # Two settings at once: the slides are done, and an action that counts for the rating.
        app.click("button", "Get started")
        on_the_screen(app, "alert", NOT_SAVED)
        on_the_screen(app, "label", "2 times")
        self.assertEqual(len(app.find_all("alert")), 1)
        self.assertEqual(len(app.find_all(*CARD)), 1)
        self.go_on(app)
        on_the_screen(app, "label", "Before you begin")
        self.assertEqual(self.preferences, {"onboardingPage": "3"})

    def test_two_different_errors_are_two_sentences_on_one_card(self):
        app = self.shell()
        app.key("alt+2")
        app.click("button", "Sign Out")
        app.wait_for("button", re.compile("Cancel$"), states=("focused",))
        self.folder.chmod(0o500)
        (self.world.data / "app-gates").chmod(0o500)
        app.key("Tab", "Return")
        on_the_screen(app, "alert", NOT_SAVED)
        on_the_screen(app, "alert", re.compile("^You are signed out here, but the session’s secret could not be"))
        self.assertEqual(len(app.find_all(*CARD)), 1)
        self.go_on(app)
        on_the_screen(app, "label", WELCOME)

    def test_the_card_does_not_open_the_lock(self):
        self.come_back(["Buy milk"], lock=True)
        app = self.start()
        self.unlock(app)
        app.wait_for("list item", "Buy milk")
        self.folder.chmod(0o500)
        app.click("button", "Done")
        on_the_screen(app, "alert", NOT_SAVED)
        app.key("ctrl+l")
        on_the_screen(app, *CARD)
        self.assert_hidden(app, "Buy milk", "Add a todo")
        self.go_on(app)
        on_the_screen(app, "label", LOCKED)
        self.assert_hidden(app, "Buy milk", "Add a todo")

    def test_the_card_can_be_left_by_quitting_only_or_trying_again(self):
        self.come_back(["Buy milk"])
        (self.folder / "preferences.ini").write_bytes(b"rubbish")
        app = self.start()
        app.wait_for(*CARD)
        app.key("Escape", "ctrl+n", "alt+2")
        on_the_screen(app, *CARD)
        app.click("button", "Quit")
        self.assertEqual(app.wait(), 0)
