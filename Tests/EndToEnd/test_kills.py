"""kill -9 at random moments, and full disks: what was acknowledged is there, once, and nothing is half done.

`store-writer` (Tests/StoreWriter) changes todos and preferences through the app's own stores, and tells of each change
when it begins and when its call has returned. It is killed KILLS times (1,000); each time what it said is compared with
the files, and the next one goes on with these. KILLS_SEED repeats a run's choices, but not the machine's.

A kill takes nothing of what the kernel has by then. So this shows what is written before a call returns, and not what
a power cut leaves: without any fsync it would pass as well.
"""

import os
import pathlib
import random
import select
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest

from steps import BINARIES, ROOT
from test_error_card import fill

KILLS = int(os.environ.get("KILLS") or 1000)
SEED = int(os.environ.get("KILLS_SEED") or random.SystemRandom().randrange(1 << 32))
# A release build has no programs for tests.
WRITER = next((path for path in (BINARIES / "store-writer", ROOT / ".build/debug/store-writer") if path.exists()), None)


class Broken(AssertionError):
    """A promise of the stores was broken."""


class State:
    """What is to be on disk: {title: done} and {key: value}."""

    def __init__(self, todos=(), preferences=()):
        self.todos, self.preferences = dict(todos), dict(preferences)

    def __eq__(self, other):
        return (self.todos, self.preferences) == (other.todos, other.preferences)

    def after(self, change):
        """The state that a change leads to."""
        state = State(self.todos, self.preferences)
        what, title, *rest = change.split(" ")
        if what == "add":
            state.todos[title] = 0
        elif what == "import":
            state.todos.update({f"{title}.{number}": 0 for number in range(int(rest[0]))})
        elif what == "tick":
            state.todos[title] = 1 - state.todos[title]
        elif what == "delete":
            del state.todos[title]
        elif what == "set":
            state.preferences.update({title: rest[0], rest[1]: rest[2]})
        return state

    def unlike(self, other):
        """The differences, for a message."""
        gone = {key: value for key, value in self.todos.items() if other.todos.get(key) != value}
        new = {key: value for key, value in other.todos.items() if self.todos.get(key) != value}
        return f"todos {gone} became {new}; preferences {self.preferences} became {other.preferences}"


@unittest.skipIf(WRITER is None, "there is no store-writer: run swift build --build-tests")
class KillTest(unittest.TestCase):
    def setUp(self):
        # In memory: a kill takes nothing from the disk's own cache, so that a disk would only make it slow.
        memory = pathlib.Path("/dev/shm")
        holder = tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)
        self.addCleanup(holder.cleanup)
        self.home, self.copies = pathlib.Path(holder.name) / "home", pathlib.Path(holder.name) / "copies"
        self.home.mkdir()
        self.copies.mkdir()
        self.data, self.config = self.home / ".local/share/app-gates", self.home / ".config/app-gates"
        self.random = random.Random(SEED)
        self.state = State()
        self.number = 0
        self.changes = self.uncertain = self.failures = 0

    # One life of the writer

    def start(self, fault=""):
        self.number += 1
        argv = [WRITER, str(SEED % 100_000 * 10_000 + self.number), *([fault] if fault else [])]
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                   env={"HOME": str(self.home), "PATH": os.environ["PATH"]})
        self.addCleanup(process.stdout.close)
        return process

    def life(self, fault=""):
        """Starts the writer, kills it at a random moment, and returns all that it said."""
        process = self.start(fault)
        said = b""
        # Half of the kills by what it has said: then by what goes on within a change, wherever that is. The others by
        # the time since its start, which hits the opening and the repair of what the last kill left.
        lines = self.random.randrange(1, 120) if self.random.random() < 0.6 else None
        end = time.monotonic() + (10 if lines else self.random.random() * 0.04)
        try:
            while (left := end - time.monotonic()) > 0 and (lines is None or said.count(b"\n") < lines):
                if select.select([process.stdout], [], [], left)[0]:
                    more = os.read(process.stdout.fileno(), 65_536)
                    if not more:
                        break
                    said += more
            if lines:
                # Up to a third of a millisecond of its work; a sleep is never that short.
                until = time.perf_counter() + self.random.random() * 0.0003
                while time.perf_counter() < until:
                    pass
        finally:
            process.kill()
        while more := os.read(process.stdout.fileno(), 65_536):
            said += more
        process.wait()
        process.stdout.close()
        return said.decode()

    # What follows from it

    def follow(self, said):
        """Takes what was said for true: the state that is sure, and the change that had begun and may be there."""
        lines = said.split("\n")
        # The last line has no end where the kill came in the middle of it; it was not said then.
        lines.pop()
        begun = None
        found = State()
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "have":
                title, done = rest.split(" ")
                if title in found.todos:
                    raise Broken(f"{title} is there twice")
                found.todos[title] = int(done)
            elif word == "pref":
                key, _, value = rest.partition(" ")
                found.preferences[key] = value
            elif word == "ready":
                if found != self.state:
                    raise Broken("another list at the next start: " + self.state.unlike(found))
            elif word == "begin":
                begun = rest
            elif word == "done":
                self.changes += 1
                self.state, begun = self.state.after(begun), None
            elif word == "failed":
                if begun is None:
                    raise Broken(f"the list could not be opened: {rest}")
                self.failures += 1
                begun = None
            else:
                raise Broken(f"the writer said “{line}”")
        return begun

    def on_disk(self):
        """What the files say, looked at in a copy of them: to open them would repair them."""
        state = State()
        with tempfile.TemporaryDirectory(dir=self.copies) as copy:
            for part in ("todos.sqlite3", "todos.sqlite3-wal"):
                if (self.data / part).exists():
                    shutil.copy(self.data / part, copy)
            path = pathlib.Path(copy) / "todos.sqlite3"
            if path.exists() and path.stat().st_size:
                database = sqlite3.connect(path)
                try:
                    verdict = database.execute("PRAGMA integrity_check").fetchall()
                    if verdict != [("ok",)]:
                        raise Broken(f"the database is damaged: {verdict}")
                    if database.execute("PRAGMA user_version").fetchone()[0]:
                        for title, done, line in database.execute("SELECT title, done, line FROM todo"):
                            if title in state.todos:
                                raise Broken(f"{title} is there twice")
                            if line != "2026-05-01 " + title:
                                raise Broken(f"{title} has the line {line}")
                            state.todos[title] = done
                finally:
                    database.close()
        ini = self.config / "preferences.ini"
        if ini.exists():
            group, *pairs = [line for line in ini.read_text().split("\n") if line]
            if group != "[preferences]":
                raise Broken(f"the preferences begin with {group}")
            state.preferences = dict(pair.split("=", 1) for pair in pairs)
        return state

    def compare(self, begun):
        """What is on disk is what was acknowledged, with or without the one change that had begun."""
        found = self.on_disk()
        if found == self.state:
            self.uncertain += begun is not None
        elif begun is not None and found == self.state.after(begun):
            self.uncertain += 1
            self.state = found
        else:
            raise Broken(f"kill {self.number} of seed {SEED}, “{begun}” had begun: " + self.state.unlike(found))

    def kills(self, times, fault=""):
        for _ in range(times):
            self.compare(self.follow(self.life(fault)))

    # The tests

    def test_killed_at_random_moments(self):
        began = time.monotonic()
        self.kills(KILLS)
        left = [path.name for folder in (self.data, self.config) for path in folder.iterdir()
                if ".damaged" in path.name]
        self.assertEqual(left, [])
        print(f"{KILLS} kills in {time.monotonic() - began:.0f} s, seed {SEED}: {self.changes} acknowledged changes, "
              f"{self.uncertain} kills within one", flush=True)
        # Too few would show nothing.
        self.assertGreater(self.changes, KILLS)
        self.assertGreater(self.uncertain, KILLS // 20)

    def test_a_weakened_store_is_noticed(self):
        """With a promise broken on purpose the same test fails, within fewer kills."""
        for fault in ("early", "pieces"):
            with self.subTest(fault):
                self.setUp()
                with self.assertRaises(Broken):
                    self.kills(KILLS, fault)

    def test_full_disk(self):
        """On a disk that fills up and empties again; killed there too."""
        if os.geteuid() != 0:
            self.skipTest("only root can mount a small disk")
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "none", self.home], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.home], check=True)
        filler = self.home / "filler"
        for _ in range(max(5, KILLS // 20)):
            self.kills(1)
            # Full but for some pages, or for none: then there may be no room to open the list either.
            fill(filler)
            os.truncate(filler, max(0, filler.stat().st_size - 4096 * self.random.choice((0, 0, 1, 2, 8))))
            for _ in range(3):
                said = self.life()
                if said.startswith("failed noSpace\n"):
                    self.failures += 1
                    said = ""
                self.compare(self.follow(said))
            filler.unlink()
        self.kills(1)
        print(f"seed {SEED}: {self.failures} refusals by the full disk, {self.changes} acknowledged changes", flush=True)
        self.assertGreater(self.failures, 20)
        self.assertGreater(self.changes, 20)


if __name__ == "__main__":
    unittest.main()
