"""logind for the world's user and one session, on the world's system bus: Tests/Fakes/fake_logind.py."""

import json
import os
import pathlib
import signal
import subprocess
import sys

from .wait import until

FAKE = pathlib.Path(__file__).resolve().parent.parent / "Fakes/fake_logind.py"
SESSION = "c1"


class Logind:
    """A graphical session that is active; `session` None stands for a user without one (Display is empty)."""

    def __init__(self, world, session=SESSION, active=True):
        self.world = world
        self.session = session
        self.active = active
        self.daemon = None
        self.starts = 0
        if world.system is None:
            world.system_bus()
        world.started.append(self)
        self.start()

    def start(self):
        """Starts it, after ending one that runs, as an upgrade of systemd does; it has no inhibitors then."""
        self.end()
        user = self.world.user
        uid, name = (user.uid, user.name) if user else (os.getuid(), self.world.env["USER"])
        what = {"uid": uid, "user": name, "session": self.session or SESSION, "active": self.active,
                "graphical": self.session is not None}
        # The fake may lie in a folder that the user cannot read, and logind is root's in any case.
        self.starts += 1
        self.daemon = self.world.start([sys.executable, FAKE, json.dumps(what)], f"logind-{self.starts}", as_root=True,
                                       stdin=subprocess.PIPE)
        self.wait_event("ready")

    # What happens to the session and the machine

    def tell(self, command, *arguments):
        """Gives a command, and returns once it has been carried out."""
        before = self.count("done")
        self.daemon.process.stdin.write(json.dumps([command, *arguments]).encode() + b"\n")
        self.daemon.process.stdin.flush()
        until(lambda: self.count("done") > before, lambda: f"logind {command}: {self.daemon.output()[-500:]}")

    def lock(self, session=None):
        """`loginctl lock-session`; `session` is for another one than the user's."""
        self.tell("lock", *([f"/org/freedesktop/login1/session/{session}"] if session else []))

    def unlock(self):
        """`loginctl unlock-session`."""
        self.tell("unlock")

    def set_locked_hint(self, locked):
        """The desktop says whether its lock screen is there."""
        self.tell("hint", locked)

    def forge(self, *signals):
        """Somebody else on the bus sends these signals in logind's name, to everybody and to each."""
        self.tell("forge", *signals)

    def set_active(self, active):
        """The user is switched away from, or back to."""
        self.active = active
        self.tell("activate", active)

    def prepare_for_sleep(self, sleeping):
        """The signal alone, as it comes before sleep and after it."""
        self.tell("prepare", sleeping)

    def suspend(self, patience=5.0):
        """The machine goes to sleep as soon as no delay is held, or after `patience` seconds: `wait_asleep`."""
        self.tell("suspend", patience)

    def wait_asleep(self, seconds=10.0):
        """Why it fell asleep: "released", "nobody asked for a delay" or "out of patience"."""
        return self.wait_event("asleep", seconds)[0]

    def stop_at_release(self, pid):
        """Stops that process the moment it lets sleep come: the screen stays as it is then, for a picture."""
        self.tell("stop_at_release", pid)

    def resume(self):
        """It wakes up again."""
        self.tell("resume")

    # What programs asked of it

    @property
    def events(self):
        """[event, arguments...] since the start: inhibited and released (what, who, why, mode, uid, pid), hint (the
        session's LockedHint was set), asleep (why), awake."""
        lines = self.daemon.output().splitlines()
        return [json.loads(line) for line in lines if line.startswith("[") and line.endswith("]")]

    def of(self, name):
        return [event[1:] for event in self.events if event[0] == name]

    def count(self, name):
        return len(self.of(name))

    def wait_event(self, name, seconds=10.0, number=1):
        """Waits for the event, or for the `number`th of its name; returns its arguments."""
        until(lambda: self.count(name) >= number, lambda: f"logind: {name}; {self.daemon.output()[-500:]}", seconds)
        return self.of(name)[number - 1]

    def inhibitors(self, pid=None, what="sleep"):
        """Those held now: (what, who, why, mode, uid, pid); of one process, where `pid` is given."""
        held = self.of("inhibited")
        for gone in self.of("released"):
            held.remove(gone)
        return [tuple(each) for each in held if what in each[0].split(":") and pid in (None, each[5])]

    def wait_inhibited(self, pid=None, seconds=10.0):
        """Waits until somebody, or that process, delays sleep."""
        return until(lambda: self.inhibitors(pid), "sleep delayed", seconds)

    def wait_released(self, pid=None, seconds=10.0):
        """Waits until nobody, or not that process, delays sleep."""
        until(lambda: not self.inhibitors(pid), "the delay of sleep released", seconds)

    # The daemon

    def freeze(self):
        """It answers nothing any more."""
        self.daemon.signal(signal.SIGSTOP)

    def thaw(self):
        self.daemon.signal(signal.SIGCONT)

    def end(self):
        if self.daemon is not None:
            self.daemon.process.stdin.close()
            self.daemon.end()
            self.daemon = None
