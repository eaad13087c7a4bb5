"""The list with 100, 1,000 and 10,000 todos: how soon it opens, how smoothly it scrolls, how soon a filter shows."""

import contextlib
import os
import shutil
import sqlite3
import statistics
import subprocess
import time

from Rig import World, until
from Rig.children import Child

from figures import compile_c, interval, say
from frames import SETTINGS
from installed import install
from start import SETTLE, is_alone, one
from steps import come_back

SIZES = [100, 1000, 10000]
ROUNDS = int(os.environ.get("BENCH_OPENINGS", 20))
OPENING_GOAL, FRAME_GOAL, FILTER_GOAL = 1.5, 16, 50
WHEEL_UP, WHEEL_DOWN = 4, 5
FILTERS = int(os.environ.get("BENCH_FILTERS", 20))


def title(number):
    """As people write them: some are so long that they take several lines."""
    about = " about the house, the garden, and what else there is to be looked after before the year is over"
    return f"Todo {number}" + (about * (1 + number % 3) if number % 9 == 0 else f" {about[:number % 40]}").rstrip()


class Lists:
    """A list on disk for each size, put in place before the program starts."""

    def __init__(self, world):
        self.world, self.files = world, {}
        self.path = world.data / "app-gates/todos.sqlite3"
        for size in SIZES:
            come_back(world, [title(number) for number in range(1, size + 1)])
            database = sqlite3.connect(self.path)
            database.execute("UPDATE todo SET done = 1, completed = 1700000000 WHERE id % 2 = 0")
            database.commit()
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.close()
            self.files[size] = world.folder / f"{size}.sqlite3"
            shutil.move(self.path, self.files[size])
            self.clear()

    def clear(self):
        for path in self.path.parent.glob("todos.sqlite3*"):
            path.unlink()

    def place(self, size):
        self.clear()
        shutil.copy(self.files[size], self.path)
        self.path.chmod(0o600)
        self.world.own(self.path)


def beside(values, digits=0):
    """The values of all sizes, in one line."""
    return ", ".join(f"{values[size]:.{digits}f}" for size in SIZES)


def openings(folder):
    observer = compile_c("first_frame", folder, "x11", "xdamage")
    with World() as world:
        program = install(world) / "bin/app-gates"
        lists = Lists(world)
        found = {size: [] for size in SIZES}
        alone = True
        for number in range(ROUNDS + 1):
            for size in SIZES if number % 2 else reversed(SIZES):
                lists.place(size)
                alone = alone and is_alone()
                measured = one(world, observer, program)
                if number > 0:  # the first is for the page cache
                    found[size].append(measured)
    times = {size: statistics.median(time for time, _ in found[size]) for size in SIZES}
    for size in SIZES[1:]:
        pairs = [(one[0], other[0]) for one, other in zip(found[size], found[SIZES[0]])]
        ratio = statistics.median(a / b for a, b in pairs)
        low, high = interval(pairs)
        say(f"Todos, start to the list on the screen, {size:,} of them: {ratio:.3f} times that of {SIZES[0]}, 95 % "
            f"interval {low:.3f} to {high:.3f}, goal at most {OPENING_GOAL}  ({len(pairs)} pairs)")
    names = ", ".join(f"{size:,}" for size in SIZES)
    say(f"Todos, start to the list on the screen, with {names}: {beside(times)} ms")
    if alone:
        sizes = {size: statistics.median(pss for _, pss in found[size]) / 1024 for size in SIZES}
        say(f"Todos, memory, PSS, with {names}: {beside(sizes, 1)} MiB")
    else:
        say("Todos, memory: not measured, since other GTK programs run here and share their libraries: end them.")


class Keys:
    """Keys, clicks and movements without the start of a program before each."""

    def __init__(self, world):
        self.child = Child(world.command(["xdotool", "-"]), world.folder / "keys.log", world.env, cwd="/",
                           stdin=subprocess.PIPE, text=True)
        world.started.append(self.child)

    def do(self, command):
        self.child.process.stdin.write(command + "\n")
        self.child.process.stdin.flush()


class Costs:
    """What frames cost, by the library that the program was started with."""

    def __init__(self, path):
        self.path = path

    def since(self, moment):
        """(when it was done, work, work of the processor, all in ms; labels with new words) of each."""
        if not self.path.exists():
            return []
        lines = [line.split() for line in self.path.read_text().splitlines()]
        found = [(*map(float, line[:3]), int(line[3])) for line in lines if len(line) == 4]
        return [frame for frame in found if frame[0] >= moment]

    def rest(self):
        """Waits until nothing is drawn any more."""
        until(lambda: not self.since(now() - 300), "no more frames", 20)


def now():
    return time.monotonic() * 1000


@contextlib.contextmanager
def program(world, size, lists, library):
    costs = Costs(world.home / f"frames-{size}")
    lists.place(size)
    app = world.app(env={"LD_PRELOAD": str(library), "FRAME_COST_FILE": str(costs.path)})
    app.wait_for("list item", title(1).strip())
    world.desk.end()  # nobody asks while we measure
    app.activate()
    costs.rest()
    yield app, costs
    app.close()


def scroll(app, costs):
    """By the wheel, by keys, and by the bar; all frames of it."""
    left, top, width, height = app.display.geometry(app.window)
    # The bar lies at the right edge, and is as wide as it gets once the pointer is there.
    bar, begin, path = left + width - 8, top + 170, list(range(0, height - 200, 4))

    def do(*words):
        app.display.tool("xdotool", *(str(word) for word in words), seconds=60)

    do("mousemove", left + width // 2, top + height // 2)
    costs.rest()
    began = now()
    for button in (WHEEL_DOWN, WHEEL_UP) * 3:
        do("click", "--repeat", 60, "--delay", 12, button)
    do("key", "Down")
    for key in ("Page_Down", "Page_Up") * 3 + ("End", "Home"):
        do("key", "--delay", 12, *[key] * 12)
    do("mousemove", bar, begin)
    costs.rest()
    drag = [word for step in path + path[::-1] for word in ("mousemove", bar, begin + step, "sleep", 0.012)]
    do("mousedown", 1, *drag, "mouseup", 1)
    do("key", "ctrl+n")
    costs.rest()
    # The first holds what was done before, since the frame before.
    return costs.since(began)[1:]


def filters(keys, costs):
    """From the key that chooses a filter to the end of the first frame with its todos, in ms."""
    found = []
    for number in range(FILTERS):
        pressed = now()
        keys.do(f"key --delay 0 alt+{'doa'[number % 3]}")
        shown = until(lambda: [done for done, _, _, labels in costs.since(pressed) if labels > 3], "the filter's todos")
        found.append(shown[0] - pressed)
        costs.rest()
    return found


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def measure(folder):
    openings(folder)
    flags = ["-shared", "-fPIC", "-ldl"]
    library = compile_c("frame_cost", folder, "gtk4", flags=flags)
    frames, shown = {}, {}
    with World() as world:
        world.write(world.config / "gtk-4.0/settings.ini", SETTINGS)
        lists, keys = Lists(world), Keys(world)
        for size in SIZES:
            with program(world, size, lists, library) as (app, costs):
                frames[size] = [frame[1:3] for frame in scroll(app, costs)]
                shown[size] = filters(keys, costs)
    for size in SIZES:
        work, cpu = zip(*frames[size])
        say(f"Todos, scrolling, {size:,} of them: 99 of 100 frames take at most {percentile(work, 0.99):.1f} ms, goal "
            f"at most {FRAME_GOAL} ms  (median {statistics.median(work):.1f}, longest {max(work):.1f} ms; of the "
            f"processor {percentile(cpu, 0.99):.1f}, {statistics.median(cpu):.1f}, {max(cpu):.1f} ms; {len(work)} "
            "frames)")
    for size in SIZES:
        say(f"Todos, a filter to its first todos on the screen, {size:,} of them: at most {max(shown[size]):.0f} ms, "
            f"goal at most {FILTER_GOAL} ms  (median {statistics.median(shown[size]):.0f} ms, {len(shown[size])} times)")
