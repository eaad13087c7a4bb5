"""The compositors of GNOME and KDE, and sway for wlroots, headless: the installed app starts, is locked, and covers
itself once it is not in front.

sway has the whole of Wayland's other tests. Here nothing is typed: the tree is read, and another program's window comes
to the front. That the cover is there is told by the title, which is bare from then on.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from Rig import World, until, why_no_wayland
from Rig.display import Display
from installed import install
from steps import LOCKED, ROOT, come_back, needs_user

TITLE, BARE = "Todos – App Gates", "App Gates"
# A window of another program, which each compositor puts in front since it is new.
OTHER = ROOT / "Tests/Bench/bare.c"
# Without a keyboard mutter puts no window in front. One is there as long as somebody controls its screen from afar.
KEYBOARD = """
from gi.repository import Gio, GLib
NAME, PATH = "org.gnome.Mutter.RemoteDesktop", "/org/gnome/Mutter/RemoteDesktop"
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
def call(path, interface, method, arguments=None):
    return bus.call_sync(NAME, path, interface, method, arguments, None, 0, 10000, None)
session, = call(PATH, NAME, "CreateSession")
call(session, NAME + ".Session", "Start")
for pressed in (True, False):
    call(session, NAME + ".Session", "NotifyKeyboardKeysym", GLib.Variant("(ub)", (0xFFE1, pressed)))
print("plugged in", flush=True)
GLib.MainLoop().run()
"""
# Other than GNOME, KDE may let a new window wait behind the one in use.
KWINRC = "[Windows]\nFocusStealingPreventionLevel=0\n"


class Compositor(Display):
    """Shows windows; of a program's it tells only that it runs, and the accessible tree the rest."""

    def __init__(self, world, argv, size=(1280, 800)):
        super().__init__(world, size)
        self.name = "wayland-headless"
        world.env.update(WAYLAND_DISPLAY=self.name, GDK_BACKEND="wayland")
        width, height = size
        argv = [word.format(name=self.name, width=width, height=height) for word in argv]
        self.server = world.start(argv, pathlib.Path(argv[0]).name)
        until(lambda: (world.runtime / self.name).exists(), lambda: "no display: " + self.server.output())

    def windows(self, pid, visible=True):
        return [pid]


def program(name, folder):
    """Debian gives kwin_wayland a capability, and where that may not be had it cannot be started; a copy can."""
    found = shutil.which(name)
    try:
        subprocess.run([found, "--version"], capture_output=True, env=dict(os.environ, QT_QPA_PLATFORM="offscreen"))
    except PermissionError:
        return shutil.copy(found, folder)
    return found


def needs(name, package):
    return unittest.skipIf(shutil.which(name) is None, f"needs the package {package} (make deps-test)")


@needs_user
class DesktopTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="app-gates-desktops-")
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        cls.folder.chmod(0o755)
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libadwaita-1"], check=True, capture_output=True,
                               text=True).stdout.split()
        subprocess.run(["cc", "-o", cls.folder / "other", OTHER, *flags], check=True)

    def on(self, argv, **preferences):
        """A world with this compositor, and the installed app of somebody who has been here before."""
        # The rig has sway as a display of its own.
        self.world = World(display="wayland") if argv == self.SWAY else World(size=None)
        self.addCleanup(self.world.close)
        self.world.write(self.world.config / "kwinrc", KWINRC)
        if argv != self.SWAY:
            self.world.display = Compositor(self.world, argv)
        if argv[0] == "mutter":
            keyboard = self.world.start(["/usr/bin/python3", "-c", KEYBOARD], "keyboard")
            until(lambda: "plugged in" in keyboard.output(), lambda: "no keyboard: " + keyboard.output())
        come_back(self.world, ["Buy milk"], **preferences)
        return self.world.app(program=install(self.world) / "bin/app-gates")

    def starts_locked(self, argv):
        app = self.on(argv, lock=True)
        app.wait_for("label", LOCKED)
        app.wait_for("password text", states=("focused", "editable"))
        self.assertNotIn("Buy milk", app.dump())

    def covers(self, argv):
        app = self.on(argv)
        app.wait_for("frame", TITLE, states=("active",))
        self.assertTrue(app.has("list item", "Buy milk"))
        other = self.world.start([self.folder / "other"], "other")
        app.look_until(lambda: app.has("frame", BARE), "the cover", 20)
        self.assertFalse(app.has("frame", states=("active",)))
        other.end()
        app.wait_for("frame", TITLE, states=("active",))

    MUTTER = ["mutter", "--headless", "--wayland", "--no-x11", "--wayland-display={name}", "--virtual-monitor",
              "{width}x{height}"]

    SWAY = ["sway"]

    @property
    def kwin(self):
        return [str(program("kwin_wayland", self.folder)), "--virtual", "--no-lockscreen", "--no-global-shortcuts",
                "--socket", "{name}", "--width", "{width}", "--height", "{height}"]

    @needs("mutter", "mutter")
    def test_mutter_locked(self):
        self.starts_locked(self.MUTTER)

    @needs("mutter", "mutter")
    def test_mutter_covers(self):
        self.covers(self.MUTTER)

    @needs("kwin_wayland", "kwin-wayland")
    def test_kwin_locked(self):
        self.starts_locked(self.kwin)

    @needs("kwin_wayland", "kwin-wayland")
    def test_kwin_covers(self):
        self.covers(self.kwin)

    @unittest.skipIf(why_no_wayland(), f"{why_no_wayland()}")
    def test_sway_locked(self):
        self.starts_locked(self.SWAY)

    @unittest.skipIf(why_no_wayland(), f"{why_no_wayland()}")
    def test_sway_covers(self):
        self.covers(self.SWAY)


if __name__ == "__main__":
    unittest.main()
