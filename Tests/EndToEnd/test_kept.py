"""Nothing that was half-typed is lost over a lock, a quit or a kill."""

import os
import stat

from damage import SharedWorldTest, foreign
from steps import LOCKED, needs_user, titles

FIELD = ("text", "Add a todo")
EDITOR = ("text", "Title")
DRAFT = "Half a thought"


class KeptTest(SharedWorldTest):
    @property
    def file(self):
        return self.world.data / "app-gates/todo-drafts.ini"

    def opened(self, todos=("Buy milk", "Call Ada"), **preferences):
        """The app of a user with the lock on, unlocked and on its list."""
        self.come_back(todos, lock=True, **preferences)
        app = self.start()
        self.unlock(app)
        app.wait_for(*FIELD)
        return app

    def lock(self, app):
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)

    def kept(self, app):
        app.until(self.file.exists, "the draft on disk")

    def half_typed(self, app, place=11):
        """Waits for the draft with the keyboard and the cursor in it, and types a letter there."""
        field = app.wait_for(*FIELD, states=("focused",))
        self.assertEqual((field.text, field.caret), (DRAFT, place))
        app.type("X")
        expected = DRAFT[:place] + "X" + DRAFT[place:]
        app.look_until(lambda: app.find(*FIELD).text == expected, "the letter at the cursor", 5)

    def type_half(self, app):
        app.wait_for(*FIELD, states=("focused",))
        app.type(DRAFT)
        app.key("Left", "Left", "Left")
        app.look_until(lambda: (app.find(*FIELD).text, app.find(*FIELD).caret) == (DRAFT, 11), "the draft", 5)


@needs_user
class OverTheLockTest(KeptTest):
    def again(self):
        """The next start: nothing of the draft before the lock is open, and it is there afterwards."""
        app = self.start()
        app.wait_for("password text", states=("focused",))
        self.assert_hidden(app, DRAFT)
        self.unlock(app)
        return app

    def test_quit_while_locked(self):
        app = self.opened()
        self.type_half(app)
        self.lock(app)
        app.click("button", "Quit")
        self.assertEqual(app.wait(), 0)
        self.half_typed(self.again())

    def test_killed_while_locked(self):
        app = self.opened()
        self.type_half(app)
        self.assertFalse(self.file.exists(), "written at each key")
        self.lock(app)
        self.kept(app)
        found = os.lstat(self.file)
        self.assertEqual((stat.S_IMODE(found.st_mode), found.st_uid), (0o600, self.world.user.uid))
        app.kill()
        self.half_typed(self.again())

    def test_killed_after_leaving_before_the_grace_is_over(self):
        app = self.opened(lockAfterSeconds=300)
        self.type_half(app)
        with self.world.display.other_window():
            self.kept(app)
            app.kill()
        self.half_typed(self.again())

    def test_a_title_that_is_being_edited(self):
        app = self.opened()
        app.key("Down", "Down", "F2")
        app.wait_for(*EDITOR, states=("focused",))
        app.type(" and Bob")
        app.key("Left", "Left", "Left")
        app.look_until(lambda: app.find(*EDITOR).caret == 13, "the cursor", 5)
        self.lock(app)
        self.kept(app)
        app.kill()
        app = self.again()
        field = app.wait_for(*EDITOR, states=("focused",))
        self.assertEqual((field.text, field.caret), ("Call Ada and Bob", 13))
        self.assertEqual(self.todos(), ["Buy milk", "Call Ada"])
        app.key("Return")
        app.wait_for("list item", "Call Ada and Bob")
        app.until(lambda: not self.file.exists(), "the draft to be gone")

    def test_quit_while_locked_after_a_second_lock_keeps_the_later_text(self):
        app = self.opened()
        self.type_half(app)
        self.lock(app)
        self.kept(app)
        self.unlock(app)
        app.wait_for(*FIELD, states=("focused",))
        app.key("End")
        app.type("s")
        app.look_until(lambda: app.find(*FIELD).text == DRAFT + "s", "the letter", 5)
        self.lock(app)
        app.key("ctrl+q")
        self.assertEqual(app.wait(), 0)
        app = self.again()
        self.assertEqual(app.wait_for(*FIELD, states=("focused",)).text, DRAFT + "s")

    def test_the_log_holds_nothing_of_it(self):
        app = self.opened()
        self.type_half(app)
        self.file.mkdir()
        self.addCleanup(self.file.rmdir)
        self.lock(app)
        app.until(lambda: "could not be kept in ~/.local/share/app-gates/todo-drafts.ini" in app.log, "the line")
        self.assertNotIn(DRAFT, app.log)
        # And it is there still.
        self.unlock(app)
        self.half_typed(app)


class WithoutLockTest(KeptTest):
    def test_quit_and_back(self):
        for how in ("window", "key"):
            with self.case(how):
                app = self.shell(["Buy milk"])
                self.type_half(app)
                if how == "window":
                    self.assertEqual(app.close(), 0)
                else:
                    app.key("ctrl+q")
                    self.assertEqual(app.wait(), 0)
                self.half_typed(self.start())

    def test_added_is_gone_at_once(self):
        app = self.shell(["Buy milk"])
        self.type_half(app)
        self.assertEqual(app.close(), 0)
        app = self.start()
        app.wait_for(*FIELD, states=("focused",))
        app.key("Return")
        app.wait_for("list item", DRAFT)
        self.assertFalse(self.file.exists())
        app.kill()
        app = self.start()
        self.assertEqual(app.wait_for(*FIELD).text, "")
        self.assertEqual(titles(app), ["Buy milk", DRAFT])

    def test_cleared_is_gone_at_once(self):
        app = self.shell()
        self.type_half(app)
        self.assertEqual(app.close(), 0)
        app = self.start()
        app.wait_for(*FIELD, states=("focused",))
        app.key("ctrl+a", "BackSpace")
        app.until(lambda: not self.file.exists(), "the draft to be gone")

    def test_an_edit_survives_the_filter(self):
        app = self.shell(["Buy milk", "Call Ada"])
        app.key("Down", "F2")
        app.wait_for(*EDITOR, states=("focused",))
        app.type(" and bread")
        app.click("button", "Done")
        app.wait_for("label", "Nothing done yet")
        self.assertEqual(app.close(), 0)
        app = self.start()
        app.click("button", "All")
        self.assertEqual(app.wait_for(*EDITOR).text, "Buy milk and bread")

    def test_unusual_texts(self):
        for text in (" spaces at both ends ", "back\\slash \\n \\; = [x] # %s", "日本語 ünïcode 🔑"):
            with self.case(text):
                app = self.shell()
                app.set_text(*FIELD, text)
                app.key("ctrl+q")
                self.assertEqual(app.wait(), 0)
                self.assertEqual(self.start().wait_for(*FIELD).text, text)

    def test_a_bad_file_is_told_and_is_no_obstacle(self):
        for name, make, cause in (
                ("damaged", lambda: self.world.write(self.file, b"rubbish \xff"), "the file is damaged"),
                ("foreign", lambda: foreign(self.world.write(self.file, "[drafts]\nnew=Of another\n")),
                 "it belongs to another user")):
            with self.case(name):
                self.come_back(["Buy milk"])
                make()
                before = self.file.read_bytes()
                app = self.start()
                app.wait_for("label", f"What you were typing last time could not be read: {cause}.")
                app.wait_for("list item", "Buy milk")
                self.assertEqual(app.find(*FIELD).text, "")
                self.assertIn("todo-drafts.ini: " + cause, app.log)
                self.assertEqual([path.read_bytes() for path in self.file.parent.glob("todo-drafts.ini*")], [before])
