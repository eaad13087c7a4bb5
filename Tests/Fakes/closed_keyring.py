"""A Secret Service that shows nothing: its files are not opened yet, or its answers are no answers.

The argument says how: `closed` has no keyring at all, `fileless` only one for the session and none for new secrets, and
`senseless` answers each question with an empty text.
"""

import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME = "org.freedesktop.secrets"
SESSION = "/org/freedesktop/secrets/collection/session"
KIND = sys.argv[1]
ANSWERS = {
    ("SearchItems", None): GLib.Variant("(aoao)", ([], [])),
    ("ReadAlias", None): GLib.Variant("(o)", ("/",)),
    ("Get", "Collections"): GLib.Variant("(v)", (GLib.Variant("ao", [SESSION] if KIND == "fileless" else []),)),
    ("Get", "Locked"): GLib.Variant("(v)", (GLib.Variant("b", False),)),
}
bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)


def reply(_, message, incoming):
    if not incoming or message.get_message_type() != Gio.DBusMessageType.METHOD_CALL:
        return message
    if not (message.get_path() or "").startswith("/org/freedesktop/secrets"):
        return message
    member = message.get_member()
    body = ANSWERS.get((member, message.get_body().unpack()[1] if member == "Get" else None))
    if body is None:
        answer = message.new_method_error_literal("org.freedesktop.DBus.Error.AccessDenied", "no")
    else:
        answer = message.new_method_reply()
        answer.set_body(GLib.Variant("(s)", ("",)) if KIND == "senseless" else body)
    bus.send_message(answer, Gio.DBusSendMessageFlags.NONE)
    return None


bus.add_filter(reply)
Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
