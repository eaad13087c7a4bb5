"""Private message buses: the session's, and in its place under /run/dbus the system's."""

import os
import pathlib

from .wait import until

# Nothing is activated but what a world asks for: the machine's own services would answer in the rig's place.
CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>{kind}</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{services}</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    <allow user="*"/>
  </policy>
</busconfig>
"""

A11Y = "org.a11y.Bus.service"


class Bus:
    """One dbus-daemon. `address` is how to reach it; `services` the folder of what it may start."""

    def __init__(self, world, kind, socket, services=()):
        self.world = world
        self.services = world.folder / f"{kind}-services"
        self.services.mkdir(exist_ok=True)
        for name in services:
            self.offer(name)
        config = world.folder / f"{kind}-bus.conf"
        config.write_text(CONFIG.format(kind=kind, socket=socket, services=self.services))
        reader, writer = os.pipe()
        argv = ["dbus-daemon", f"--config-file={config}", "--nofork", "--nopidfile", f"--print-address={writer}"]
        self.daemon = world.start(argv, f"{kind}-bus", pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as lines:
            self.address = lines.readline().strip()
        if not self.address:
            raise RuntimeError(f"the {kind} bus did not start: {self.daemon.output()}")

    def offer(self, name):
        """Lets the bus start a service that is installed on this machine."""
        source = pathlib.Path("/usr/share/dbus-1/services") / name
        (self.services / name).write_text(source.read_text())

    def has(self, name):
        """Whether anybody owns the name."""
        done = self.world.run(
            ["dbus-send", f"--bus={self.address}", "--print-reply", "--dest=org.freedesktop.DBus", "/",
             "org.freedesktop.DBus.NameHasOwner", f"string:{name}"])
        return b"boolean true" in done.stdout

    def wait_for(self, name, seconds=10.0):
        """Waits until somebody owns the name."""
        until(lambda: self.has(name), f"{name} on the bus", seconds)
