"""The helper beside the real fprintd: a world of Tests/Rig without a display, and plays that go on while a test acts.

Two helpers may run at the same time, and a test scans fingers, pulls the reader out or ends fprintd meanwhile.
"""

import json
import shutil
import unittest

from Rig import World, until, why_no_fingerprints

import wire
import world

PASSWORD = "password"
FINGER = "app-gates-fingerprint"
SERVICES = {PASSWORD: "app-gates", FINGER: FINGER}
LINE = "auth required pam_fprintd.so"


class Play:
    """One helper that runs; the driver plays the app's part towards it."""

    number = 0

    def __init__(self, rig, plan):
        Play.number += 1
        command = [world.PYTHON, rig.folder / "driver.py", json.dumps(plan)]
        self.driver = rig.start(command, f"play-{Play.number}")

    @property
    def helper(self):
        """The helper's process id."""
        children = f"/proc/{self.driver.pid}/task/{self.driver.pid}/children"
        return int(until(lambda: open(children).read().split(), "the helper started")[0])

    def outcome(self, seconds=60.0):
        """Waits for the helper's end."""
        status = self.driver.wait(seconds)
        if status != 0:
            raise RuntimeError(f"the driver ended with {status}: {self.driver.output()}")
        return world.Outcome(json.loads(self.driver.output().splitlines()[-1]))


class ReaderTest(unittest.TestCase):
    """A test with a reader and one enrolled finger, a world for each class."""

    reader = True

    assertVerdict = world.WorldTest.assertVerdict
    assertNoVerdict = world.WorldTest.assertNoVerdict

    @classmethod
    def setUpClass(cls):
        reason = world.why_not() or why_no_fingerprints()
        if reason is not None:
            raise unittest.SkipTest(reason)
        cls.world = World(size=None, accessible=False, binaries=world.helper_path().resolve().parent)
        cls.addClassCleanup(cls.world.close)
        for name in ("driver.py", "wire.py"):
            shutil.copy(world.HERE / name, cls.world.folder / name)
        cls.fingers = cls.world.fingerprints(reader=cls.reader)
        if cls.reader:
            cls.fingers.enroll()

    def setUp(self):
        self.world.etc.put_back_services(world.ROOT / "data/pam.d/debian")

    def service(self, text, name=FINGER):
        self.world.etc.service(name, text)

    def begin(self, name=FINGER, answers=(), **plan):
        """Starts a helper, and returns while it runs."""
        plan.setdefault("first", wire.hello(world.version(), name).hex())
        packets = [wire.answer(a if isinstance(a, bytes) else a.encode()) for a in answers]
        plan.update(helper=str(self.world.binaries / "app-gates-auth"), answers=[p.hex() for p in packets])
        plan.setdefault("patience", 60)
        play = Play(self.world, plan)
        self.addCleanup(play.driver.end)
        return play

    def play(self, name=FINGER, answers=(), **plan):
        return self.begin(name, answers, **plan).outcome()

    def told(self, outcome):
        """What the module said through the conversation, in order: (style, text)."""
        return [(e["type"], e["text"]) for e in outcome.events if e["type"] in ("info", "error", "hidden", "visible")]

    def unavailable(self, outcome):
        self.assertVerdict(outcome, "unavailable", "authinfo-unavail")

    def took(self, row, milliseconds):
        """Prints a figure; none is asserted, since the machine may be busy."""
        print(f"    {row}: {milliseconds:.0f} ms", flush=True)
