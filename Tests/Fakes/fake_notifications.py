"""Stands on the session bus as the desktop's notifications do, and is told what to do by lines on standard input:
`press ID ACTION`, `hold` (answer no Notify from now on), `go on`. Each call and each answer is a JSON line."""
import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
INTERFACE = """<node><interface name="org.freedesktop.Notifications">
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation">
    <arg type="s" direction="out"/><arg type="s" direction="out"/><arg type="s" direction="out"/>
    <arg type="s" direction="out"/>
  </method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
  <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
</interface></node>"""

shown, held = set(), []
holds, last = False, 0


def say(**what):
    print(json.dumps(what), flush=True)


def closed(number, reason):
    shown.discard(number)
    bus.emit_signal(None, PATH, NAME, "NotificationClosed", GLib.Variant("(uu)", (number, reason)))


def call(connection, sender, path, interface, method, arguments, invocation):
    global last
    if method == "Notify":
        app, replaces, icon, title, body, actions, hints, expires = arguments.unpack()
        last += 1
        number = replaces if replaces in shown else last
        shown.add(number)
        say(call="Notify", id=number, app=app, title=title, body=body, actions=actions, hints=sorted(hints))
        answer = GLib.Variant("(u)", (number,))
        if holds:
            held.append((invocation, answer))
        else:
            invocation.return_value(answer)
    elif method == "CloseNotification":
        number, = arguments.unpack()
        say(call="Close", id=number, was_shown=number in shown)
        closed(number, 3)
        invocation.return_value(None)
    elif method == "GetCapabilities":
        invocation.return_value(GLib.Variant("(as)", (["actions", "body"],)))
    else:
        invocation.return_value(GLib.Variant("(ssss)", ("fake", "tests", "1", "1.2")))


def command(channel, condition):
    global holds
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    words = line.split()
    if words[0] == "press":
        number, action = int(words[1]), words[2]
        bus.emit_signal(None, PATH, NAME, "ActionInvoked", GLib.Variant("(us)", (number, action)))
        closed(number, 2)
        say(pressed=number, action=action)
    elif words[0] == "hold":
        holds = True
        say(holds=True)
    else:
        holds = False
        while held:
            invocation, answer = held.pop(0)
            invocation.return_value(answer)
        say(holds=False)
    return True


bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
for interface in Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces:
    bus.register_object(PATH, interface, call, None, None)
Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: say(ready=True), None)
GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, command)
loop = GLib.MainLoop()
loop.run()
