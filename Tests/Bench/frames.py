"""The frames that are drawn when somebody leaves and comes back, as the display puts them together: X11 and Wayland.

After focus is lost, and after a return past the deadline, no frame may hold content; after PAM's yes it is there soon.
"""

import contextlib
import os
import re
import select
import statistics
import subprocess
import threading
import time

from Rig import TimedOut, World, until, why_no_user
from Rig.children import Child

from figures import LOCKED, come_back, compile_c, say

ROUNDS = int(os.environ.get("BENCH_FRAMES", 6))
TODOS = [f"{word} MWMWMWMWMWMWMWMWMWMW" for word in ("Buy", "Sell", "Lend", "Keep", "Hide", "Burn")]
# So much of the content's own pixels in their places is content; its cover has none of them.
CONTENT = 0.10
FRAME_MS = 1000 / 60
AFTER_GOAL = 2
# A caret that blinks would be a frame that nobody asked for.
SETTINGS = "[Settings]\ngtk-enable-animations=false\ngtk-font-name=Cantarell 11\ngtk-cursor-blink=false\n"


class Watch:
    """Every frame in a part of the screen while the block runs."""

    def __init__(self, world, tool, area, windows=()):
        self.events = []
        argv = [tool, *area, *(windows if world.display.name.startswith(":") else ())]
        self.child = Child(world.command(argv), world.folder / "frames.log", world.env, cwd="/",
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        world.started.append(self.child)
        self.ready = threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.child.process.stdout:
            kind, *values = line.split()
            if kind == b"ready":
                self.ready.set()
            else:
                self.events.append((kind.decode(), *map(float, values)))

    def frames(self, since, before=float("inf")):
        """(time in ms, share of content) of each."""
        return [event[1:] for event in list(self.events) if event[0] == "frame" and since <= event[1] < before]

    def __enter__(self):
        if not self.ready.wait(10):
            raise RuntimeError("nothing watches the screen: " + self.child.output())
        return self

    def __exit__(self, *_):
        self.child.process.stdin.close()
        self.child.wait()
        self.reader.join(5)
        self.child.end()


def named(display, name):
    """The X windows of that name; xmessage sets no process id."""
    listed = re.findall(r"0x[0-9a-f]+", display.tool("xprop", "-root", "_NET_CLIENT_LIST"))
    return [int(window, 16) for window in listed if display.property(window, "WM_NAME") == name]


@contextlib.contextmanager
def other_window(world):
    """A window of another program where it lies over nothing of ours, in front while the block runs."""
    display = world.display
    if not display.name.startswith(":"):
        with display.other_window() as window:
            yield window
        return
    child = world.start(["xmessage", "-name", "other", "-geometry", "180x80-0-0", "Another window"], "xmessage")
    try:
        yield until(lambda: named(display, "other"), "the other window")[0]
    finally:
        child.end()


def now():
    return time.monotonic() * 1000


def area_of(app, window, nodes):
    """The part of the screen in which some nodes of a window lie."""
    left, top, _, _ = app.display.geometry(window)
    boxes = [node.extents for node in nodes]
    x, y = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return left + x, top + y, right - x, bottom - y


def told_x11(app, watch, left):
    """When the X server took the keyboard from the program, after `left`: what is drawn from then on is the program's
    answer. At rest it draws nothing by itself."""
    return next(event[1] for event in list(watch.events) if event[0] == "lost" and event[1] >= left)


def told_wayland(app, watch, left):
    """When the compositor first put a frame of the program's on the screen that it drew after it was told that the
    keyboard had gone: from the program's own protocol log, where the compositor says so.

    What the compositor puts together before is of the last frame that it has: it redraws where the focus changes.
    """
    surface = callback = None
    drawn = False
    for line in told_lines(app, left):
        if surface is None:
            found = re.match(r"wl_keyboard@\d+\.leave\(\d+, (wl_surface@\d+)\)", line)
            surface = found and found.group(1)
        elif not drawn:
            drawn = line.startswith(f"-> {surface}.attach(")
        elif callback is None:
            found = re.match(rf"-> {surface}\.frame\(new id (wl_callback@\d+)\)", line)
            callback = found and found.group(1)
        elif (found := re.match(rf"{callback}\.done\((\d+)\)", line)):
            # Milliseconds, cut to 32 bits.
            return left + (int(found.group(1)) - int(left)) % 2**32 - 1
    raise RuntimeError("the program's protocol log has no frame after the keyboard went")


def told_lines(app, left):
    """What the protocol log says since a moment."""
    # Microseconds of the wall clock, cut to 32 bits.
    since = int(time.time() * 1e6 - (now() - left) * 1e3) % 2**32
    for stamp, words in re.findall(r"^\[ *(\d+\.\d+)\] +(.*)$", app.log, re.MULTILINE):
        if (int(float(stamp) * 1000) - since) % 2**32 < 60_000_000:
            yield words


class Counts:
    """What was seen over all rounds on one display."""

    def __init__(self):
        self.rounds = self.lost = self.returned = self.between = self.drawn = 0
        self.until_cover, self.until_content, self.extra = [], [], []

    def leave_and_return(self, frames, lost, left, came):
        """All frames from the leaving to the question for the password, with the two moments that matter."""
        self.rounds += 1
        after = [frame for frame in frames if frame[0] >= lost]
        self.lost += bool(after) and after[0][1] > CONTENT
        back = [frame for frame in frames if frame[0] >= came]
        self.returned += bool(back) and back[0][1] > CONTENT
        self.between += sum(share > CONTENT for _, share in after)
        self.drawn += len(after)
        if after:
            self.until_cover.append(after[0][0] - left)

    def report(self, name):
        say(f"{name}: {self.lost} of {self.rounds} first frames after focus was lost and {self.returned} of "
            f"{self.rounds} after the return past the deadline hold content, goal 0; {self.between} of all "
            f"{self.drawn} until the password, goal 0  (the first came {statistics.median(self.until_cover):.0f} ms "
            "after the other window was called)")

    def report_content(self, name):
        ms = statistics.median(self.until_content)
        say(f"{name}: at most {max(self.extra)} frames without content between PAM's yes and the content, goal at most "
            f"{AFTER_GOAL}  (median {statistics.median(self.extra):.0f}; {ms:.0f} ms, building it included)")


def open_up(app):
    """Types the password; when the helper ended, which is PAM's yes."""
    app.wait_for("password text", states=("focused", "editable"), seconds=15)
    app.type(app.world.user.password)
    helper, = app.children()
    descriptor = os.pidfd_open(helper)
    app.key("Return")
    select.select([descriptor], [], [], 10)
    said_yes = now()
    os.close(descriptor)
    return said_yes


def unlock(app, watch, counts):
    """How long from PAM's yes to the content, and the frames without it in between."""
    locked = now()
    said_yes = open_up(app)
    # From before the yes on: the content may be there before we hear of the helper's end.
    shown = until(lambda: [time for time, share in watch.frames(locked) if share > 0.9], "the content")[0]
    counts.until_content.append(max(0.0, shown - said_yes))
    counts.extra.append(sum(share <= CONTENT for _, share in watch.frames(said_yes, shown)))


def away(app, other, watch, counts):
    """Away past the deadline, and back."""
    left = now()
    app.display.activate(other)
    app.wait_for("label", LOCKED)
    came = now()
    app.activate()
    app.wait_for("password text", states=("focused",))
    asked = now()
    told = told_x11 if app.display.name.startswith(":") else told_wayland
    counts.leave_and_return(watch.frames(left, asked), told(app, watch, left), left, came)


def content_rounds(app, other, tool):
    """The list of todos, in the main window."""
    counts = Counts()
    app.wait_for("label", TODOS[-1])
    area = area_of(app, app.window, [node for node in app.find_all("label") if node.name in TODOS])
    for _ in range(ROUNDS):
        app.wait_for("label", TODOS[-1])
        with Watch(app.world, tool, area, app.windows()) as watch:
            away(app, other, watch, counts)
            unlock(app, watch, counts)
    return counts


def show_about(app):
    """By keys: rows have no action, and there is no pointer on Wayland."""
    row = app.wait_for("list item", "About App Gates")
    for _ in range(40):
        if "focused" in row.states:
            app.key("Return")
            return
        app.key("Tab")
        row = app.find("list item", "About App Gates")
    raise TimedOut("the row About App Gates was not reached by Tab")


def dialog_rounds(app, other, tool):
    """A dialog in front of it, a window of its own."""
    counts = Counts()
    app.key("alt+2")
    for _ in range(max(1, ROUNDS // 3)):
        show_about(app)
        until(lambda: len(app.windows()) == 2, "the dialog")
        dialog = app.windows()[-1]
        until(lambda: app.display.active() == dialog, "the dialog in front")
        app.wait_for("label", "The App Gates authors")
        area = area_of(app, dialog, [app.find("label", "The App Gates authors")])
        with Watch(app.world, tool, area, app.windows()) as watch:
            away(app, other, watch, counts)
        open_up(app)
        until(lambda: len(app.windows()) == 2, "the dialog back")
        app.key("Escape")
        until(lambda: len(app.windows()) == 1, "the dialog's end")
    return counts


def on(display, tool):
    with World(display=display) as world:
        world.write(world.config / "gtk-4.0/settings.ini", SETTINGS)
        come_back(world, TODOS, lock=True)
        app = world.app(env={"WAYLAND_DEBUG": "client"} if display == "wayland" else None)
        open_up(app)
        app.wait_for("text", "Add a todo")
        with other_window(world) as other:
            app.activate()
            name = {"x11": "X11", "wayland": "Wayland"}[display]
            counts = content_rounds(app, other, tool)
            counts.report(f"Frames, {name}, the list")
            counts.report_content(f"Frames, {name}")
            dialog_rounds(app, other, tool).report(f"Frames, {name}, a dialog")


def measure(folder):
    if why_no_user():
        return say(f"The frames were not looked at: {why_no_user()}")
    on("x11", compile_c("frames_x11", folder, "x11", "xdamage"))
    on("wayland", compile_c("frames_wayland", folder, "wayland-client"))
