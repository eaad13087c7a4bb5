"""Undo: what comes back, where to, and what Control and Z mean in a field. Also what the pointer does in the list."""

import re

from steps import WorldTest, titles

# The button is libadwaita's own; GTK 4.8 lets such a one say its words twice.
UNDO = re.compile("Undo$")


class UndoTest(WorldTest):
    def shows(self, app, *expected):
        app.look_until(lambda: titles(app) == list(expected), f"the list {expected}", 10)

    def test_all_come_back_to_their_places(self):
        app = self.shell(["One", "Two", "Three"])
        app.key("Down", "Delete", "Delete")
        self.shows(app, "Three")
        self.assertEqual(self.todos(), ["Three"])
        app.key("ctrl+z", "ctrl+z", "ctrl+z")
        self.shows(app, "One", "Two", "Three")
        self.assertEqual(self.todos(), ["One", "Two", "Three"])

    def test_a_message_undoes_what_it_names_and_nothing_else(self):
        app = self.shell(["One", "Two", "Three"])
        app.key("Down", "Delete", "Delete")
        app.wait_for("label", "Deleted “Two”")
        app.wait_gone("label", "Deleted “One”")  # a newer message does not wait behind an older one
        app.key("ctrl+z")  # Two is back: its message has nothing to undo any more
        self.shows(app, "Two", "Three")
        app.click("button", UNDO)
        app.wait_gone("label", "Deleted “Two”")
        self.assertEqual(self.todos(), ["Two", "Three"])
        app.key("ctrl+z")
        self.shows(app, "One", "Two", "Three")

    def test_in_a_field_what_was_typed_is_undone_first(self):
        app = self.shell(["One", "Two"])
        app.key("Down", "Delete")
        self.shows(app, "Two")
        app.key("ctrl+n")
        app.wait_for("text", "Add a todo", states=("focused",))
        app.type("Buy")
        app.key("ctrl+z")
        app.look_until(lambda: app.find("text", "Add a todo").text != "Buy", "the text to be undone", 5)
        self.assertEqual(self.todos(), ["Two"])

    def test_on_the_other_page_nothing_is_undone(self):
        app = self.shell(["One", "Two"])
        app.key("Down", "Delete")
        self.shows(app, "Two")
        app.key("alt+2", "ctrl+z", "alt+1", "ctrl+n")
        app.wait_for("text", "Add a todo", states=("focused",))
        self.assertEqual(self.todos(), ["Two"])
        app.key("ctrl+z")
        self.shows(app, "One", "Two")

    def test_an_edit_never_ends_empty(self):
        app = self.shell(["Buy milk"])
        app.key("Down", "F2")
        app.wait_for("text", "Title", states=("focused",))
        app.key("ctrl+a", "BackSpace", "Return")
        app.type("Tea")
        app.look_until(lambda: app.find("text", "Title").text == "Tea", "what was typed after the empty Enter", 5)
        self.assertEqual(self.todos(), ["Buy milk"])
        app.key("Escape")
        app.wait_for("list item", "Buy milk", states=("focused",))
        self.assertEqual(self.todos(), ["Buy milk"])

    def test_the_pointer(self):
        app = self.shell(["One", "Two"])
        app.click("check box", "Done: One")
        app.wait_for("list item", "One, done")
        self.assertEqual(self.todos(), ["✓ One", "Two"])
        self.assertFalse(app.has("text", "Title"))  # ticking is not editing
        app.click("list item", "Two")
        app.wait_for("text", "Title", states=("focused",))
        app.key("Escape")
        app.wait_gone("text", "Title")
        app.point_at(app.find_all("button", "Delete")[1])
        self.shows(app, "One, done")
        self.assertEqual(self.todos(), ["✓ One"])

    def test_a_kill_right_after_a_tick_or_a_deletion_loses_nothing(self):
        app = self.shell(["One", "Two"])
        app.key("Down", "space")
        app.wait_for("list item", "One, done")
        app.kill()
        app = self.world.app()
        self.shows(app, "One, done", "Two")
        app.key("Down", "Down", "Delete")
        self.shows(app, "One, done")
        app.kill()
        self.assertEqual(self.todos(), ["✓ One"])
        self.shows(self.world.app(), "One, done")
