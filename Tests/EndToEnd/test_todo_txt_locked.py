"""A file that is chosen, and what it would bring, over a lock: nothing happens behind it, and nothing is to be seen."""

import contextlib
import re
import sqlite3

from steps import LOCKED, needs_user
from todo_files import Portal, TodoTxtTest

UNDO = re.compile("Undo$")


@needs_user
class LockedTest(TodoTxtTest):
    def opened(self):
        self.come_back(["Buy milk"], lock=True)
        app = self.start()
        self.unlock(app)
        app.wait_for("text", "Add a todo")
        return app

    def lock(self, app):
        self.world.run([self.world.binaries / "app-gates", "--lock"])
        app.wait_for("label", LOCKED)

    def test_what_is_chosen_behind_the_lock_is_dropped(self):
        portal = Portal(self.world)
        self.addCleanup(portal.child.end)
        before = dict(self.world.env)
        self.world.env.update(GTK_USE_PORTAL="1", GDK_DEBUG="portals")
        self.addCleanup(self.world.env.update, before)
        self.addCleanup(self.world.env.pop, "GDK_DEBUG")
        app = self.opened()
        path, out = self.file("Planted\n"), self.world.home / "out.txt"
        cases = {"Import": ("OpenFile", path, "The app was locked meanwhile, so nothing was imported. Import again."),
                 "Export": ("SaveFile", out, "The app was locked meanwhile, so nothing was exported. Export again.")}
        for number, (entry, (method, chosen, words)) in enumerate(cases.items(), 1):
            self.menu(app, entry)
            app.until(lambda: len(portal.events("method")) == number, "the chooser")
            self.assertEqual(portal.events("method")[-1], method)
            self.lock(app)
            portal.answer(chosen)
            # One more round with the app, which has heard the answer by then.
            self.assert_hidden(app, "Planted", "Import Todos", words)
            self.unlock(app)
            self.assertFalse(app.has("label", "Import Todos"))
            app.wait_for("label", words)
        self.assertEqual(self.todos(), ["Buy milk"])
        self.assertFalse(out.exists())
        # In time it does what it is told.
        self.menu(app, "Import")
        app.until(lambda: len(portal.events("method")) == 3, "the chooser")
        portal.answer(path)
        app.wait_for("alert", "1 todo is new.")

    def test_a_chooser_of_the_apps_own_comes_back(self):
        app = self.opened()
        self.menu(app, "Import")
        app.look_until(lambda: len(app.windows()) == 2, "the chooser", 15)
        self.lock(app)
        app.look_until(lambda: len(app.windows()) == 1, "the chooser to be hidden", 5)
        self.unlock(app)
        app.look_until(lambda: len(app.windows()) == 2, "the chooser", 15)

    def test_the_preview_is_behind_the_lock(self):
        app = self.opened()
        self.choose(app, "Import", self.file("Secret line\n", "secret-name.txt"))
        app.wait_for("label", "Secret line")
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)
        self.assert_hidden(app, "Secret line", "secret-name", "Import Todos")
        self.unlock(app)
        app.wait_for("button", "Import", states=("focused",))
        app.key("Return")
        self.shows(app, "Buy milk", "Secret line")

    @contextlib.contextmanager
    def list_in_use(self):
        """Another program has the list to itself, for less than the ten seconds that an import waits."""
        other = sqlite3.connect(self.world.data / "app-gates/todos.sqlite3", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
            other.close()

    def test_an_import_in_flight_survives_the_lock(self):
        app = self.opened()
        self.choose(app, "Import", self.file("Secret line\n"))
        app.wait_for("button", "Import", states=("focused",))
        with self.list_in_use():
            app.key("Return")
            app.wait_for("label", "Adding the todos…")
            app.key("ctrl+l")
            app.wait_for("label", LOCKED)
            self.assertEqual(self.todos(), ["Buy milk"])
        app.until(lambda: self.todos() == ["Buy milk", "Secret line"], "the todo on disk")
        self.assert_hidden(app, "Secret line", "imported", "Import Todos")
        self.unlock(app)
        self.shows(app, "Buy milk", "Secret line")
        app.wait_for("label", "1 todo was imported.")
        app.click("button", UNDO)
        self.shows(app, "Buy milk")
