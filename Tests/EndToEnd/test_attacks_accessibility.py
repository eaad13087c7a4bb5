"""Attacks by way of assistive technologies: they hold on to what they saw, and ask, act and listen on."""

import contextlib
import time

from Rig import TimedOut
from attacks import DRAFT, TODO, AttackTest, attack
from steps import LOCKED

STAYS = "locked content stays in the window"


class Accessibility:
    @attack(STAYS)
    def test_the_tree_of_what_is_locked(self):
        app = self.opened()
        app.type(DRAFT)
        app.look_until(lambda: app.find("text", "Add a todo").text == DRAFT, "the draft", 10)
        self.lock_by_command()
        self.assert_kept(app)

    @attack(STAYS)
    def test_nodes_that_were_held_on_to_are_read_and_worked(self):
        app = self.opened()
        app.type(DRAFT)
        app.look_until(lambda: app.find("text", "Add a todo").text == DRAFT, "the draft", 10)
        content = self.content(app)
        self.world.desk.keep(content)
        self.assertIn(TODO, str(self.world.desk.ask("extents", id=content[0].id)) + str(content))
        self.lock_by_command()
        self.assert_no_content(self.world.desk.poke(), "what is parked")
        self.assert_kept(app)
        self.assertEqual(self.todos(), [TODO])
        self.unlock(app)
        self.assertEqual(app.wait_for("text", "Add a todo").text, DRAFT)
        self.assertEqual(self.todos(), [TODO])

    @attack(STAYS)
    def test_all_that_was_ever_looked_at_is_asked_for_in_one(self):
        app = self.opened()
        app.type(DRAFT)
        app.look_until(lambda: app.find("text", "Add a todo").text == DRAFT, "the draft", 10)
        self.assertIn(TODO, str(self.world.desk.cached(app)))
        self.lock_by_command()
        self.assert_kept(app)
        # Each answer may bring back what lies one step further from what is left.
        for _ in range(20):
            self.assert_no_content(self.world.desk.cached(app), "what is kept for assistive technologies")
        self.unlock(app)
        app.wait_for("list item", TODO)
        self.assertNotIn("CRITICAL", app.log)

    @attack(STAYS)
    def test_a_way_is_sought_from_node_to_node(self):
        app = self.opened()
        app.type(DRAFT)
        app.look_until(lambda: app.find("text", "Add a todo").text == DRAFT, "the draft", 10)
        self.world.desk.keep([node for node in app.tree() if node.depth > 1])
        self.assertIn(TODO, str(self.world.desk.crawl()))
        self.lock_by_command()
        self.assert_no_content(self.world.desk.crawl(), "what can be reached from what was held on to")
        self.assert_kept(app)

    @attack(STAYS)
    def test_rows_that_left_the_view_are_asked_for(self):
        self.come_back([f"{TODO} {number}" for number in range(1, 501)], lock=True)
        app = self.world.app()
        self.unlock(app)
        app.wait_for("list item", f"{TODO} 1")
        self.world.desk.keep(self.content(app))
        app.key("Down", "End")
        app.wait_for("list item", f"{TODO} 500", states=("focused",))
        app.key("Home")
        app.wait_for("list item", f"{TODO} 1", states=("focused",))
        self.assertIn(TODO, str(self.world.desk.crawl()))
        self.lock_by_command()
        self.assert_no_content(self.world.desk.crawl(), "what can be reached from rows of the list")
        self.assert_no_content(self.world.desk.cached(app), "what is kept for assistive technologies")
        self.assert_kept(app)
        self.unlock(app)
        app.wait_for("list item", f"{TODO} 1", states=("focused",))
        self.assertNotIn("CRITICAL", app.log)

    @attack(STAYS)
    def test_content_is_read_without_a_pause_while_it_is_torn_down(self):
        app = self.opened()
        self.world.desk.keep([node for node in self.content(app) if TODO in node.name])
        self.world.desk.pester()
        for _ in range(5):
            self.lock_by_command()
            locked = time.monotonic()
            self.assert_kept(app)
            answers = self.world.desk.desist()
            self.assertIn(TODO, str([answer for asked, answer in answers if asked < locked]))
            self.assert_no_content([answer for asked, answer in answers if asked >= locked], "what is torn down")
            self.unlock(app)
            app.wait_for("list item", TODO)
            # What was held on to may be another node by now.
            self.world.desk.keep([node for node in self.content(app) if TODO in node.name])
            self.world.desk.pester()
        self.world.desk.desist()

    @attack("a draft is emptied in view")
    def test_what_is_told_while_it_is_torn_down(self):
        app = self.opened()
        app.type(DRAFT)
        app.look_until(lambda: app.find("text", "Add a todo").text == DRAFT, "the draft", 10)
        self.round_trip(app)
        self.world.desk.events()
        self.lock_by_command()
        self.assert_kept(app)
        told = [event for event in self.world.desk.events() if event["data"]]
        self.assert_no_content(told, "what was told")

    @attack("assistive technologies hear the keys")
    def test_the_password_is_listened_to(self):
        app = self.shut()
        password = self.world.user.password
        self.world.desk.events()
        app.type(password)
        told = []

        def heard():
            told.extend(event["data"] for event in self.world.desk.events()
                        if event["type"].startswith("object:text-changed:insert"))
            return len("".join(told)) >= len(password)

        app.until(heard, "the keys to be told")
        self.assertEqual(set("".join(told)), {"●"})
        self.assertEqual(set(app.find("password text").text), {"●"})
        self.assert_kept(app)

    @attack("any password will do")
    def test_the_field_is_filled_and_the_button_pressed_from_outside(self):
        app = self.shut()
        # GTK may take the text or not: what counts is what comes of it.
        self.world.desk.ask("set_text", id=app.find("password text").id, text="guess")
        app.type("guess")
        app.click("button", "Unlock")
        self.settle(app)
        self.assert_kept(app)

    @attack("the switch does not ask")
    def test_the_switch_is_turned_from_outside(self):
        app = self.opened()
        self.open_me(app)
        app.click("check box", "App Lock")
        app.wait_for("password text", states=("focused",))
        app.key("Escape")
        app.wait_gone("password text")
        self.assertEqual(self.preferences["biometricEnabled"], "true")
        self.lock_by_command()
        self.assert_kept(app)

    @attack("dialogs stay", "what appears behind the cover is let be")
    def test_everything_is_worked_behind_the_cover_and_then_it_locks(self):
        app = self.opened(lockAfterSeconds=300)
        self.open_me(app)
        self.world.desk.keep(self.content(app))
        main = app.window
        with self.world.display.other_window():
            app.until(lambda: app.title == "App Gates", "the bare title")
            # Within the grace period whoever comes back is let in, and a dialog that opens is as good as that.
            self.world.desk.poke()
            # A compositor that does not give it the keyboard leaves it behind the cover, where it is put away at once.
            with contextlib.suppress(TimedOut):
                app.until(lambda: len(app.windows()) > 1, "a dialog", 2)
            self.lock_by_command()
            app.until(lambda: app.windows() == [main], "no window but the locked one", 3)
            self.assert_kept(app)

    def content(self, app):
        """The nodes of the content that can be held on to, but those that close the window."""
        return [node for node in app.tree() if node.name and node.depth > 2 and node.name not in ("Close", "Quit")]


class AccessibilityOnX11(Accessibility, AttackTest):
    pass


class AccessibilityOnWayland(Accessibility, AttackTest):
    display = "wayland"
