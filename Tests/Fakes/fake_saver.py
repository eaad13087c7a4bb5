"""Stands on the session bus as a screen saver or lock screen: `fake_saver.py NAME PATH`.

Each line of the input is JSON, [command, arguments...]; each line of the output is JSON, [event, arguments...]. The
commands are `active` (true or false: the signal ActiveChanged) and `forge` (the same from somebody who does not bear
the name).
"""

import json
import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

from forger import forge  # noqa: E402


def say(*event):
    print(json.dumps(event), flush=True)


def main(name, path):
    connection = Gio.bus_get_sync(Gio.BusType.SESSION, None)
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
            command, value = json.loads(line)
            signal = (path, name, "ActiveChanged", GLib.Variant("(b)", (value,)))
            if command == "forge":
                forge(Gio.BusType.SESSION, [signal])
            else:
                connection.emit_signal(None, *signal)
            say("done", command)
        return True

    GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, 0, GLib.IOCondition.IN | GLib.IOCondition.HUP, read)
    Gio.bus_own_name_on_connection(connection, name, Gio.BusNameOwnerFlags.NONE, lambda *_: say("ready"), None)
    loop.run()


main(*sys.argv[1:])
