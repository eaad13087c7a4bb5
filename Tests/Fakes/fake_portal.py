"""Stands on the session bus as the desktop's portal, with its file chooser, which is another program's window: no lock
of the app's reaches it. Each line on standard input is a path, the user's answer to the request that was made last.
Each request and each answer is a JSON line."""
import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
METHOD = """<method name="%s">
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
    <arg type="o" direction="out"/>
  </method>"""
INTERFACE = f"""<node><interface name="org.freedesktop.portal.FileChooser">
  {METHOD % "OpenFile"}{METHOD % "SaveFile"}<property name="version" type="u" access="read"/>
</interface></node>"""

requests = []


def say(**what):
    print(json.dumps(what), flush=True)


def call(connection, sender, path, interface, method, arguments, invocation):
    window, title, options = arguments.unpack()
    handle = f"{PATH}/request/{sender[1:].replace('.', '_')}/{options['handle_token']}"
    requests.append((sender, handle))
    invocation.return_value(GLib.Variant("(o)", (handle,)))
    say(method=method, title=title)


def answer(channel, condition):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    sender, handle = requests[-1]
    uris = {"uris": GLib.Variant("as", [GLib.filename_to_uri(line.rstrip("\n"), None)])}
    bus.emit_signal(sender, handle, "org.freedesktop.portal.Request", "Response", GLib.Variant("(ua{sv})", (0, uris)))
    # It is on its way to the app once this has come back.
    bus.flush_sync(None)
    say(answered=True)
    return True


bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
for interface in Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces:
    bus.register_object(PATH, interface, call, lambda *_: GLib.Variant("u", 4), None)
Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: say(ready=True), None)
GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, answer)
loop = GLib.MainLoop()
loop.run()
