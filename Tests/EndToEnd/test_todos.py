"""The list of todos, by keyboard, and what of it is on disk."""

import re

from steps import WorldTest, titles


class TodosTest(WorldTest):
    def add(self, app, title):
        app.type(title)
        app.key("Return")
        app.wait_for("list item", title)

    def shows(self, app, *expected):
        app.look_until(lambda: titles(app) == list(expected), f"the list {expected}", 10)

    def to_row(self, app, title):
        """From the field down to a row."""
        for _ in range(10):
            if app.has("list item", title, states=("focused",)):
                return
            app.key("Down")
        self.fail(f"Down does not lead to {title}\n{app.dump()}")

    def test_everything_by_keyboard_and_on_disk_when_the_list_shows_it(self):
        app = self.shell()
        for title in ("Buy milk", "Call Ada", "Water plants"):
            self.add(app, title)
            self.assertEqual(self.todos()[-1], title)
        app.type("   ")
        app.key("Return", "ctrl+a", "BackSpace")
        self.assertEqual(self.todos(), ["Buy milk", "Call Ada", "Water plants"])

        self.to_row(app, "Call Ada")
        app.key("space")
        app.wait_for("list item", "Call Ada, done", states=("focused",))
        self.assertEqual(self.todos(), ["Buy milk", "✓ Call Ada", "Water plants"])
        self.assertTrue(app.has("check box", "Done: Call Ada", states=("checked",)))

        app.key("F2")
        app.wait_for("text", "Title", states=("focused",))
        app.type(" and Bob")
        app.key("Return")
        app.wait_for("list item", "Call Ada and Bob, done", states=("focused",))
        self.assertEqual(self.todos()[1], "✓ Call Ada and Bob")
        app.key("Return")
        app.wait_for("text", "Title", states=("focused",))
        app.type(" and nobody")
        app.key("Escape")
        app.wait_gone("text", "Title")
        self.assertEqual(self.todos()[1], "✓ Call Ada and Bob")
        app.wait_for("list item", "Call Ada and Bob, done", states=("focused",))

        app.key("Delete")
        self.shows(app, "Buy milk", "Water plants")
        self.assertEqual(self.todos(), ["Buy milk", "Water plants"])
        # The keyboard stays in the list.
        app.wait_for("list item", "Water plants", states=("focused",))
        app.key("ctrl+z")
        self.shows(app, "Buy milk", "Call Ada and Bob, done", "Water plants")
        self.assertEqual(self.todos(), ["Buy milk", "✓ Call Ada and Bob", "Water plants"])

        app.key("ctrl+n")
        app.wait_for("text", "Add a todo", states=("focused",))

    def test_undo_from_the_toast(self):
        app = self.shell(["Buy milk", "Call Ada"])
        self.to_row(app, "Buy milk")
        app.key("Delete")
        app.wait_for("label", "Deleted “Buy milk”")
        self.assertEqual(self.todos(), ["Call Ada"])
        app.click("button", re.compile("Undo$"))
        self.shows(app, "Buy milk", "Call Ada")
        self.assertEqual(self.todos(), ["Buy milk", "Call Ada"])

    def test_filter_by_keyboard_and_remembered(self):
        app = self.shell(["Buy milk", "Call Ada"])
        self.to_row(app, "Call Ada")
        app.key("space")
        app.wait_for("list item", "Call Ada, done")
        app.key("alt+o")
        self.shows(app, "Buy milk")
        app.key("alt+d")
        self.shows(app, "Call Ada, done")
        self.assertEqual(app.close(), 0)
        app = self.world.app()
        self.shows(app, "Call Ada, done")
        app.key("alt+a")
        self.shows(app, "Buy milk", "Call Ada, done")
        # A todo that its filter does not show leaves the list, and nothing else happens to it.
        app.key("alt+o")
        self.shows(app, "Buy milk")
        app.key("ctrl+n")
        self.to_row(app, "Buy milk")
        app.key("space")
        app.wait_for("label", "All done")
        self.assertEqual(self.todos(), ["✓ Buy milk", "✓ Call Ada"])

    def test_killed_right_after_an_add_loses_nothing(self):
        app = self.shell(["Buy milk"])
        for number in range(1, 4):
            self.add(app, f"Todo {number}")
        app.kill()
        self.assertEqual(self.todos(), ["Buy milk", "Todo 1", "Todo 2", "Todo 3"])
        app = self.world.app()
        self.shows(app, "Buy milk", "Todo 1", "Todo 2", "Todo 3")

    def test_unusual_titles(self):
        app = self.shell()
        for title in ("<b>bold</b> & \"quoted\"", "'; DROP TABLE todo; --", "_underscored_ %s %d", "日本語 ünïcode 🔑"):
            app.set_text("text", "Add a todo", title)
            app.key("ctrl+n", "Return")
            app.wait_for("list item", title)
            self.assertEqual(self.todos()[-1], title)
        app.set_text("text", "Add a todo", "x" * 600)
        app.key("ctrl+n", "Return")
        app.until(lambda: len(self.todos()) == 5, "the long one")
        self.assertEqual(self.todos()[-1], "x" * 500)
