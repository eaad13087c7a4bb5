"""polkit in place of the machine's: python-dbusmock's template on the world's system bus."""

import sys

from .system_client import DBusError, SystemClient
from .wait import until

NAME = "org.freedesktop.PolicyKit1"
AUTHORITY = "/org/freedesktop/PolicyKit1/Authority"
MOCK = "org.freedesktop.DBus.Mock"


class Polkit:
    """Allows every action at first."""

    def __init__(self, world):
        self.process = world.start([sys.executable, "-m", "dbusmock", "--system", "--template", "polkitd"], "polkit",
                                   as_root=True)
        self.client = SystemClient(world)
        until(lambda: self.client.owner(NAME), lambda: f"polkit on the bus: {self.process.output()}")
        until(self.is_ready, "polkit's answers")
        self.allow_all()

    def is_ready(self):
        # The name is there a moment before the object is.
        try:
            self.mock("SetAllowed", "(as)", [])
            return True
        except DBusError:
            return False

    def mock(self, method, signature, *arguments):
        self.client.call(NAME, AUTHORITY, MOCK, method, signature, *arguments)

    def allow_all(self):
        self.mock("AllowUnknown", "(b)", True)

    def allow_only(self, *actions):
        """Refuses every action but these, as for a user whom the machine's rules do not let."""
        self.mock("AllowUnknown", "(b)", False)
        self.mock("SetAllowed", "(as)", list(actions))

    def hang(self, hanging=True):
        """It takes questions and answers none."""
        self.mock("SimulateHang", "(b)", hanging)

    def end(self):
        self.client.close()
        self.process.end()
