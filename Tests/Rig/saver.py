"""A screen saver or lock screen on the world's session bus: Tests/Fakes/fake_saver.py."""

import json
import pathlib
import subprocess
import sys

from .wait import until

FAKE = pathlib.Path(__file__).resolve().parent.parent / "Fakes/fake_saver.py"


class Saver:
    """Bears a name such as org.gnome.ScreenSaver; the interface has the same."""

    def __init__(self, world, name, path):
        self.world = world
        # The session bus lets in its user only, and the checkout may be closed to them: the source goes along.
        folder = world.home / "fakes"
        for source in (FAKE, FAKE.parent / "forger.py"):
            world.write(folder / source.name, source.read_text())
        self.daemon = world.start([sys.executable, folder / FAKE.name, name, path], f"saver-{name}",
                                  stdin=subprocess.PIPE)
        until(lambda: self.count("ready"), lambda: f"{name}: {self.daemon.output()}")

    def count(self, name):
        lines = self.daemon.output().splitlines()
        return sum(line.startswith(f'["{name}"') for line in lines)

    def tell(self, command, value):
        before = self.count("done")
        self.daemon.process.stdin.write(json.dumps([command, value]).encode() + b"\n")
        self.daemon.process.stdin.flush()
        until(lambda: self.count("done") > before, lambda: f"{command}: {self.daemon.output()}")

    def set_active(self, active):
        """It comes, or goes."""
        self.tell("active", active)

    def forge(self, active):
        """Somebody else on the bus says so in its name."""
        self.tell("forge", active)

    def end(self):
        self.daemon.process.stdin.close()
        self.daemon.end()
