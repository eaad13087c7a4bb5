"""What most tests begin with: a user who has been here before, the files of the app, and a few longer looks."""

import configparser
import json
import os
import pathlib
import re
import shutil
import sqlite3
import tempfile
import time
import unittest

from Rig import World, until, why_no_user

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("APP_GATES_BIN") or ROOT / ".build/debug")
CONSENT = re.search(r'static let version = "([^"]+)"',
                    (ROOT / "Sources/GateCore/LegalContent.swift").read_text()).group(1)
RETURNING = {"onboardingCompleted": True, "onboardingPage": 3, "acceptedConsentVersion": CONSENT,
             "sessionName": "Test User", "sessionStore": "file", "sessionStarted": 1700000000}
SCHEMA = """
CREATE TABLE todo (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL,
  done INTEGER NOT NULL CHECK (done IN (0, 1)), created INTEGER NOT NULL, completed INTEGER,
  position INTEGER NOT NULL) STRICT;
CREATE INDEX todo_order ON todo (position, id);
PRAGMA application_id = 0x41704774; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;
"""
LOCKED = "App Gates is locked"
WELCOME = re.compile("^Welcome, ")
# What only a gate's own screen says: none of it may ever be seen by somebody who falls straight through.
GATE_WORDS = {"This version is too old", "A new version is available", "Locked when you are away", "Before you begin",
              "Continue on this computer", "Something went wrong", LOCKED}

needs_user = unittest.skipIf(why_no_user(), f"{why_no_user()}")


class WorldTest(unittest.TestCase):
    """A test with a world of its own, `self.world`."""

    options = {"size": (1280, 1800)}

    def setUp(self):
        self.world = World(**self.options)
        self.addCleanup(self.world.close)

    # The user

    def come_back(self, todos=(), lock=False, **preferences):
        """Makes the user one who has been through every gate, and has these todos."""
        come_back(self.world, todos, lock, **preferences)

    def shell(self, todos=(), **preferences):
        """The app of such a user, on its list."""
        self.come_back(todos, **preferences)
        app = self.world.app()
        app.wait_for("text", "Add a todo")
        return app

    def locked(self, todos=("Buy milk",), wait=True, **preferences):
        """The app of such a user with the lock on: locked, and asking for the password."""
        self.come_back(todos, lock=True, **preferences)
        app = self.world.app()
        app.wait_for("label", LOCKED)
        if wait:
            app.wait_for("password text", states=("focused",))
        return app

    def unlock(self, app, password=None):
        app.wait_for("password text", states=("focused", "editable"), seconds=15)
        app.type(password or self.world.user.password)
        app.key("Return")
        app.wait_gone("label", LOCKED)

    def open_me(self, app):
        """The page Me, in a window that shows all of it."""
        app.key("alt+2")
        app.wait_for("label", "Account Security")
        app.resize(760, 1720)

    # The files

    @property
    def preferences(self):
        """What preferences.ini says, as text."""
        return preferences(self.world)

    def todos(self):
        """The titles on disk, in their order; a tick before those that are done."""
        return todos(self.world)

    def status(self, **options):
        done = self.world.run([self.world.binaries / "app-gates", "--status"], **options)
        return json.loads(done.stdout)

    def decisions(self):
        """{gate: decision} of --status."""
        return {gate["gate"]: gate["decision"] for gate in self.status()["gates"]}

    # Looks

    def tab_to(self, app, role, name, **more):
        """Presses Tab until this has the keyboard, and never more often than a page has widgets."""
        states = ("focused", *more.pop("states", ()))
        for _ in range(16):
            if app.find(role, name, states=states, **more):
                return
            app.key("Tab")
        self.fail(f"Tab does not lead to {name}\n{app.dump()}")

    def assert_hidden(self, app, *words):
        """None of the words is anywhere in the accessible tree, shown or not, nor in a title."""
        dump = app.dump()
        for word in words:
            self.assertNotIn(word, dump)
            self.assertNotIn(word, app.title or "")


def come_back(world, todos=(), lock=False, **preferences):
    world.write(world.data / "app-gates/session.key", "ab" * 32 + "\n")
    world.preferences(**{**RETURNING, "biometricEnabled": lock, **preferences})
    if todos:
        path = world.data / "app-gates/todos.sqlite3"
        database = sqlite3.connect(path)
        database.executescript(SCHEMA)
        database.executemany("INSERT INTO todo (title, done, created, position) VALUES (?, 0, 1700000000, ?)",
                             [(title, place + 1) for place, title in enumerate(todos)])
        database.commit()
        database.close()
        path.chmod(0o600)
        world.own(path)


def preferences(world):
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(world.config / "app-gates/preferences.ini")
    return dict(parser["preferences"]) if parser.has_section("preferences") else {}


def todos(world):
    # From a copy of what lies on disk: to look into the file itself would leave files of root's beside it.
    with tempfile.TemporaryDirectory() as folder:
        for part in ("todos.sqlite3-wal", "todos.sqlite3"):
            if (world.data / "app-gates" / part).exists():
                shutil.copy(world.data / "app-gates" / part, folder)
        database = sqlite3.connect(f"{folder}/todos.sqlite3")
        rows = database.execute("SELECT title, done FROM todo ORDER BY position, id").fetchall()
        database.close()
    return [("✓ " if done else "") + title for title, done in rows]


def titles(app):
    """The todos that the list shows, in their order, as a screen reader says them."""
    found, row = [], None
    for node in app.tree():
        if node.role == "list item":
            row = node.name
        elif node.role == "check box" and node.name.startswith("Done: "):
            found.append(row)
    return found


def pixels(world, left, top, width, height):
    """The set of colours in a part of the screen."""
    return set(world.display.part(left, top, width, height))


def at_least(seconds, since):
    """Waits until so much time has passed, for what is defined by time and by nothing else."""
    time.sleep(max(0.0, since + seconds - time.monotonic()))


__all__ = ["BINARIES", "CONSENT", "GATE_WORDS", "LOCKED", "RETURNING", "ROOT", "WELCOME", "World", "WorldTest",
           "at_least", "come_back", "needs_user", "pixels", "preferences", "titles", "todos", "until"]
