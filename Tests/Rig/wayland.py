"""A private Wayland display: sway without a screen, with the interface of the X one.

A minimised window lies in sway's scratchpad: it is not shown, not in front, and comes back when it is activated.
"""

import contextlib
import json
import os
import shutil
import socket
import struct

from . import etc
from .display import Display
from .wait import until

# alt+F4 closes a window here as under the X window manager: sway asks the program to close it.
CONFIG = """output HEADLESS-1 resolution {width}x{height} position 0,0 bg #202020 solid_color
default_border none
focus_on_window_activation focus
focus_follows_mouse no
xwayland disable
bindsym Mod1+F4 kill
for_window [app_id=".*"] floating enable
for_window [app_id="other"] move absolute position 0 0
"""
MODIFIERS = {"ctrl": "ctrl", "alt": "alt", "shift": "shift", "super": "logo"}
GET_TREE, GET_INPUTS, RUN_COMMAND = 4, 100, 0
MAGIC = b"i3-ipc"


def why_not():
    """Why there can be no Wayland display here, as one sentence; None where there can."""
    for tool in ("sway", "wtype", "grim", "foot"):
        if shutil.which(tool) is None:
            return f"needs the program {tool}"
    if os.geteuid() == 0 and etc.why_not() is not None:
        return f"sway does not run as root, and another user {etc.why_not()}"
    return None


class WaylandDisplay(Display):
    """sway."""

    def __init__(self, world, size=(1280, 800)):
        super().__init__(world, size)
        config = world.write("sway.conf", CONFIG.format(width=size[0], height=size[1]))
        self.socket = world.runtime / "sway.sock"
        env = {"WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
               "WLR_HEADLESS_OUTPUTS": "1", "SWAYSOCK": self.socket}
        self.server = world.start(["sway", "-c", config], "sway", env={k: str(v) for k, v in env.items()})
        # The socket for clients is named before sway answers.
        until(lambda: self.answers(), lambda: "sway: " + self.server.output())
        self.name = next(path.name for path in sorted(world.runtime.glob("wayland-*")) if path.suffix != ".lock")
        self.env = {"WAYLAND_DISPLAY": self.name, "XDG_RUNTIME_DIR": str(world.runtime)}
        world.env.update(self.env, GDK_BACKEND="wayland")
        self.plug_in_keyboard()

    def plug_in_keyboard(self):
        # Without a keyboard that stays, each wtype brings the first one, and its first key is lost.
        self.keyboard = self.world.start(["wtype", "-s", str(2**31 - 1), "-k", "Shift_L"], "keyboard")
        until(lambda: self.ask(GET_INPUTS), "a keyboard")

    def answers(self):
        with contextlib.suppress(OSError):
            return self.ask(GET_TREE)

    def ask(self, kind, text=""):
        """Asks sway over its own socket; the answer as it comes out of JSON."""
        with socket.socket(socket.AF_UNIX) as channel:
            channel.settimeout(10)
            channel.connect(str(self.socket))
            channel.sendall(MAGIC + struct.pack("=II", len(text.encode()), kind) + text.encode())
            with channel.makefile("rb") as answer:
                count, _ = struct.unpack("=II", answer.read(14)[len(MAGIC):])
                return json.loads(answer.read(count))

    def command(self, text):
        """Runs one of sway's commands."""
        for answer in self.ask(RUN_COMMAND, text):
            if not answer["success"]:
                raise RuntimeError(f"{text}: {answer.get('error')}")

    # Windows

    def nodes(self):
        """What sway knows of each window, {number: node}, oldest first."""
        found, waiting = {}, [self.ask(GET_TREE)]
        while waiting:
            node = waiting.pop()
            waiting += node["nodes"] + node["floating_nodes"]
            if "pid" in node:
                found[node["id"]] = node
        return dict(sorted(found.items()))

    def windows(self, pid, visible=True):
        """The windows of a process, oldest first; `visible`: not the minimised ones."""
        return [window for window, node in self.nodes().items()
                if node["pid"] == pid and (node["visible"] or not visible)]

    def title(self, window):
        """The window's title; None where there is none."""
        return self.nodes().get(window, {}).get("name")

    def active(self):
        """The window in front; 0 where there is none."""
        return next((window for window, node in self.nodes().items() if node["focused"]), 0)

    def activate(self, window):
        """Brings a window to the front, minimised or not, and waits until it is there."""
        self.command(f"[con_id={window}] focus")
        until(lambda: self.active() == window, "the window in front")

    def minimise(self, window):
        """Minimises a window, and waits until it is not in front any more."""
        self.command(f"[con_id={window}] move scratchpad")
        until(lambda: self.active() != window, "the window to be minimised")

    def resize(self, window, width, height):
        """Resizes a window; the geometry that it came to is returned (a window may refuse to be so small)."""
        self.command(f"[con_id={window}] resize set {width} {height}")
        before, now = None, self.geometry(window)
        while before != now:
            # The program answers with a picture of the new size, for which sway has no event.
            self.grab_part(0, 0, 1, 1)
            before, now = now, self.geometry(window)
        return now

    def geometry(self, window):
        """(x, y, width, height) on the screen, with the shadow that a window of GTK draws around itself."""
        node = self.nodes()[window]
        place, within = node["rect"], node["geometry"]
        return (place["x"] - within["x"], place["y"] - within["y"], place["width"] + 2 * within["x"],
                place["height"] + 2 * within["y"])

    @contextlib.contextmanager
    def other_window(self):
        """A window of another program in front, as long as the block runs."""
        child = self.world.start(["foot", "-a", "other", "-w", "200x60", "-T", "other", "sh", "-c", "read wait"], "foot")
        try:
            window = until(lambda: self.windows(child.pid), "the other window")[0]
            self.activate(window)
            yield window
        finally:
            child.end()

    # Keys

    def key(self, *keys):
        """Presses keys in turn, in the names that xdotool has as well: "Return", "ctrl+q", "Tab"."""
        argv = []
        for key in keys:
            *held, last = key.split("+")
            if "shift" in held:
                # A key with Shift has another symbol on a real keyboard; wtype's has one for each key.
                last = "ISO_Left_Tab" if last == "Tab" else last.upper() if len(last) == 1 else last
            for name in held:
                argv += ["-M", MODIFIERS[name]]
            argv += ["-k", last]
            for name in reversed(held):
                argv += ["-m", MODIFIERS[name]]
        self.tool("wtype", *argv)

    def type(self, text):
        """Types text into the window in front."""
        self.tool("wtype", "-d", "5", "--", text, seconds=60)

    # Pictures

    def grab(self, path, window=None):
        if window is None:
            self.tool("grim", str(path))
            return
        left, top, width, height = self.nodes()[window]["rect"].values()
        self.tool("grim", "-g", f"{left},{top} {width}x{height}", str(path))

    def grab_part(self, left, top, width, height):
        return self.tool("grim", "-t", "ppm", "-g", f"{left},{top} {width}x{height}", "-", text=False)
