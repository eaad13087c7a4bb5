"""Sends signals from a connection that bears no name: what a program may do that wants to be taken for a service."""

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio  # noqa: E402

BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")


def forge(bus, signals):
    """Each (path, interface, member, arguments) to everybody, and to each connection by its own name.

    The second kind passes the bus's match rules, and a careless client takes it for the service's.
    """
    address = Gio.dbus_address_get_for_bus_sync(bus, None)
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    forger = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
    names = forger.call_sync(*BUS, "ListNames", None, None, 0, 5000, None).unpack()[0]
    for destination in [None] + [name for name in names if name.startswith(":")]:
        for path, interface, member, arguments in signals:
            forger.emit_signal(destination, path, interface, member, arguments)
    # Answered after all that was sent before: then everybody has been sent theirs.
    forger.call_sync(*BUS, "GetId", None, None, 0, 5000, None)
    forger.close_sync(None)
