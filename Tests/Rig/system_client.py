"""A client of the world's system bus in the test's own process: calls with a deadline, and what it hears."""

import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

from .wait import TimedOut  # noqa: E402

BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")


class DBusError(Exception):
    """An error that the other side answered with. `name` is its D-Bus name."""

    def __init__(self, error):
        self.name = Gio.DBusError.get_remote_error(error) or ""
        super().__init__(error.message.removeprefix("GDBus.Error:"))


class SystemClient:
    """One connection of its own: to a service it is one program among others."""

    def __init__(self, world):
        self.context = GLib.MainContext()
        self.signals = []
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.connection = self.within(
            lambda: Gio.DBusConnection.new_for_address_sync(world.system.address, flags, None, None))

    def within(self, work):
        self.context.push_thread_default()
        try:
            return work()
        finally:
            self.context.pop_thread_default()

    def call(self, name, path, interface, method, signature=None, *arguments, seconds=10.0):
        """Calls a method and returns what it answers, as a tuple; raises DBusError, also where no answer comes."""
        given = GLib.Variant(signature, arguments) if signature else None
        try:
            return self.connection.call_sync(
                name, path, interface, method, given, None, Gio.DBusCallFlags.NO_AUTO_START, int(seconds * 1000), None
            ).unpack()
        except GLib.Error as error:
            raise DBusError(error) from None

    def owner(self, name):
        """The unique name behind a name, or None."""
        try:
            return self.call(*BUS, "GetNameOwner", "(s)", name)[0]
        except DBusError:
            return None

    def listen(self, sender):
        """Keeps every signal that the bus sends to everybody from that sender, in `signals`."""
        self.within(lambda: self.connection.signal_subscribe(
            sender, None, None, None, None, Gio.DBusSignalFlags.NONE,
            lambda _, source, path, interface, member, values: self.signals.append((member, values.unpack()))))

    def hear(self):
        """The signals up to now: (member, arguments)."""
        # An answer of the bus lies behind every signal that it sent before.
        self.owner(BUS[0])
        while self.context.iteration(False):
            pass
        return self.signals

    def forget(self):
        """Drops the signals up to now, those included that are under way."""
        self.hear()
        self.signals = []

    def wait_for(self, look, what, seconds=10.0):
        """Waits for signals until `look` gives something true."""
        end = time.monotonic() + seconds
        timer = GLib.timeout_source_new(int(seconds * 1000) + 1)
        timer.set_callback(lambda *_: GLib.SOURCE_CONTINUE)
        timer.attach(self.context)
        try:
            while not (found := look()):
                if time.monotonic() > end:
                    raise TimedOut(f"not within {seconds:g} s: {what}; heard {self.signals}")
                self.context.iteration(True)
            return found
        finally:
            timer.destroy()

    def close(self):
        if not self.connection.is_closed():
            self.connection.close_sync(None)
