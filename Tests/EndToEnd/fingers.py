"""What the tests of the finger begin with: a world with a reader, an enrolled finger and a lock, one for each class."""

import configparser
import re
import time
import unittest

from Rig import World, until, why_no_fingerprints
from Rig.system_client import BUS, DBusError, SystemClient
from steps import LOCKED, WorldTest, come_back, needs_user

TODO = "Buy milk"
FINGER_SERVICE = "app-gates-fingerprint"
DAY = 86_400

# What the page says of the reader. PAM's own words first: they are libfprint's for a reader that is swiped.
READY = "Swipe your right index finger across the fingerprint reader"
RETRIES = ("Swipe your finger again", "Swipe was too short, try again",
           "Your finger was not centered, try swiping your finger again",
           "Remove your finger, and try swiping your finger again")
NO_MATCH = "Failed to match fingerprint"
NONE_ENROLLED = "No finger of yours is enrolled. Enrol one in your desktop’s settings."
IN_USE = "Another program uses the fingerprint reader."
UNPLUGGED = "The fingerprint reader was unplugged."
UNAVAILABLE = "The fingerprint reader is not available."
PASSWORD_DUE = "Type your password this time; a finger will do after that."
TOO_MANY = "Too many fingers were not recognised. Type your password; a finger will do after that."
WRONG_PASSWORD = "That was not right. Try again."
SWITCH = ("check box", "App Lock")
ANY = re.compile("[Ff]inger")

needs_reader = unittest.skipIf(why_no_fingerprints(), f"{why_no_fingerprints()}")


class FingerTest(WorldTest):
    """One world for the class. `setUp` puts everything back: who is enrolled, the services, what the lock remembers."""

    options = {"size": (1000, 900)}
    with_logind = False
    reader_options = {}

    @classmethod
    def setUpClass(cls):
        cls.world = World(**cls.options)
        cls.addClassCleanup(cls.world.close)
        cls.login = cls.world.logind() if cls.with_logind else None
        cls.fp = cls.world.fingerprints(**cls.reader_options)
        cls.services = {path.name: path.read_text() for path in (cls.world.etc.path / "pam.d").iterdir()}
        if cls.reader_options.get("reader", True) and cls.reader_options.get("start", True):
            cls.fp.enroll()
        cls.bus = BusWatch(cls.world)
        cls.addClassCleanup(cls.bus.close)

    def setUp(self):
        come_back(self.world, lock=True, lockAfterSeconds=300)
        self.remember(passwordAt=int(time.time()))
        self.apps = []
        self.addCleanup(self.end_apps)

    def end_apps(self):
        for app in self.apps:
            app.end()
        for name, text in self.services.items():
            self.world.etc.service(name, text)

    def wait_seconds(self, seconds):
        """The shortest time-out that pam_fprintd knows is 10 seconds."""
        text = self.services[FINGER_SERVICE]
        self.assertIn("timeout=30", text)
        self.world.etc.service(FINGER_SERVICE, text.replace("timeout=30", f"timeout={seconds}"))

    # What the lock remembers

    @property
    def memory_file(self):
        return self.world.state / "app-gates/lock.ini"

    def remember(self, **keys):
        """Makes the lock remember this, and no more."""
        self.world.write(self.memory_file, "[lock]\n" + "".join(f"{key}={value}\n" for key, value in keys.items()))

    def memory(self, key):
        parser = configparser.ConfigParser()
        parser.optionxform = str
        parser.read(self.memory_file)
        return int(parser["lock"].get(key, -1))

    # The app

    def start(self, says=READY, **options):
        """The app, locked, and saying this of the reader."""
        app = self.world.app(**options)
        self.apps.append(app)
        app.wait_for("label", LOCKED)
        if says:
            self.says(app, says)
        return app

    def says(self, app, words, seconds=10.0):
        return app.wait_for("alert", words, seconds=seconds)

    def asks(self, app, seconds=10.0):
        """The password can be typed."""
        app.wait_for("password text", states=("focused", "editable"), seconds=seconds)

    def opened(self, app, seconds=10.0):
        app.wait_gone("label", LOCKED, seconds=seconds)
        app.wait_for("text", "Add a todo")
        app.until(lambda: app.children() == {}, "the helpers' end")
        self.fp_released()

    def fp_released(self):
        if self.fp.daemon is not None and self.fp.reader:
            self.fp.wait_released()

    def is_locked(self, app):
        return app.has("label", LOCKED) and not app.has("text", "Add a todo")

    def assert_locked(self, app):
        self.assertTrue(self.is_locked(app), app.dump())

    def lock_again(self, app, says=READY):
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)
        if says:
            self.says(app, says)

    def type_password(self, app, password=None):
        self.asks(app)
        app.type(password or self.world.user.password)
        app.key("Return")

    def by_password(self, app):
        """Opens with the password, and takes no more than its own time for it."""
        began = time.monotonic()
        self.type_password(app)
        self.opened(app)
        return time.monotonic() - began

    def by_finger(self, app):
        self.fp.scan()
        self.opened(app)

    def helpers(self, app):
        return [pid for pid, name in app.children().items() if name == "app-gates-auth"]

    def no_match(self, app, refused):
        """A finger that is not known; `refused`: how many the lock has counted then."""
        self.fp.scan("other")
        app.until(lambda: self.memory("refusedFingers") == refused, f"{refused} refused fingers counted")


class BusWatch:
    """Counts the connections to the system bus: each finger helper makes one, and no other helper does."""

    def __init__(self, world):
        self.client = SystemClient(world)
        self.client.listen("org.freedesktop.DBus")
        self.names = set()
        self.begun = self.most = 0

    def begin(self):
        """Counts from now on."""
        self.hear()
        self.names = set()
        self.begun = self.most = 0

    def hear(self):
        heard, self.client.signals = self.client.hear(), []
        for member, arguments in heard:
            if member != "NameOwnerChanged" or not arguments[0].startswith(":"):
                continue
            name, _, new = arguments
            if new:
                self.names.add(name)
                self.begun += 1
                self.most = max(self.most, len(self.names))
            else:
                self.names.discard(name)
        return self

    def pids(self):
        """The processes that have a connection now."""
        found = []
        for name in self.client.call(*BUS, "ListNames")[0]:
            if name.startswith(":"):
                try:
                    found.append(self.client.call(*BUS, "GetConnectionUnixProcessID", "(s)", name)[0])
                except DBusError:
                    continue  # it has just gone
        return found

    def close(self):
        self.client.close()


__all__ = ["ANY", "DAY", "FINGER_SERVICE", "FingerTest", "IN_USE", "LOCKED", "NONE_ENROLLED", "NO_MATCH",
           "PASSWORD_DUE", "READY", "RETRIES", "SWITCH", "TODO", "TOO_MANY", "UNAVAILABLE", "UNPLUGGED", "WRONG_PASSWORD",
           "needs_reader", "needs_user", "until"]
