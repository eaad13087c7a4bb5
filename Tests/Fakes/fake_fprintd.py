"""Stands on the bus as fprintd does, in the state named by its one argument; says "ready" once it bears its name."""
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

NAME = "net.reactivated.Fprint"
INTERFACES = """<node>
<interface name="net.reactivated.Fprint.Manager">
  <method name="GetDefaultDevice"><arg type="o" direction="out"/></method>
</interface>
<interface name="net.reactivated.Fprint.Device">
  <method name="ListEnrolledFingers"><arg type="s" direction="in"/><arg type="as" direction="out"/></method>
  <method name="Release"/>
</interface>
</node>"""
state = sys.argv[1]


def call(connection, sender, path, interface, method, arguments, invocation):
    if method == "GetDefaultDevice":
        if state == "no-reader":
            invocation.return_dbus_error(NAME + ".Error.NoSuchDevice", "No devices available")
        else:
            invocation.return_value(GLib.Variant("(o)", ("/net/reactivated/Fprint/Device/0",)))
    elif method == "Release":
        error = "AlreadyInUse" if state == "held" else "ClaimDevice"
        invocation.return_dbus_error(f"{NAME}.Error.{error}", "somebody else may do that")
    elif arguments.unpack() != ("",):
        invocation.return_dbus_error("org.freedesktop.DBus.Error.InvalidArgs", "the caller's own fingers were expected")
    elif state == "none-enrolled":
        invocation.return_dbus_error(NAME + ".Error.NoEnrolledPrints", "Failed to discover prints")
    elif state == "broken":
        invocation.return_dbus_error(NAME + ".Error.Internal", "Something went wrong")
    elif state != "silent":
        invocation.return_value(GLib.Variant("(as)", (["right-index-finger", "left-thumb"],)))


connection = Gio.bus_get_sync(Gio.BusType.SYSTEM, None)
for interface in Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces:
    manager = interface.name.endswith("Manager")
    path = "/net/reactivated/Fprint/" + ("Manager" if manager else "Device/0")
    connection.register_object(path, interface, call, None, None)
Gio.bus_own_name_on_connection(
    connection, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), None)
GLib.MainLoop().run()
