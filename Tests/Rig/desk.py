"""The accessible side of a world: a child process as its user (driver.py), asked over pipes."""

import json
import pathlib
import select
import shutil
import subprocess

from .children import Child
from .wait import TimedOut

# A python of one's own (pyenv, venv) has no gi; Debian's has.
PYTHON = "/usr/bin/python3"


class Desk:
    """Everything that is accessible on a world's display."""

    def __init__(self, world):
        self.world = world
        for name in ("look.py", "driver.py"):
            copy = world.folder / name  # where the user can read it
            shutil.copy(pathlib.Path(__file__).with_name(name), copy)
            copy.chmod(0o644)
        self.child = Child(world.command([PYTHON, "-B", copy]), world.folder / "driver.log", world.env, cwd="/",
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        world.started.append(self.child)
        self.receive(20)

    def ask(self, op, seconds=30, **values):
        """Sends one question; the answer as a dictionary. A refusal of the toolkit is raised."""
        request = json.dumps(dict(values, op=op)) + "\n"
        self.child.process.stdin.write(request.encode())
        self.child.process.stdin.flush()
        reply = self.receive(seconds)
        if "error" in reply:
            raise RuntimeError(f"accessibility, {op}: {reply['error']}")
        return reply

    def receive(self, seconds):
        # One line for each question: nothing can wait unread in the pipe's buffer behind it.
        ready, _, _ = select.select([self.child.process.stdout], [], [], seconds)
        if not ready:
            raise TimedOut("the accessible tree does not answer: " + self.child.output())
        line = self.child.process.stdout.readline()
        if not line:
            raise RuntimeError("the accessibility driver ended: " + self.child.output())
        return json.loads(line)

    def events(self):
        """What was heard since the last call: dictionaries with type, role, name, data (text that was put in).

        Nothing is noted before the first call, since it takes a question back for each event.
        """
        return self.ask("events")["events"]

    def keep(self, nodes):
        """Holds on to nodes of the last look, whatever becomes of them, as a client may that wants to go on asking."""
        return self.ask("keep", ids=[node.id for node in nodes])["kept"]

    def poke(self):
        """Reads and works everything that was kept; what was answered, as a list of text."""
        return self.ask("poke", seconds=120)["answers"]

    def cached(self, app):
        """What the app tells of all that was ever looked at, as a list of text, one a node."""
        return self.ask("cached", pid=app.pid)["text"]

    def crawl(self):
        """Goes from what was kept to every child and parent, and on from there; what was answered, as a list of text."""
        return self.ask("crawl", seconds=120)["answers"]

    def pester(self):
        """Reads what was kept over and over, until `desist`."""
        self.ask("pester")

    def desist(self):
        """Ends `pester`: (when it was asked, by the monotonic clock; what was answered) of each question."""
        return [tuple(answer) for answer in self.ask("desist")["answers"]]

    def end(self):
        """Stops listening, so that the program has nobody to tell; the next look starts anew."""
        self.child.end()
        self.world._desk = None
