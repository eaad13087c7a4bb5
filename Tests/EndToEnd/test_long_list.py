"""Five hundred todos: the place in the list and the keyboard's row survive a lock."""

from steps import WorldTest, needs_user


@needs_user
class LongListTest(WorldTest):
    def test_place_and_focus_survive_a_lock(self):
        self.come_back([f"Todo {number}" for number in range(1, 501)], lock=True)
        app = self.world.app()
        self.unlock(app)
        app.wait_for("list item", "Todo 1")
        app.key("Down", *["Page_Down"] * 5)
        row = app.wait_for("list item", states=("focused",))
        name, place = row.name, row.extents
        self.assertLess(app.find("list item", "Todo 1").extents[1], 0)  # it is scrolled away
        # Page Down goes by what the view shows, not by a row or two.
        self.assertGreater(int(name.split()[1]), 20)

        app.key("ctrl+l")
        app.wait_for("password text", states=("focused", "editable"))
        self.assertFalse(app.has("list item", name))
        self.unlock(app)
        self.assertEqual(app.wait_for("list item", name, states=("focused",)).extents, place)

        # What is added at the end comes into view.
        app.key("ctrl+n")
        app.type("The last")
        app.key("Return")
        app.wait_for("list item", "The last")
        bottom = app.find("frame").extents[3]
        app.look_until(lambda: app.find("list item", "The last").extents[1] < bottom, "the new one in view", 30)
        self.assertEqual(self.todos()[-1], "The last")
