"""The helper beside the real fprintd: a world of Tests/Rig without a display, and plays that go on while a test acts.

Two helpers may run at the same time, and a test scans fingers, pulls the reader out or ends fprintd meanwhile.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import time
import unittest

from Rig import World, until, why_no_fingerprints

import wire
import world

PASSWORD = "app-gates"
FINGER = "app-gates-fingerprint"
LINE = "auth required pam_fprintd.so"

# What pam_fprintd says at each try once the reader is claimed and waits, and after a finger that does not match.
ASKS = ("info", "Swipe your right index finger across the fingerprint reader")
WRONG = ("error", "Failed to match fingerprint")


class Play:
    """One helper that runs; the driver plays the app's part towards it."""

    number = 0

    def __init__(self, rig, plan, bars=()):
        Play.number += 1
        command = [*(["setpriv", *bars] if bars else []), world.PYTHON, rig.folder / "driver.py", json.dumps(plan)]
        self.driver = rig.start(command, f"play-{Play.number}")

    @property
    def helper(self):
        """The helper's process id."""
        return until(self.look_for_helper, "the helper started")

    def look_for_helper(self):
        for child in pathlib.Path(f"/proc/{self.driver.pid}/task/{self.driver.pid}/children").read_text().split():
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{child}/exe").endswith("/app-gates-auth"):
                    return int(child)
        return None

    def wait_for(self, kind):
        """Waits until the helper sends a packet of that kind, and returns it."""
        def look():
            events = [json.loads(line) for line in self.driver.output().splitlines() if line.endswith("}")]
            return next((e for e in events if e.get("type") == kind), None)
        return until(look, lambda: f"{kind} from the helper: {self.driver.output()}")

    def kill(self, number=signal.SIGKILL):
        os.kill(self.helper, number)

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
        if self.fingers.pid is None:  # a test that failed half-way
            self.fingers.restart()

    def service(self, text, name=FINGER):
        self.world.etc.service(name, text)

    def begin(self, name=FINGER, answers=(), bars=(), **plan):
        """Starts a helper, and returns while it runs; `bars` are setpriv's options."""
        plan.setdefault("first", wire.hello(world.version(), name).hex())
        packets = [wire.answer(a if isinstance(a, bytes) else a.encode()) for a in answers]
        plan.update(helper=str(self.world.binaries / "app-gates-auth"), answers=[p.hex() for p in packets])
        plan.setdefault("patience", 60)
        plan["live"] = True
        play = Play(self.world, plan, bars)
        self.addCleanup(play.driver.end)
        return play

    def begin_waiting(self, **plan):
        """Starts a fingerprint helper, and returns once the reader waits for it."""
        self.fingers.client.forget()
        play = self.begin(**plan)
        # By its own signal: the reader may still say that it waits for a helper that was just ended.
        self.fingers.client.wait_for(lambda: self.fingers.statuses("VerifyFingerSelected"), "a finger asked for")
        return play

    def play(self, name=FINGER, answers=(), **plan):
        return self.begin(name, answers, **plan).outcome()

    def scan(self, play, print="mine"):
        """Scans a finger, and waits for the end of the play; says how long the verdict took."""
        self.fingers.scan(print)
        began = time.monotonic()
        outcome = play.outcome()
        self.took(f"scan of {print!r} to {outcome.verdict}", (time.monotonic() - began) * 1000)
        return outcome

    def told(self, outcome):
        """What the module said through the conversation, in order: (style, text)."""
        return [(e["type"], e["text"]) for e in outcome.events if e["type"] in ("info", "error", "hidden", "visible")]

    def assertUnavailable(self, outcome, row):
        """PAM's code 9: not a try, and never "wrong"."""
        self.assertVerdict(outcome, "unavailable", "authinfo-unavail")
        self.assertEqual(outcome.result["pam"], 9)
        self.took(row, outcome.result["ms"])

    def assertMatches(self):
        """The reader works: a finger is taken."""
        outcome = self.scan(self.begin())
        self.assertVerdict(outcome, "authenticated")
    def took(self, row, milliseconds):
        """Prints a figure; none is asserted, since the machine may be busy."""
        print(f"    {row}: {milliseconds:.0f} ms", flush=True)
