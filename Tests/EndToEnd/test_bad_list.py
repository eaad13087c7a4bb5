"""A damaged, empty, unreadable, foreign-owned or read-only list: it is told clearly, and nothing of it is lost."""

import re
import sqlite3

from damage import BadInputTest, contents, facts, folder_facts, foreign, on_the_screen, read_only, unreadable
from steps import needs_user

SHOWN = "~/.local/share/app-gates/todos.sqlite3"
HEADER, ROOT_PAGE = 16, 4096
DATABASE_DAMAGE = {
    "bytes that are no database": lambda sound: bytes(range(256)) * 40,
    "cut off": lambda sound: sound[:len(sound) // 2],
    "a page overwritten": lambda sound: sound[:ROOT_PAGE] + b"\xa5" * 4096 + sound[2 * ROOT_PAGE:],
    "zeros over its header": lambda sound: bytes(HEADER) + sound[HEADER:],
    "another program's database": None,
}


@needs_user
class TodosTest(BadInputTest):
    """todos.sqlite3: what cannot be read is left as it is, and never overwritten by an empty list."""

    def test_damaged(self):
        for name, damage in DATABASE_DAMAGE.items():
            with self.case(name):
                self.come_back(["Buy milk"] * 200)
                if damage:
                    self.list_file.write_bytes(damage(self.list_file.read_bytes()))
                else:
                    self.list_file.unlink()
                    with sqlite3.connect(self.list_file) as other:
                        other.execute("CREATE TABLE todo (id INTEGER, title TEXT)")
                    other.close()
                    self.world.own(self.list_file)
                damaged = self.list_file.read_bytes()
                app = self.problem("the file is damaged")
                on_the_screen(app, "button", "Keep It Aside and Begin Anew")
                self.assertEqual(self.list_file.read_bytes(), damaged)

    def test_a_damaged_list_can_be_set_aside(self):
        self.come_back(["Buy milk"] * 200)
        damaged = DATABASE_DAMAGE["cut off"](self.list_file.read_bytes())
        self.list_file.write_bytes(damaged)
        app = self.problem("the file is damaged")
        app.click("button", "Keep It Aside and Begin Anew")
        toast = on_the_screen(app, "label", re.compile(r"^The damaged file is kept as "))
        copy = re.search(r"~/(\S+\.damaged-\d{8}T\d{6}Z)\.$", toast.name).group(1)
        self.assertEqual((self.world.home / copy).read_bytes(), damaged)
        app.key("ctrl+n")
        app.wait_for("text", "Add a todo", states=("focused",))
        app.type("Start anew")
        app.key("Return")
        app.wait_for("list item", "Start anew")
        self.end_of(app)
        self.assertEqual(self.todos(), ["Start anew"])
        self.assertEqual((self.world.home / copy).read_bytes(), damaged)

    def test_try_again_after_the_file_was_put_right(self):
        self.come_back(["Buy milk"])
        sound = self.list_file.read_bytes()
        self.list_file.write_bytes(b"rubbish" * 1000)
        app = self.problem("the file is damaged")
        self.try_in_vain(app, "the file is damaged")
        self.end_of(app)
        self.assertEqual(self.list_file.read_bytes(), b"rubbish" * 1000)
        app = self.problem("the file is damaged")
        self.list_file.write_bytes(sound)
        app.click("button", "Try Again")
        on_the_screen(app, "list item", "Buy milk")
        self.assertEqual(self.todos(), ["Buy milk"])

    def test_empty(self):
        self.come_back()
        self.world.write(self.list_file, b"")
        app = self.start()
        on_the_screen(app, "label", f"The file {SHOWN} was empty; a new list was begun.")
        app.wait_for("text", "Add a todo", states=("focused",))
        app.type("Buy milk")
        app.key("Return")
        app.wait_for("list item", "Buy milk")
        self.assertEqual(self.todos(), ["Buy milk"])

    def test_empty_beside_a_log_that_holds_a_list(self):
        self.come_back(["Buy milk"])
        self.world.write(self.list_file, b"")
        log = self.world.write(self.list_file.with_name("todos.sqlite3-wal"), b"\x37\x7f\x06\x82" + bytes(4092))
        before = facts(log)
        app = self.problem("the file is damaged")
        self.end_of(app)
        self.assertEqual(facts(log), before)

    def test_unreadable(self):
        self.check_left_alone(unreadable, "you have no permission for it")

    def test_foreign_owned(self):
        self.check_left_alone(foreign, "it belongs to another user")

    def test_of_a_newer_version(self):
        def spoil(path):
            with sqlite3.connect(path) as database:
                database.execute("PRAGMA user_version = 99")
            database.close()
        self.check_left_alone(spoil, "a newer version of the app wrote it")

    def check_left_alone(self, spoil, cause):
        """The file stays as it is; put right, Try Again shows the list. It is not offered to be set aside."""
        self.come_back(["Buy milk"])
        sound = self.list_file.read_bytes()
        spoil(self.list_file)
        spoilt = facts(self.list_file)
        app = self.problem(cause)
        aside = app.find("button", "Keep It Aside and Begin Anew")
        self.assertTrue(aside is None or not aside.is_on_screen)
        self.try_in_vain(app, cause)
        self.assertEqual(facts(self.list_file), spoilt)
        self.assertEqual(contents(self.list_file.parent, "todos.sqlite3.damaged"), [])
        self.world.write(self.list_file, sound)
        app.click("button", "Try Again")
        on_the_screen(app, "list item", "Buy milk")

    def test_read_only(self):
        for name, spoil in {"file": read_only, "folder": lambda path: path.parent.chmod(0o500)}.items():
            with self.case(name):
                self.come_back(["Buy milk"])
                spoil(self.list_file)
                before = folder_facts(self.list_file.parent)
                app = self.start()
                on_the_screen(app, "list item", "Buy milk")
                app.wait_for("text", "Add a todo", states=("focused",))
                app.type("Sleep")
                app.key("Return")
                alert = on_the_screen(app, "alert", re.compile("^The change could not be saved"))
                self.assertEqual(alert.name,
                                 "The change could not be saved: it is read-only. The list is as it was before.")
                self.go_on(app)
                self.assertEqual(app.wait_for("text", "Add a todo").text, "Sleep")
                self.assertFalse(app.has("list item", "Sleep"))
                self.end_of(app)
                after = folder_facts(self.list_file.parent)
                # What could not be added is kept, where the folder takes anything.
                self.assertEqual("todo-drafts.ini" in after, name == "file")
                after.pop("todo-drafts.ini", None)
                self.assertEqual(after, before)

    def try_in_vain(self, app, cause):
        # A button that is worked over accessibility does what it does a quarter of a second later.
        app.click("button", "Try Again")
        on_the_screen(app, "label", f"The todos still cannot be read: {cause}.")
        on_the_screen(app, "label", "Your todos cannot be read")

    def problem(self, cause):
        """The app on the page that says why there is no list."""
        app = self.start()
        on_the_screen(app, "label", "Your todos cannot be read")
        on_the_screen(app, "label", f"The todos in {SHOWN} cannot be read: {cause}. The file was left as it is.")
        on_the_screen(app, "button", "Try Again")
        self.assertFalse(app.find("text", "Add a todo").is_on_screen)
        return app
