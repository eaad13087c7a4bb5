"""Leaving the app and coming back: the cover, the grace period, the title, dialogs, and what was being done."""

import re
import time

from steps import LOCKED, WorldTest, at_least, needs_user, pixels

TITLE = "Todos – App Gates"


class CoverTest(WorldTest):
    """Without the lock: the cover is a preference of its own."""

    def place(self, app, name):
        """Where on the screen a label is, as (left, top, width, height)."""
        node = app.wait_for("label", name)
        left, top, _, _ = self.world.display.geometry(app.window)
        x, y, width, height = node.extents
        return left + x, top + y, width, height

    def wait_inactive(self, app):
        app.look_until(lambda: not app.has("frame", states=("active",)), "the window to be inactive", 10)

    def test_covered_at_once_and_bare_title(self):
        app = self.shell(["Buy milk"])
        place = self.place(app, "Buy milk")
        self.assertGreater(len(pixels(self.world, *place)), 2)
        self.assertEqual(app.title, TITLE)
        with self.world.display.other_window():
            app.until(lambda: app.title == "App Gates", "the bare title", 1.0)
            app.until(lambda: len(pixels(self.world, *place)) == 1, "the cover over the todo", 1.0)
        app.activate()
        app.until(lambda: len(pixels(self.world, *place)) > 2, "the todo to be seen again")
        self.assertEqual(app.title, TITLE)
        self.assertFalse(app.has("label", LOCKED))

    def test_nothing_is_covered_where_that_is_switched_off(self):
        app = self.shell(["Buy milk"], hideContent=False)
        place = self.place(app, "Buy milk")
        with self.world.display.other_window():
            self.wait_inactive(app)
            self.assertGreater(len(pixels(self.world, *place)), 2)
            self.assertEqual(app.title, TITLE)

    def test_the_switch_holds_at_once(self):
        app = self.shell(["Buy milk"])
        self.open_me(app)
        app.click("check box", "Hide Content When Not in Front")
        app.until(lambda: self.preferences["hideContent"] == "false", "the preference on disk")
        with self.world.display.other_window():
            self.wait_inactive(app)
            self.assertEqual(app.title, "Me – App Gates")

    def test_a_dialog_is_hidden_too(self):
        app = self.shell()
        self.open_me(app)
        app.click("list item", "About App Gates")
        app.until(lambda: len(app.windows()) == 2, "the dialog")
        with self.world.display.other_window():
            app.until(lambda: len(app.windows()) == 1, "the dialog to be hidden", 2.0)
        # Not app.activate(), which waits for the main window in front: the dialog comes there at once.
        self.world.display.tool("xdotool", "windowactivate", str(app.window))
        app.until(lambda: len(app.windows()) == 2, "the dialog to come back")


@needs_user
class GraceTest(WorldTest):
    def opened(self, todos=("Buy milk",), **preferences):
        app = self.locked(todos, **preferences)
        self.unlock(app)
        app.wait_for("text", "Add a todo")
        return app

    def test_away_for_longer_than_the_grace_locks(self):
        app = self.opened()
        with self.world.display.other_window():
            app.wait_for("label", LOCKED)
            self.assert_hidden(app, "Buy milk", "Add a todo")
            # Nobody is asked who is not here: no helper waits, and no reader is held.
            self.assertFalse(app.has("password text"))
            self.assertEqual(app.children(), {})
        app.activate()
        self.unlock(app)
        app.wait_for("list item", "Buy milk")

    def test_minimised_is_away(self):
        app = self.opened()
        app.minimise()
        app.wait_for("label", LOCKED)
        self.assert_hidden(app, "Buy milk")

    def test_away_for_less_than_the_grace_does_not_lock(self):
        app = self.opened(lockAfterSeconds=15)
        with self.world.display.other_window():
            left = time.monotonic()
            app.until(lambda: app.title == "App Gates", "the cover")
            at_least(2.0, left)  # a grace of one second, the default, would be over
            self.assertFalse(app.has("label", LOCKED))
        app.activate()
        app.until(lambda: app.title == TITLE, "the cover to go")
        self.assertTrue(app.has("list item", "Buy milk"))

    def test_own_dialogs_neither_cover_nor_lock(self):
        app = self.opened()
        self.open_me(app)
        for name, role in (("About App Gates", "list item"), ("App Lock", "check box")):
            with self.subTest(dialog=name):
                app.click(role, name)
                app.until(lambda: len(app.windows()) == 2, "the dialog")
                at_least(2.0, time.monotonic())  # the grace and the time in which the desktop may dawdle
                self.assertEqual(len(app.windows()), 2)
                self.assertFalse(app.has("label", LOCKED))
                self.assertEqual(app.title, "Me – App Gates")
                app.key("Escape")
                app.until(lambda: len(app.windows()) == 1, "the dialog's end")
        at_least(1.5, time.monotonic())
        self.assertTrue(app.has("label", "Account Security"))

    def test_a_dialog_does_not_survive_over_the_lock(self):
        app = self.opened()
        self.open_me(app)
        app.click("list item", "About App Gates")
        app.until(lambda: len(app.windows()) == 2, "the dialog")
        with self.world.display.other_window():
            app.wait_for("label", LOCKED)
            self.assertEqual(len(app.windows()), 1)
        app.activate()
        app.wait_for("password text", states=("focused",))
        self.assertEqual(len(app.windows()), 1)

    def test_a_draft_and_its_cursor_survive(self):
        app = self.opened()
        app.type("Half a thought")
        app.key("Left", "Left", "Left")
        draft = app.find("text", "Add a todo")
        self.assertEqual((draft.text, draft.caret), ("Half a thought", 11))
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)
        self.assert_hidden(app, "Half a thought")
        self.unlock(app)
        draft = app.wait_for("text", "Add a todo", states=("focused",))
        self.assertEqual((draft.text, draft.caret), ("Half a thought", 11))
        app.type("X")
        app.until(lambda: app.find("text", "Add a todo").text == "Half a thouXght", "the letter at the cursor")


@needs_user
class LockNowTest(WorldTest):
    def test_from_another_process_and_by_key(self):
        app = self.locked()
        self.unlock(app)
        done = self.world.run([self.world.binaries / "app-gates", "--lock"])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        # It had locked before the command ended.
        self.assertTrue(app.has("label", LOCKED))
        self.assert_hidden(app, "Buy milk")
        self.unlock(app)
        app.wait_for("text", "Add a todo")
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)
        self.assert_hidden(app, "Buy milk")

    def test_what_is_written_into_the_file_locks_and_never_unlocks(self):
        app = self.locked()
        path = self.world.config / "app-gates/preferences.ini"
        on = path.read_text()
        off = re.sub("biometricEnabled=true", "biometricEnabled=false", on)
        self.world.write(path, off)
        done = self.world.run([self.world.binaries / "app-gates", "--lock"], check=False)
        self.assertEqual(done.returncode, 0)
        self.assertTrue(app.has("label", LOCKED))
        self.unlock(app)
        app.wait_for("text", "Add a todo")
        self.world.write(path, off)
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)
