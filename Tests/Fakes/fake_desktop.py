"""Stands on a bus as logind (on the system's) or as a screen saver (on the session's), as far as the lock asks them.

fake_desktop.py logind
fake_desktop.py saver NAME PATH

Says "ready" once it bears its name; then takes commands on standard input, one a line, answers each with "done", and
tells of inhibitors: "inhibited WHAT|WHO|WHY|MODE", "released". With end of file it ends.

logind: lock · unlock · hint true|false · active true|false · sleep true|false · no-display · display · new-session ·
stop-at-release PID (stops that process the moment it lets its inhibitor go) · forge (all its signals, from somebody
who does not bear its name: to everybody, and to each by name)
saver: active true|false · forge true|false
"""
import os
import signal
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

LOGIN = "org.freedesktop.login1"
ROOT = "/org/freedesktop/login1"
SESSION = f"{ROOT}/session/_32"
OTHER = f"{ROOT}/session/_39"
PROPERTIES = "org.freedesktop.DBus.Properties"
INTERFACES = """<node>
<interface name="org.freedesktop.login1.Manager">
  <method name="Inhibit">
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="h" direction="out"/>
  </method>
  <method name="GetSession"><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
  <property name="PreparingForSleep" type="b" access="read"/>
</interface>
<interface name="org.freedesktop.login1.User"><property name="Display" type="(so)" access="read"/></interface>
<interface name="org.freedesktop.login1.Session">
  <property name="Active" type="b" access="read"/>
  <property name="LockedHint" type="b" access="read"/>
  <property name="Type" type="s" access="read"/>
</interface>
</node>"""
PATHS = {"Manager": ROOT, "User": f"{ROOT}/user/self", "Session": SESSION}


def say(*words):
    print(*words, flush=True)


class Fake:
    def __init__(self, bus, name):
        self.bus, self.name = bus, name
        self.connection = Gio.bus_get_sync(bus, None)
        self.export()
        Gio.bus_own_name_on_connection(self.connection, name, Gio.BusNameOwnerFlags.REPLACE, lambda *_: say("ready"),
                                       lambda *_: sys.exit("the name is taken"))

    def export(self):
        pass

    def emit(self, path, interface, member, arguments=None):
        self.connection.emit_signal(None, path, interface, member, arguments)
        self.connection.flush_sync(None)

    def forged(self, path, interface, member, arguments=None):
        """The signal from a connection of no name: to all, and to each connection by its own name."""
        address = Gio.dbus_address_get_for_bus_sync(self.bus, None)
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        forger = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        names = forger.call_sync("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "ListNames", None, None, 0, -1,
                                 None).unpack()[0]
        for destination in [None] + [name for name in names if name.startswith(":")]:
            forger.emit_signal(destination, path, interface, member, arguments)
        forger.flush_sync(None)
        forger.close_sync(None)


class Logind(Fake):
    values = {"PreparingForSleep": False, "Active": True, "LockedHint": False, "Type": "x11"}
    has_display = True
    stops = 0

    def export(self):
        for interface in Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces:
            path = PATHS[interface.name.rpartition(".")[2]]
            self.connection.register_object(path, interface, self.call, self.read, None)

    def read(self, connection, sender, path, interface, name):
        if name == "Display":
            return GLib.Variant("(so)", ("2", SESSION) if self.has_display else ("", "/"))
        return GLib.Variant("s" if name == "Type" else "b", self.values[name])

    def call(self, connection, sender, path, interface, method, arguments, invocation):
        if method == "GetSession":
            if arguments.unpack() != ("auto",):
                return invocation.return_dbus_error(LOGIN + ".NoSuchSession", "No such session")
            return invocation.return_value(GLib.Variant("(o)", (SESSION,)))
        what, who, why, mode = arguments.unpack()
        # As in logind: what is under way already cannot be delayed any more.
        if self.values["PreparingForSleep"]:
            return invocation.return_dbus_error(LOGIN + ".OperationInProgress", "The operation is already running")
        reader, writer = os.pipe()
        GLib.io_add_watch(reader, GLib.PRIORITY_HIGH, GLib.IOCondition.HUP, self.released)
        invocation.return_value_with_unix_fd_list(
            GLib.Variant("(h)", (0,)), Gio.UnixFDList.new_from_array([writer]))
        say(f"inhibited {what}|{who}|{why}|{mode}")
        return None

    def released(self, reader, condition):
        if self.stops:
            os.kill(self.stops, signal.SIGSTOP)
        os.close(reader)
        say("released")
        return False

    def properties(self, **values):
        self.values.update(values)
        changes = {name: GLib.Variant("b", value) for name, value in values.items()}
        return SESSION, PROPERTIES, "PropertiesChanged", GLib.Variant(
            "(sa{sv}as)", ("org.freedesktop.login1.Session", changes, []))

    def command(self, word, *more):
        value = more == ("true",)
        if word in ("lock", "unlock"):
            self.emit(SESSION, f"{LOGIN}.Session", word.title())
        elif word == "hint":
            self.emit(*self.properties(LockedHint=value))
        elif word == "active":
            self.emit(*self.properties(Active=value))
        elif word == "sleep":
            self.values["PreparingForSleep"] = value
            self.emit(ROOT, f"{LOGIN}.Manager", "PrepareForSleep", GLib.Variant("(b)", (value,)))
        elif word in ("no-display", "display"):
            self.has_display = word == "display"
        elif word == "new-session":
            self.emit(ROOT, f"{LOGIN}.Manager", "SessionNew", GLib.Variant("(so)", ("2", SESSION)))
        elif word == "stop-at-release":
            self.stops = int(more[0])
        elif word == "other":
            # What concerns somebody else's session.
            self.emit(OTHER, f"{LOGIN}.Session", "Lock")
            _, interface, member, arguments = self.properties()
            changes = {"Active": GLib.Variant("b", False), "LockedHint": GLib.Variant("b", True)}
            self.emit(OTHER, interface, member, GLib.Variant("(sa{sv}as)", (f"{LOGIN}.Session", changes, [])))
        elif word == "forge":
            self.forged(SESSION, f"{LOGIN}.Session", "Lock")
            self.forged(SESSION, f"{LOGIN}.Session", "Unlock")
            self.forged(ROOT, f"{LOGIN}.Manager", "PrepareForSleep", GLib.Variant("(b)", (True,)))
            changes = {"Active": GLib.Variant("b", False), "LockedHint": GLib.Variant("b", True)}
            self.forged(SESSION, PROPERTIES, "PropertiesChanged",
                        GLib.Variant("(sa{sv}as)", (f"{LOGIN}.Session", changes, [])))
        else:
            sys.exit(f"unknown command {word}")


class Saver(Fake):
    def __init__(self, name, path):
        self.path = path
        super().__init__(Gio.BusType.SESSION, name)

    def command(self, word, value):
        arguments = GLib.Variant("(b)", (value == "true",))
        tell = self.forged if word == "forge" else self.emit
        tell(self.path, self.name, "ActiveChanged", arguments)


loop = GLib.MainLoop()
fake = Logind(Gio.BusType.SYSTEM, LOGIN) if sys.argv[1] == "logind" else Saver(*sys.argv[2:])


def command(channel, condition):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    fake.command(*line.split())
    say("done")
    return True


GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, command)
loop.run()
