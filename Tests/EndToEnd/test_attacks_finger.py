"""Attacks by way of the reader: only an enrolled finger opens, asked for by us, and where no password is due."""

import contextlib
import os
import pathlib
import shutil
import signal
import time
import unittest

from attacks import AttackTest, attack
from Rig import TimedOut, why_no_fingerprints
from Rig.buses import Bus
from steps import LOCKED, ROOT, until

REFUSED = 5


class Finger:
    """The real fprintd and pam_fprintd, a virtual reader, one finger enrolled."""

    with_reader = True

    def setUp(self):
        super().setUp()
        self.fp = None
        if self.with_reader:
            self.fp = self.world.fingerprints()
            self.fp.enroll()

    def remember(self, **values):
        """The lock's memory: a password was given a moment ago, so a finger is enough."""
        values = {"passwordAt": int(time.time()) - 60, "refusedFingers": 0, **values}
        lines = ["[lock]"] + [f"{key}={value}" for key, value in values.items()]
        self.world.write(self.world.state / "app-gates/lock.ini", "\n".join(lines) + "\n")

    def waiting(self):
        """Locked, and the reader waits for a finger."""
        self.remember()
        app = self.shut()
        self.fp.wait_waiting()
        return app

    def refused(self, app, number):
        """A finger that is not enrolled; returns once the app knows."""
        self.fp.scan("other")
        path = self.world.state / "app-gates/lock.ini"
        app.until(lambda: f"refusedFingers={number}" in path.read_text() or not app.has("label", LOCKED),
                  f"{number} refused")

    def scan_if_asked(self, seconds=3):
        """Lays the right finger on, where one is asked for."""
        with contextlib.suppress(TimedOut):
            self.fp.wait_waiting(seconds)
            self.fp.send("SCAN mine")

    def finger_helper(self, app):
        """The process id of the helper that has pam_fprintd in it."""
        def look():
            for pid, name in app.children().items():
                with contextlib.suppress(OSError):
                    if "pam_fprintd" in pathlib.Path(f"/proc/{pid}/maps").read_text():
                        return pid
            return None
        return app.until(look, "the helper of the finger")

    @attack("any finger will do")
    def test_a_finger_that_is_not_enrolled(self):
        app = self.waiting()
        self.refused(app, 1)
        self.assert_kept(app)

    @attack("refused fingers are not counted")
    def test_the_right_finger_after_five_wrong_ones(self):
        app = self.waiting()
        for number in range(1, REFUSED + 1):
            self.refused(app, number)
        self.scan_if_asked()
        self.round_trip(app)
        self.assert_kept(app)

    @attack("refused fingers are not counted")
    def test_five_wrong_ones_are_not_forgotten_by_a_new_start(self):
        self.remember(refusedFingers=REFUSED)
        app = self.shut()
        self.scan_if_asked()
        self.round_trip(app)
        self.assert_kept(app)

    @attack("a finger is always enough")
    def test_the_memory_of_the_lock_is_deleted(self):
        app = self.waiting()
        app.kill()
        (self.world.state / "app-gates/lock.ini").unlink()
        app = self.world.app()
        app.wait_for("label", LOCKED)
        self.scan_if_asked()
        self.round_trip(app)
        self.assert_kept(app)

    @attack("an overtaken verdict counts")
    def test_a_finger_that_was_laid_on_before_a_newer_lock(self):
        app = self.waiting()
        helper = self.finger_helper(app)
        os.kill(helper, signal.SIGSTOP)
        self.fp.send("SCAN mine")
        self.lock_by_command()
        with contextlib.suppress(ProcessLookupError):
            os.kill(helper, signal.SIGCONT)
        app.until(lambda: helper not in app.children(), "the helper's end")
        self.round_trip(app)
        self.assert_kept(app)

    @attack("a helper that is killed counts as yes")
    def test_its_helper_is_killed_while_it_waits(self):
        app = self.waiting()
        helper = self.finger_helper(app)
        os.kill(helper, signal.SIGKILL)
        app.until(lambda: helper not in app.children(), "the helper's end")
        self.round_trip(app)
        self.assert_kept(app)


class NoReader:
    """No fprintd at all: everything that says yes is false."""

    with_reader = False
    remember = Finger.remember

    def setUp(self):
        super().setUp()
        self.world.system_bus()
        self.remember()

    @attack("a missing service is no matter")
    def test_the_service_is_missing_and_other_lets_everybody_in(self):
        self.world.etc.service("app-gates-fingerprint", None)
        self.world.etc.service("other", "auth required pam_permit.so\naccount required pam_permit.so")
        app = self.shut()
        self.round_trip(app)
        self.assert_kept(app)

    @attack("the helper takes the environment along")
    def test_a_false_fprintd_on_a_bus_that_the_environment_names(self):
        bus = Bus(self.world, "false-system", self.world.runtime / "false-system-bus")
        fake = shutil.copy(ROOT / "Tests/Fakes/false_fprintd.py", self.world.folder / "false_fprintd.py")
        os.chmod(fake, 0o644)
        address = {"DBUS_SYSTEM_BUS_ADDRESS": bus.address}
        daemon = self.world.start(["/usr/bin/python3", "-u", fake], "false-fprintd", address)
        until(lambda: "ready" in daemon.output(), lambda: f"the false fprintd: {daemon.output()}")
        self.come_back_locked()
        app = self.world.app(env=address)
        app.look_until(lambda: app.has("label", "Password") or not app.has("label", LOCKED), "a question", 10)
        # Its match comes a tenth of a second after it is asked.
        with contextlib.suppress(TimedOut):
            until(lambda: "matched" in daemon.output(), "a match", 1.5)
        self.round_trip(app)
        self.assert_kept(app)


@unittest.skipIf(why_no_fingerprints(), f"{why_no_fingerprints()}")
class FingerOnX11(Finger, AttackTest):
    pass


@unittest.skipIf(why_no_fingerprints(), f"{why_no_fingerprints()}")
class FingerOnWayland(Finger, AttackTest):
    display = "wayland"


@unittest.skipIf(why_no_fingerprints(), f"{why_no_fingerprints()}")
class NoReaderOnX11(NoReader, AttackTest):
    pass


@unittest.skipIf(why_no_fingerprints(), f"{why_no_fingerprints()}")
class NoReaderOnWayland(NoReader, AttackTest):
    display = "wayland"
