"""The program under test, seen and worked from outside."""

import contextlib
import os
import pathlib
import re
import subprocess
import time

from .children import Child
from .tree import Node, as_text
from .wait import TimedOut, until


WHEEL_UP, WHEEL_DOWN = 4, 5  # buttons of the pointer, to X
# What can slip under the bars at the head and the foot of a window, and how high those are at most.
ROWS, BAR = ("list item", "check box", "combo box"), 50


class Gone(AssertionError):
    """The program ended while a test still looked at it."""


class App:
    """One run of a program in a world."""

    count = 0

    def __init__(self, world, argv, env=None):
        App.count += 1
        self.world, self.display = world, world.display
        log = world.folder / f"app-{App.count}.log"
        # Standard output apart from the messages: what the program prints is part of its interface.
        self.printed = world.folder / f"app-{App.count}.out"
        with open(self.printed, "wb") as out:
            self.child = Child(world.command(argv), log, dict(world.env, **(env or {})), cwd="/", stdout=out)
        world.started.append(self.child)
        self.pid = self.child.pid
        self.looks = 0

    @property
    def desk(self):
        return self.world.desk

    # Looking

    def tree(self, slowly=False):
        """Every accessible node, in order, the application first; empty where it is not on the bus.

        `slowly` asks each node by itself, where it is all told in one answer otherwise.
        """
        self.looks += 1
        nodes, shown = [], {-1: True}
        for found in self.desk.ask("tree", pid=self.pid, slowly=slowly)["nodes"]:
            node = Node(self, self.looks, **dict(found, states=frozenset(found["states"])))
            # The application itself has no states.
            node.shown = shown[node.depth - 1] and (node.depth == 0 or "visible" in node.states)
            shown[node.depth] = node.shown
            nodes.append(node)
        return nodes

    def dump(self):
        """The tree as text."""
        return as_text(self.tree())

    def in_sight(self):
        """What has a name and a place in its window, in one line."""
        nodes = [node for node in self.tree() if node.is_named and node.shown]
        return ", ".join(str(node) for node in nodes if node.is_on_screen)

    def find_all(self, role=None, name=None, states=(), shown=True):
        """The nodes that match; see Node.matches."""
        return [node for node in self.tree() if node.matches(role, name, states, shown)]

    def find(self, role=None, name=None, **more):
        """The first that matches, or None."""
        return next(iter(self.find_all(role, name, **more)), None)

    def has(self, role=None, name=None, **more):
        return self.find(role, name, **more) is not None

    def wait_for(self, role=None, name=None, seconds=10.0, **more):
        """The first node that matches, as soon as there is one."""
        return self.look_until(lambda: self.find(role, name, **more), self.wanted(role, name, more), seconds)

    def wait_gone(self, role=None, name=None, seconds=10.0, **more):
        """Returns once nothing matches."""
        self.look_until(lambda: not self.has(role, name, **more), "no " + self.wanted(role, name, more), seconds)

    def wanted(self, role, name, more):
        return " ".join(str(word) for word in (role, name and repr(name), more or None) if word)

    def look_until(self, look, what, seconds):
        """Looks at once, and after each accessibility event; the tree is in the message where it is in vain."""
        end = time.monotonic() + seconds
        looks = 0
        while True:
            found = look()
            looks += 1
            if found:
                return found
            if not self.child.is_running:
                raise Gone(f"the program ended with {self.child.process.returncode}, waiting for {what}\n{self.log}")
            left = end - time.monotonic()
            # One look may have taken all the time, and have begun before what it looked for was there.
            if left <= 0 and looks > 2:
                raise TimedOut(f"not within {seconds:g} s and {looks} looks: {what}; there is {self.in_sight()}\n"
                               f"{self.dump()}\n{self.log}")
            # Not every change has its event: a look each 0.2 s all the same.
            self.desk.ask("next", ms=max(1, int(min(max(left, 0.1), 0.2) * 1000)))

    def wait_for_window(self, seconds=20.0):
        """Returns once a window of the program is shown, and readable."""
        self.look_until(lambda: self.windows(), "a window", seconds)
        if self.desk:
            self.look_until(lambda: len(self.find_all()) > 1, "an accessible window", seconds)

    # Acting

    def click(self, role, name=None, seconds=10.0, **more):
        """Waits for a node and clicks it through its action; where it has none, with the pointer.

        It has a place in its window: on another page of a stack a button can be found, and its action does nothing.
        """
        more["states"] = ("sensitive", *more.get("states", ()))

        def look():
            return next((node for node in self.find_all(role, name, **more) if node.is_on_screen), None)

        self.look_until(look, self.wanted(role, name, more), seconds).click()

    def set_text(self, role, name, text, **more):
        self.wait_for(role, name, **more).set_text(text)

    def key(self, *keys):
        """Presses keys into the window in front."""
        self.display.key(*keys)

    def type(self, text):
        self.display.type(text)

    def point_at(self, node, button=1):
        """Clicks on the middle of a node with the pointer, and turns the wheel until that is in the window."""
        left, top, window_width, window_height = self.display.geometry(self.window)
        bar = BAR if node.role in ROWS else 0

        def middle():
            x, y, width, height = node.extents
            return left + x + width // 2, top + y + height // 2

        def is_in_view():
            above, below = middle()[1] < top + bar, middle()[1] >= top + window_height - bar
            if above or below:
                self.display.click(left + window_width // 2, top + window_height // 2, WHEEL_UP if above else WHEEL_DOWN)
            return not above and not below

        def is_at_rest():
            before = middle()
            time.sleep(0.05)
            return middle() == before

        # The page may glide: nothing tells when it has come to rest.
        until(lambda: is_in_view() and is_at_rest(), f"{node} in view", 10)
        self.display.click(*middle(), button)

    # Windows

    def windows(self, visible=True):
        """Its X windows, oldest first."""
        return self.display.windows(self.pid, visible)

    @property
    def window(self):
        """Its first window."""
        found = self.windows(visible=False)
        if not found:
            raise Gone(f"the program has no window\n{self.log}")
        return found[0]

    @property
    def title(self):
        return self.display.title(self.window)

    @property
    def is_active(self):
        """Whether one of its windows is in front."""
        return self.display.active() in self.windows()

    def activate(self):
        """Brings its window to the front and waits for it."""
        self.display.activate(self.window)

    def minimise(self):
        self.display.minimise(self.window)

    def resize(self, width, height):
        return self.display.resize(self.window, width, height)

    def screenshot(self, path, whole=False, settled=True):
        """A PNG of its window as it is on the screen, or of the whole screen."""
        return self.display.screenshot(path, None if whole else self.window, settled)

    # The process

    @property
    def log(self):
        """What it wrote to standard error."""
        return self.child.output()

    @property
    def output(self):
        """What it wrote to standard output."""
        return pathlib.Path(self.printed).read_text(errors="replace")

    def cpu_ticks(self):
        """User and system time so far, its ended children not counted, in clock ticks (100 a second)."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def memory_kib(self):
        """(PSS, the part of it that is the program's own) in KiB.

        How much of a library's pages counts for one program hangs on who else has them in use, and the pictures of
        its window, shared with the display, come and go with each frame: growth is told by its own part.
        """
        text = pathlib.Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        found = {line.split(":")[0]: int(line.split()[1]) for line in text.splitlines()[1:]}
        return found["Pss"], found["Pss_Anon"]

    def children(self):
        """The processes that it has started and that still run: {pid: name}."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    name, _, rest = (entry / "stat").read_text().partition("(")[2].rpartition(")")
                except OSError:
                    continue
                if int(rest.split()[1]) == self.pid:
                    found[int(entry.name)] = name
        return found

    def close(self, seconds=10.0):
        """Closes its window as the user would, through the window manager; the exit status."""
        # Brought to the front again, a window is nobody's for a moment, and the keys then close nothing.
        if self.display.active() != self.window:
            self.activate()
        self.key("alt+F4")
        try:
            # A display that has just come loses a key now and then, and a user whose window is still there presses it
            # once more.
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.wait(seconds / 2)
            if self.display.active() in self.windows():
                self.key("alt+F4")
            return self.wait(seconds / 2)
        except subprocess.TimeoutExpired:
            threads = ", ".join(f"{(task / 'comm').read_text().strip()}: {(task / 'wchan').read_text()}"
                                for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir())
            raise TimedOut(f"not within {seconds:g} s: its end. Its windows are {self.windows()}, in front is "
                           f"{self.display.active()}; it waits in {threads}\n{self.log}") from None

    def wait(self, seconds=10.0):
        """The exit status, once it ends by itself."""
        return self.child.wait(seconds)

    def end(self):
        """Ends it from outside; the exit status."""
        return self.child.end()

    def kill(self):
        """Ends it as a power cut would: the next boot has another name than the one that the run has left."""
        status = self.force_quit()
        marker = self.world.state / "app-gates/run"
        if marker.exists():
            marker.write_text(re.sub("(?m)^boot=.*", "boot=the-one-before", marker.read_text()))
        return status

    def force_quit(self):
        """Ends it as a desktop does with what does not answer."""
        self.child.process.kill()
        return self.child.wait()

    def signal(self, number):
        os.kill(self.pid, number)

    def until(self, look, what, seconds=10.0):
        """Waits for something outside of the tree; see wait.until."""
        return until(look, what, seconds)
