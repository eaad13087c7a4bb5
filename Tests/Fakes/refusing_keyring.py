"""A Secret Service that refuses every call: the real one does so only where its files or its policy are broken."""

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME = "org.freedesktop.secrets"
bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)


def refuse(_, message, incoming):
    if not incoming or message.get_message_type() != Gio.DBusMessageType.METHOD_CALL:
        return message
    if not (message.get_path() or "").startswith("/org/freedesktop/secrets"):
        return message
    answer = message.new_method_error_literal("org.freedesktop.DBus.Error.AccessDenied", "no")
    bus.send_message(answer, Gio.DBusSendMessageFlags.NONE)
    return None


bus.add_filter(refuse)
Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
