"""Stands on the system bus as an fprintd to which every finger is the right one; says "ready" once it bears its name."""
import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME = "net.reactivated.Fprint"
DEVICE = "/net/reactivated/Fprint/Device/0"
INTERFACES = """<node>
<interface name="net.reactivated.Fprint.Manager">
  <method name="GetDevices"><arg type="ao" direction="out"/></method>
  <method name="GetDefaultDevice"><arg type="o" direction="out"/></method>
</interface>
<interface name="net.reactivated.Fprint.Device">
  <method name="ListEnrolledFingers"><arg type="s" direction="in"/><arg type="as" direction="out"/></method>
  <method name="Claim"><arg type="s" direction="in"/></method>
  <method name="Release"/>
  <method name="VerifyStart"><arg type="s" direction="in"/></method>
  <method name="VerifyStop"/>
  <property name="name" type="s" access="read"/>
  <property name="num-enroll-stages" type="i" access="read"/>
  <property name="scan-type" type="s" access="read"/>
  <property name="finger-needed" type="b" access="read"/>
  <property name="finger-present" type="b" access="read"/>
</interface>
</node>"""
ANSWERS = {"GetDevices": ("(ao)", ([DEVICE],)), "GetDefaultDevice": ("(o)", (DEVICE,)),
           "ListEnrolledFingers": ("(as)", (["right-index-finger"],))}
PROPERTIES = {"name": ("s", "False reader"), "num-enroll-stages": ("i", 5), "scan-type": ("s", "press"),
              "finger-needed": ("b", True), "finger-present": ("b", True)}


def call(connection, sender, path, interface, method, arguments, invocation):
    answer = ANSWERS.get(method)
    invocation.return_value(GLib.Variant(*answer) if answer else None)
    if method == "VerifyStart":
        GLib.timeout_add(100, match, connection, path, interface)


def match(connection, path, interface):
    connection.emit_signal(None, path, interface, "VerifyStatus", GLib.Variant("(sb)", ("verify-match", True)))
    print("matched", flush=True)
    return GLib.SOURCE_REMOVE


def read(connection, sender, path, interface, name):
    return GLib.Variant(*PROPERTIES[name])


connection = Gio.bus_get_sync(Gio.BusType.SYSTEM, None)
for description in Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces:
    place = "/net/reactivated/Fprint/Manager" if description.name.endswith("Manager") else DEVICE
    connection.register_object(place, description, call, read, None)
Gio.bus_own_name_on_connection(
    connection, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), None)
GLib.MainLoop().run()
