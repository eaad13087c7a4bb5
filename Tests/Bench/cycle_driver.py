"""Locks the program and unlocks it again, as fast as it tells that it has: over D-Bus, by keys, by its window's title.

Run as the user whose session bus it is. Arguments: the window's number, the password. On each line of standard input
comes a number of cycles; once they are done, a line with the seconds that they took goes out.
"""

import ctypes
import select
import sys
import time

from gi.repository import Gio, GLib

NAME, PATH = "io.github.appgates.AppGates", "/io/github/appgates/AppGates"
LOCKED = b"App Gates"
PROPERTY_CHANGE = 1 << 22
PATIENCE = 20

x11, xtest = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
for name in ("XOpenDisplay", "XInternAtom", "XStringToKeysym", "XKeysymToKeycode"):
    getattr(x11, name).restype = {"XOpenDisplay": ctypes.c_void_p, "XKeysymToKeycode": ctypes.c_ubyte}.get(
        name, ctypes.c_ulong)


class Window:
    """The program's window, seen from outside."""

    def __init__(self, number):
        self.display = ctypes.c_void_p(x11.XOpenDisplay(None))
        self.number = ctypes.c_ulong(number)
        self.name = ctypes.c_ulong(x11.XInternAtom(self.display, b"_NET_WM_NAME", 0))
        x11.XSelectInput(self.display, self.number, ctypes.c_long(PROPERTY_CHANGE))
        x11.XSync(self.display, 0)

    def title(self):
        kind, count, left = (ctypes.c_ulong() for _ in range(3))
        form, text = ctypes.c_int(), ctypes.c_char_p()
        x11.XGetWindowProperty(
            self.display, self.number, self.name, ctypes.c_long(0), ctypes.c_long(256), 0, ctypes.c_ulong(0),
            ctypes.byref(kind), ctypes.byref(form), ctypes.byref(count), ctypes.byref(left), ctypes.byref(text))
        found = text.value
        x11.XFree(text)
        return found

    def wait(self, is_locked):
        """Until the title says so; it is looked at after each change of a property, and at no other time."""
        end = time.monotonic() + PATIENCE
        event = ctypes.create_string_buffer(256)
        while True:
            while x11.XPending(self.display):
                x11.XNextEvent(self.display, event)
            if (self.title() == LOCKED) == is_locked:
                return
            if x11.XPending(self.display):
                continue
            left = end - time.monotonic()
            if left <= 0 or not select.select([x11.XConnectionNumber(self.display)], [], [], left)[0]:
                sys.exit(f"the window did not become {'locked' if is_locked else 'unlocked'} in {PATIENCE} s")

    def press(self, names):
        for name in names:
            symbol = ctypes.c_ulong(x11.XStringToKeysym(name.encode()))
            key = x11.XKeysymToKeycode(self.display, symbol)
            for is_down in (1, 0):
                xtest.XTestFakeKeyEvent(self.display, ctypes.c_uint(key), is_down, ctypes.c_ulong(0))
        x11.XFlush(self.display)


def main():
    window, keys = Window(int(sys.argv[1])), [*sys.argv[2], "Return"]
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    lock = GLib.Variant("(sava{sv})", ("lock", [], {}))
    print("ready", flush=True)
    for line in sys.stdin:
        began = time.monotonic()
        for _ in range(int(line)):
            bus.call_sync(NAME, PATH, "org.gtk.Actions", "Activate", lock, None, Gio.DBusCallFlags.NONE, -1)
            window.wait(True)
            window.press(keys)
            window.wait(False)
        print(time.monotonic() - began, flush=True)


main()
