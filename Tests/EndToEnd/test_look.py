"""What the tests take for the accessible tree is what each node says of itself."""

import itertools

from steps import LOCKED, WorldTest, needs_user


@needs_user
class LookTest(WorldTest):
    def check(self, app):
        """A quick look finds what a slow one finds, once the page has come to rest."""
        def alike():
            quick, slow = ([(node.depth, node.role, node.name, node.description, node.states) for node in nodes]
                           for nodes in (app.tree(), app.tree(slowly=True)))
            differences = [pair for pair in itertools.zip_longest(quick, slow) if pair[0] != pair[1]]
            self.found = differences[:3]
            return len(slow) > 20 and not differences

        try:
            app.look_until(alike, "two looks that find the same", 10)
        except AssertionError:
            self.fail(f"one look finds something else than the other: {self.found}")

    def test_the_list_and_what_is_opened_over_it(self):
        app = self.shell(["Buy milk", "Sleep"])
        self.check(app)
        app.key("F10")
        app.wait_for("menu item", "New Todo")
        self.check(app)

    def test_pages_and_their_parts(self):
        app = self.shell(["Buy milk"])
        self.open_me(app)
        self.check(app)

    def test_the_lock_and_what_is_parked_behind_it(self):
        app = self.locked()
        self.check(app)
        self.unlock(app)
        self.check(app)
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)
        self.check(app)
