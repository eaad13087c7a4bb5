"""What the tests of todo.txt files share: the menu, and the choosers of files, the app's own and the desktop's."""

import json
import re
import subprocess

from damage import SharedWorldTest
from steps import ROOT, titles, until


class TodoTxtTest(SharedWorldTest):
    def menu(self, app, entry):
        """Chooses from the main menu, with the keyboard."""
        app.key("F10")
        app.wait_for("menu item", re.compile(entry))
        app.click("menu item", re.compile(entry))

    def choose(self, app, entry, path):
        """Asks for it in the menu, and answers the chooser with the path."""
        self.menu(app, entry)
        app.look_until(lambda: len(app.windows()) == 2, "the chooser", 15)
        self.answer(app, path)
        app.look_until(lambda: len(app.windows()) == 1, "the chooser to be gone", 15)

    def answer(self, app, path):
        """Names a file in the chooser."""
        if not app.has("button", re.compile("Save$")):
            # A slash opens a field for a path.
            app.type("/")
        app.wait_for("text", states=("focused",)).set_text(str(path))
        app.key("Return")

    def file(self, content, name="todo.txt"):
        path = self.world.home / name
        self.world.write(path, content)
        return path

    def imports(self, app, path, *sentences):
        """The preview of a file, which says these; then Import."""
        self.choose(app, "Import", path)
        app.wait_for("alert", re.compile(".*".join(map(re.escape, sentences))))
        app.wait_for("button", "Import", states=("focused",))
        app.key("Return")

    def exported(self, app, name="out.txt"):
        path = self.world.home / name
        self.choose(app, "Export", path)
        # It comes whole; the message may wait behind another.
        app.until(path.exists, "the file")
        return path.read_bytes()

    def shows(self, app, *expected):
        app.look_until(lambda: titles(app) == list(expected), f"the list {expected}", 15)


class Portal:
    """The desktop's own chooser, another program's window, and the user's answers there."""

    def __init__(self, world):
        source = ROOT / "Tests/Fakes/fake_portal.py"
        script = world.write(world.bin / source.name, source.read_text())
        self.out = world.folder / "portal.out"
        with self.out.open("wb") as out:
            self.child = world.start(["/usr/bin/python3", script], "portal", stdin=subprocess.PIPE, stdout=out)
        world.session.wait_for("org.freedesktop.portal.Desktop")

    def events(self, key):
        return [event[key] for event in map(json.loads, self.out.read_text().splitlines()) if key in event]

    def answer(self, path):
        before = len(self.events("answered"))
        self.child.process.stdin.write(f"{path}\n".encode())
        self.child.process.stdin.flush()
        until(lambda: len(self.events("answered")) > before, "the answer on its way")


__all__ = ["Portal", "TodoTxtTest"]
