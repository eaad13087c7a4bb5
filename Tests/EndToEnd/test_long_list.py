"""Long lists: only the rows around the view exist, and everything works as if all of them did."""

import sqlite3

from steps import LOCKED, WorldTest, needs_user

MANY = 10_000
# The rows in the view and around it, in the window of the tests, with room for others.
MOST_ROWS = 60


class LongListTest(WorldTest):
    options = {"size": (1280, 900)}

    def rows(self, app):
        """{number of the todo: its row}, as a screen reader finds them."""
        return {int(node.name.split()[1].strip(",")): node for node in app.find_all("list item")
                if node.name.startswith("Todo ")}

    def focused(self, app):
        return next((number for number, row in self.rows(app).items() if "focused" in row.states), None)

    def wait_for_focus(self, app, number):
        app.look_until(lambda: self.focused(app) == number, f"the keyboard on todo {number}", 10)

    def is_in_view(self, app, number):
        """The row lies within the window, below the filters."""
        top = app.find("button", "All").extents
        row = self.rows(app)[number].extents
        return row[1] >= top[1] + top[3] and row[1] + row[3] <= app.find("frame").extents[3]

    def wheel_down(self, app):
        left, top, width, height = app.display.geometry(app.window)
        app.display.tool("xdotool", "mousemove", str(left + width // 2), str(top + height // 2),
                         "click", "--repeat", "40", "--delay", "12", "5", seconds=30)

    def many(self, **preferences):
        self.come_back([f"Todo {number}" for number in range(1, MANY + 1)], **preferences)

    def test_by_keyboard_from_end_to_end(self):
        self.many()
        app = self.world.app()
        app.wait_for("list item", "Todo 1")
        app.key("Down", "Down")
        self.wait_for_focus(app, 2)
        app.key("End")
        self.wait_for_focus(app, MANY)
        self.assertTrue(self.is_in_view(app, MANY))
        self.assertLess(len(self.rows(app)), MOST_ROWS)
        app.key("Page_Up")
        app.look_until(lambda: MANY - 40 < (self.focused(app) or MANY) < MANY - 5, "a row a page further up", 10)
        here = self.focused(app)
        self.assertTrue(self.is_in_view(app, here))

        # What is done there is done to that todo.
        app.key("space")
        app.wait_for("list item", f"Todo {here}, done", states=("focused",))
        app.key("Down", "F2")
        app.wait_for("text", "Title", states=("focused",))
        app.type(" and more")
        app.key("Return")
        app.wait_for("list item", f"Todo {here + 1} and more", states=("focused",))
        app.key("Delete")
        app.wait_for("list item", f"Todo {here + 2}", states=("focused",))
        app.key("ctrl+z")
        app.wait_for("list item", f"Todo {here + 1} and more")
        found = self.todos()
        self.assertEqual(found[here - 1:here + 1], [f"✓ Todo {here}", f"Todo {here + 1} and more"])
        self.assertEqual(len(found), MANY)

        app.key("Home")
        self.wait_for_focus(app, 1)
        app.key("Page_Down")
        app.look_until(lambda: 5 < (self.focused(app) or 0) < 40, "a row a page further down", 10)
        self.assertLess(len(self.rows(app)), MOST_ROWS)

    def test_filters_and_the_keyboards_row(self):
        self.many()
        database = sqlite3.connect(self.world.data / "app-gates/todos.sqlite3")
        database.execute("UPDATE todo SET done = 1 WHERE id % 100 = 0")
        database.commit()
        database.close()
        self.world.own(self.world.data / "app-gates/todos.sqlite3")
        app = self.world.app()
        app.wait_for("list item", "Todo 1")
        app.key("Down", "End")
        self.wait_for_focus(app, MANY)
        app.click("button", "Done")
        app.look_until(lambda: sorted(self.rows(app))[-2:] == [MANY - 100, MANY], "those that are done", 10)
        self.wait_for_focus(app, MANY)
        app.key("Up")
        self.wait_for_focus(app, MANY - 100)
        # One that its filter does not show any more leaves the list; the keyboard stays at its place.
        app.key("space")
        self.wait_for_focus(app, MANY)
        self.assertNotIn(MANY - 100, self.rows(app))
        app.click("button", "All")
        app.look_until(lambda: sorted(self.rows(app))[-2:] == [MANY - 1, MANY], "all of them", 10)
        self.wait_for_focus(app, MANY)
        self.assertLess(len(self.rows(app)), MOST_ROWS)
        # From elsewhere, a filter shows its list from the top.
        app.key("alt+d")
        app.look_until(lambda: sorted(self.rows(app))[:2] == [100, 200], "the first that are done", 10)

    def test_an_edit_stays_while_the_view_goes_elsewhere(self):
        self.many()
        app = self.world.app()
        app.wait_for("list item", "Todo 1")
        app.key("Down", "Down", "F2")
        app.wait_for("text", "Title", states=("focused",))
        app.type(" and")
        self.wheel_down(app)
        app.look_until(lambda: 40 in self.rows(app) and 3 not in self.rows(app), "rows further down", 10)
        # The keyboard is where it was, though its row is out of sight.
        app.type(" more")
        app.look_until(lambda: app.find("text", "Title").text == "Todo 2 and more", "what was typed", 5)
        app.key("Return")
        app.wait_for("list item", "Todo 2 and more", states=("focused",))
        self.assertTrue(self.is_in_view(app, 2))

        # With the keyboard elsewhere its row goes; what is in its field does not.
        app.key("F2")
        app.wait_for("text", "Title", states=("focused",))
        app.type(" of it")
        app.key("ctrl+n")
        app.wait_for("text", "Add a todo", states=("focused",))
        self.wheel_down(app)
        app.look_until(lambda: 40 in self.rows(app) and 2 not in self.rows(app), "rows further down", 10)
        self.assertEqual(app.close(), 0)
        app = self.world.app()
        self.assertEqual(app.wait_for("text", "Title").text, "Todo 2 and more of it")

    @needs_user
    def test_place_and_focus_survive_a_lock(self):
        self.many(lock=True)
        app = self.world.app()
        self.unlock(app)
        app.wait_for("list item", "Todo 1")
        app.key("Down", *["Page_Down"] * 5)
        app.look_until(lambda: (self.focused(app) or 0) > 40, "a row further down", 10)
        number = self.focused(app)
        place = self.rows(app)[number].extents
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)
        self.assertEqual(self.rows(app), {})
        self.unlock(app)
        self.wait_for_focus(app, number)
        app.look_until(lambda: self.rows(app)[number].extents == place, "the row where it was", 10)

    def test_what_is_added_comes_into_view(self):
        app = self.shell([f"Todo {number}" for number in range(1, 41)])
        bottom = app.find("frame").extents[3]
        # Rows far below the view do not exist yet.
        last = app.find("list item", "Todo 40")
        self.assertTrue(last is None or last.extents[1] > bottom)
        app.type("The last")
        app.key("Return")
        app.wait_for("list item", "The last")
        app.look_until(lambda: app.find("list item", "The last").extents[1] < bottom, "the new one in view", 10)
        app.wait_for("text", "Add a todo", states=("focused",))
