"""A private X display with a window manager: what is shown, which window is in front, keys, the pointer, pictures."""

import contextlib
import os
import re

from .display import Display
from .wait import until


class X11Display(Display):
    """Xvfb and openbox."""

    def __init__(self, world, size=(1280, 800), window_manager=True):
        super().__init__(world, size)
        reader, writer = os.pipe()
        screen = f"{size[0]}x{size[1]}x24"
        argv = ["Xvfb", "-displayfd", str(writer), "-screen", "0", screen, "-nolisten", "tcp", "-noreset"]
        self.server = world.start(argv, "Xvfb", pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as numbers:
            number = numbers.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start: " + self.server.output())
        self.name = ":" + number
        self.env = {"DISPLAY": self.name}
        world.env.update(self.env, GDK_BACKEND="x11")
        if window_manager:
            self.start_window_manager()

    def start_window_manager(self):
        self.manager = self.world.start(["openbox", "--sm-disable"], "openbox")
        until(lambda: "window id" in self.tool("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), "a window manager")

    # Windows

    def windows(self, pid, visible=True):
        """The windows of a process that the window manager knows, oldest first; `visible`: not the minimised ones."""
        listed = re.findall(r"0x[0-9a-f]+", self.tool("xprop", "-root", "_NET_CLIENT_LIST"))
        mine = [int(w, 16) for w in listed if self.property(w, "_NET_WM_PID") == str(pid)]
        if not visible:
            return mine
        return [w for w in mine if "window state: Normal" in self.tool("xprop", "-id", str(w), "WM_STATE", check=False)]

    def property(self, window, name):
        """One property of a window as xprop prints it, text without its quotes; None where it has none."""
        line = self.tool("xprop", "-id", str(window), "-notype", name, check=False).strip()
        _, equals, value = line.partition(" = ")
        return value.strip('"') if equals else None

    def title(self, window):
        """The window's title."""
        return self.property(window, "_NET_WM_NAME")

    def active(self):
        """The window in front; 0 where there is none."""
        found = re.search(r"0x[0-9a-f]+", self.tool("xprop", "-root", "_NET_ACTIVE_WINDOW"))
        return int(found.group(), 16) if found else 0

    def activate(self, window):
        """Brings a window to the front, minimised or not, and waits until it is there."""
        self.tool("xdotool", "windowactivate", "--sync", str(window))

    def minimise(self, window):
        """Minimises a window, and waits until it is not in front any more."""
        self.tool("xdotool", "windowminimize", str(window))
        until(lambda: self.active() != window, "the window to be minimised")

    def resize(self, window, width, height):
        """Resizes a window; the geometry that it came to is returned (a window may refuse to be so small)."""
        self.tool("xdotool", "windowsize", str(window), str(width), str(height))
        before, now = None, self.geometry(window)
        while before != now:
            before = now
            self.tool("xdotool", "sleep", "0.1")
            now = self.geometry(window)
        return now

    def geometry(self, window):
        """(x, y, width, height) on the screen, with the shadow that a window of GTK draws around itself."""
        text = self.tool("xwininfo", "-id", str(window))
        values = [re.search(rf"{name}:\s+(-?\d+)", text).group(1)
                  for name in ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")]
        return tuple(map(int, values))

    @contextlib.contextmanager
    def other_window(self):
        """A window of another program in front, as long as the block runs."""
        child = self.world.start(["xmessage", "-name", "other", "-center", "Another window"], "xmessage")
        try:
            def mine():
                # xmessage sets no process id, but its name.
                listed = re.findall(r"0x[0-9a-f]+", self.tool("xprop", "-root", "_NET_CLIENT_LIST"))
                return [w for w in listed if self.property(w, "WM_NAME") == "other"]
            window = int(until(mine, "the other window")[0], 16)
            self.activate(window)
            yield window
        finally:
            child.end()

    # Keys and pointer

    def key(self, *keys):
        """Presses keys in turn, in xdotool's names: "Return", "ctrl+q", "Tab"."""
        self.tool("xdotool", "key", "--clearmodifiers", "--delay", "15", *keys)

    def type(self, text):
        """Types text into the window in front."""
        self.tool("xdotool", "type", "--clearmodifiers", "--delay", "15", "--", text, seconds=60)

    def click(self, x, y, button=1):
        """Clicks at a place of the screen."""
        # The server takes both in order; told to wait for the move, xdotool waits for ever where the pointer is there.
        self.tool("xdotool", "mousemove", str(x), str(y), "click", str(button))

    # Pictures

    def grab(self, path, window=None):
        self.tool("import", "-silent", "-window", "root" if window is None else str(window), str(path))

    def grab_part(self, left, top, width, height):
        return self.tool("import", "-silent", "-window", "root", "-crop", f"{width}x{height}+{left}+{top}", "+repage",
                         "-depth", "8", "ppm:-", text=False)
