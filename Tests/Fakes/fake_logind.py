"""Stands on the system bus as logind does, for one user with one session; told what happens over its standard input.

A real logind needs to be the init system's, and a machine that can be put to sleep. What is here follows
org.freedesktop.login1(5): signals come from the session's own path, never from user/self; Inhibit gives the end of a
pipe, and whoever closes it has released; no delay can be taken while the machine is about to sleep; it sleeps when the
last delay is released, or when its patience (InhibitDelayMaxSec) is over.

Argument: JSON with uid, user, session, active, graphical. Each line of the input is JSON, [command, arguments...];
each line of the output is JSON, [event, arguments...].
"""

import json
import os
import signal
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

from forger import forge  # noqa: E402

NAME = "org.freedesktop.login1"
ROOT = "/org/freedesktop/login1"
ERROR = NAME + "."
BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
PROPERTY = '<property name="{}" type="{}" access="read"/>'
METHOD = '<method name="{}">{}</method>'
INTERFACES = {
    "Manager": (
        {"PreparingForSleep": "b", "PreparingForShutdown": "b", "InhibitDelayMaxUSec": "t", "DelayInhibited": "s",
         "BlockInhibited": "s"},
        {"Inhibit": ("s s s s", "h"), "ListInhibitors": ("", "a(ssssuu)"), "GetSession": ("s", "o"),
         "GetSessionByPID": ("u", "o"), "GetUser": ("u", "o"), "GetUserByPID": ("u", "o"),
         "ListSessions": ("", "a(susso)")}),
    "User": ({"UID": "u", "Name": "s", "Display": "(so)", "State": "s", "Sessions": "a(so)"}, {}),
    "Session": (
        {"Id": "s", "User": "(uo)", "Name": "s", "Active": "b", "State": "s", "LockedHint": "b", "Type": "s",
         "Class": "s", "Remote": "b", "Seat": "(so)"},
        {"SetLockedHint": ("b", ""), "Lock": ("", ""), "Unlock": ("", "")}),
}


def interface(word):
    properties, methods = INTERFACES[word]

    def args(kinds, direction):
        return "".join(f'<arg type="{kind}" direction="{direction}"/>' for kind in kinds.split())

    inner = "".join(PROPERTY.format(*each) for each in properties.items()) + "".join(
        METHOD.format(name, args(i, "in") + args(o, "out")) for name, (i, o) in methods.items())
    node = f'<node><interface name="{NAME}.{word}">{inner}</interface></node>'
    return Gio.DBusNodeInfo.new_for_xml(node).interfaces[0]


class Refused(Exception):
    def __init__(self, name, text):
        super().__init__(text)
        self.name = name


class Logind:
    def __init__(self, connection, uid, user, session, active, graphical):
        self.connection = connection
        self.user_path, self.session_path = f"{ROOT}/user/_{uid}", f"{ROOT}/session/{session}"
        self.inhibitors = {}
        self.timer = None
        self.stops = None
        mine = (session, self.session_path)
        state = "active" if active else "online"
        self.values = {
            "Manager": {"PreparingForSleep": False, "PreparingForShutdown": False, "InhibitDelayMaxUSec": 5_000_000,
                        "DelayInhibited": "", "BlockInhibited": ""},
            "User": {"UID": uid, "Name": user, "Display": mine if graphical else ("", "/"), "State": state,
                     "Sessions": [mine]},
            "Session": {"Id": session, "User": (uid, self.user_path), "Name": user, "Active": active, "State": state,
                        "LockedHint": False, "Type": "wayland" if graphical else "tty", "Class": "user",
                        "Remote": False, "Seat": ("seat0", f"{ROOT}/seat/seat0")},
        }
        places = (("Manager", ROOT), ("User", self.user_path), ("User", f"{ROOT}/user/self"),
                  ("Session", self.session_path), ("Session", f"{ROOT}/session/auto"))
        for word, path in places:
            connection.register_object(path, interface(word), self.called, self.read, None)

    def say(self, *event):
        print(json.dumps(event), flush=True)

    def read(self, connection, sender, path, name, property):
        word = name.rpartition(".")[2]
        return GLib.Variant(INTERFACES[word][0][property], self.values[word][property])

    def called(self, connection, sender, path, name, method, arguments, invocation):
        word = name.rpartition(".")[2]
        try:
            if method == "Inhibit":
                self.inhibit(sender, invocation, *arguments.unpack())
                return
            answer = getattr(self, method)(*arguments.unpack())
        except Refused as refused:
            invocation.return_dbus_error(refused.name, str(refused))
            return
        signature = INTERFACES[word][1][method][1]
        invocation.return_value(GLib.Variant(f"({signature})", (answer,)) if signature else None)

    # Methods of the bus

    def ListInhibitors(self):
        return list(self.inhibitors.values())

    def ListSessions(self):
        of = self.values["Session"]
        return [(of["Id"], of["User"][0], of["Name"], "seat0", self.session_path)]

    def GetSession(self, identity):
        if identity not in (self.values["Session"]["Id"], "auto"):
            raise Refused(ERROR + "NoSuchSession", f"No session '{identity}' known")
        return self.session_path

    def GetSessionByPID(self, pid):
        # A program that D-Bus or the user's systemd started is in no session, and so is everybody here.
        raise Refused(ERROR + "NoSessionForPID", f"PID {pid} does not belong to any known session")

    def GetUser(self, uid):
        if uid != self.values["User"]["UID"]:
            raise Refused(ERROR + "NoSuchUser", f"User ID {uid} is not logged in or lingering")
        return self.user_path

    def GetUserByPID(self, pid):
        raise Refused(ERROR + "NoUserForPID", f"PID {pid} does not belong to any logged in user or lingering user")

    def SetLockedHint(self, locked):
        self.change("Session", LockedHint=locked)
        self.say("hint", locked)

    def Lock(self):
        self.lock(self.session_path)

    def Unlock(self):
        self.unlock(self.session_path)

    def inhibit(self, sender, invocation, what, who, why, mode):
        words = set(what.split(":"))
        known = {"shutdown", "sleep", "idle", "handle-power-key", "handle-suspend-key", "handle-lid-switch"}
        if not words <= known or mode not in ("block", "delay") or (
                mode == "delay" and not words <= {"sleep", "shutdown"}):
            raise Refused("org.freedesktop.DBus.Error.InvalidArgs", "Invalid mode or what specification")
        if mode == "delay" and self.values["Manager"]["PreparingForSleep"]:
            raise Refused(ERROR + "OperationInProgress",
                          "The operation inhibition has been requested for is already running")
        asked = (self.connection.call_sync(*BUS, f"GetConnectionUnix{word}", GLib.Variant("(s)", (sender,)), None, 0,
                                           2000, None).unpack()[0] for word in ("User", "ProcessID"))
        ours, theirs = os.pipe2(os.O_CLOEXEC)
        self.inhibitors[ours] = (what, who, why, mode, *asked)
        self.say("inhibited", *self.inhibitors[ours])
        GLib.unix_fd_add_full(GLib.PRIORITY_HIGH, ours, GLib.IOCondition.HUP, self.released)
        handed = Gio.UnixFDList.new_from_array([theirs])
        invocation.return_value_with_unix_fd_list(GLib.Variant("(h)", (0,)), handed)

    def released(self, descriptor, condition):
        if self.stops is not None:
            os.kill(self.stops, signal.SIGSTOP)
            self.stops = None
        os.close(descriptor)
        self.say("released", *self.inhibitors.pop(descriptor))
        if self.timer is not None and not self.delays():
            self.fall_asleep("released")
        return False

    def delays(self):
        return [each for each in self.inhibitors.values() if each[3] == "delay" and "sleep" in each[0].split(":")]

    # Commands of the test

    def stop_at_release(self, pid):
        """The process stands still the moment a delay is released: what is on the screen then stays there."""
        self.stops = pid

    def forge(self, *names):
        """The signals of these names, from somebody who is not logind."""
        session, changed = NAME + ".Session", {"Active": GLib.Variant("b", False), "LockedHint": GLib.Variant("b", True)}
        signals = {
            "Lock": (self.session_path, session, "Lock", None),
            "Unlock": (self.session_path, session, "Unlock", None),
            "PrepareForSleep": (ROOT, NAME + ".Manager", "PrepareForSleep", GLib.Variant("(b)", (True,))),
            "PropertiesChanged": (self.session_path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                                  GLib.Variant("(sa{sv}as)", (session, changed, []))),
        }
        forge(Gio.BusType.SYSTEM, [signals[name] for name in names])

    def hint(self, locked):
        self.change("Session", LockedHint=locked)

    def emit(self, path, name, signal, signature=None, *arguments):
        values = GLib.Variant(signature, arguments) if signature else None
        self.connection.emit_signal(None, path, name, signal, values)

    def change(self, word, **values):
        self.values[word].update(values)
        kinds = INTERFACES[word][0]
        changed = {key: GLib.Variant(kinds[key], value) for key, value in values.items()}
        path = {"Session": self.session_path, "User": self.user_path, "Manager": ROOT}[word]
        self.emit(path, "org.freedesktop.DBus.Properties", "PropertiesChanged", "(sa{sv}as)",
                  f"{NAME}.{word}", changed, [])

    def lock(self, path=None):
        self.emit(path or self.session_path, NAME + ".Session", "Lock")

    def unlock(self, path=None):
        self.emit(path or self.session_path, NAME + ".Session", "Unlock")

    def activate(self, active):
        state = "active" if active else "online"
        # As in logind: State tells of no change by itself.
        self.values["Session"]["State"] = self.values["User"]["State"] = state
        self.change("Session", Active=active)

    def prepare(self, sleeping):
        self.values["Manager"]["PreparingForSleep"] = sleeping
        self.emit(ROOT, NAME + ".Manager", "PrepareForSleep", "(b)", sleeping)

    def suspend(self, patience):
        self.prepare(True)
        self.timer = GLib.timeout_add(int(patience * 1000), self.out_of_patience)
        if not self.delays():
            self.fall_asleep("nobody asked for a delay")

    def out_of_patience(self):
        self.timer = None
        self.say("asleep", "out of patience")
        return False

    def fall_asleep(self, why):
        GLib.source_remove(self.timer)
        self.timer = None
        self.say("asleep", why)

    def resume(self):
        self.prepare(False)
        self.say("awake")


def main():
    connection = Gio.bus_get_sync(Gio.BusType.SYSTEM, None)
    logind = Logind(connection, **json.loads(sys.argv[1]))
    loop = GLib.MainLoop()
    pending = b""

    def read(descriptor, condition):
        nonlocal pending
        data = os.read(descriptor, 65536)
        if not data:
            loop.quit()
            return False
        *lines, pending = (pending + data).split(b"\n")
        for line in lines:
            command, *arguments = json.loads(line)
            getattr(logind, command)(*arguments)
            logind.say("done", command)
        return True

    GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, 0, GLib.IOCondition.IN | GLib.IOCondition.HUP, read)
    Gio.bus_own_name_on_connection(
        connection, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: logind.say("ready"), None)
    loop.run()


main()
