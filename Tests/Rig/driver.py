"""Reads and works the accessible tree, as the user whose bus it is: a message bus lets in nobody else, not even root.

One JSON object a line comes in, one goes out. Started by desk.py with the world's environment. libatspi listens; the
tree is asked for over D-Bus directly (look.py).
"""

import json
import sys
import time

import dbus
import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

from look import ACCESSIBLE, PATIENCE, ROOT, Look, role_of  # noqa: E402

EVENTS = ("object:state-changed", "object:children-changed", "object:property-change", "object:text-changed",
          "object:text-caret-moved", "window:")
KEPT = 20000
# Events come in swarms, and a look at the tree costs more than most tests do: one look a swarm, in milliseconds.
SWARM = 20

NO_SUCH = {"org.freedesktop.DBus.Error." + word for word in ("UnknownMethod", "UnknownInterface", "InvalidArgs")}
POKES = [
    ("org.freedesktop.DBus.Properties", "GetAll", GLib.Variant("(s)", (ACCESSIBLE,))),
    ("org.a11y.atspi.Text", "GetText", GLib.Variant("(ii)", (0, 1000))),
    ("org.a11y.atspi.EditableText", "SetTextContents", GLib.Variant("(s)", ("poked",))),
    ("org.a11y.atspi.Component", "GrabFocus", None),
    ("org.a11y.atspi.Selection", "SelectChild", GLib.Variant("(i)", (0,))),
    ("org.a11y.atspi.Action", "DoAction", GLib.Variant("(i)", (0,))),
]
PARENT = GLib.Variant("(ss)", (ACCESSIBLE, "Parent"))
CRAWLS = [POKES[0], POKES[1], (ACCESSIBLE, "GetChildren", None), ("org.freedesktop.DBus.Properties", "Get", PARENT)]


class Driver:
    def __init__(self):
        Atspi.init()
        Atspi.set_timeout(PATIENCE, PATIENCE)
        self.loop = GLib.MainLoop()
        self.looks = Look()
        self.nodes = []
        self.kept = []
        self.pestering = None
        self.heard = []
        self.happened = False
        self.is_noting = False
        self.waiting = None
        self.listener = Atspi.EventListener.new(self.hear)
        for name in EVENTS:
            self.listener.register(name)
        GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, self.read)

    def hear(self, event):
        self.happened = True
        if self.is_noting:
            self.note(event)
        if self.waiting is not None:
            GLib.source_remove(self.waiting)
            self.waiting = None
            GLib.timeout_add(SWARM, self.heard_one)

    def note(self, event):
        data = event.any_data if isinstance(event.any_data, (str, int)) else None
        try:
            role, name = role_of(event.source), event.source.get_name()
        except GLib.Error:
            role, name = None, None  # it has gone in the meantime
        self.heard.append({"type": event.type, "role": role, "name": name, "data": data, "at": event.detail1})
        del self.heard[:-KEPT]

    def heard_one(self):
        self.answer({"event": True})
        return GLib.SOURCE_REMOVE

    def out_of_time(self):
        self.waiting = None
        self.answer({"event": False})
        return GLib.SOURCE_REMOVE

    def answer(self, reply):
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()

    def read(self, *_):
        line = sys.stdin.readline()
        if not line:
            self.loop.quit()
            return GLib.SOURCE_REMOVE
        request = json.loads(line)
        try:
            reply = getattr(self, "do_" + request.pop("op"))(**request)
        except GLib.Error as error:
            reply = {"error": error.message}
        except dbus.DBusException as error:
            reply = {"error": str(error)}
        except (AttributeError, KeyError, TypeError) as error:
            reply = {"error": repr(error)}
        if reply is not None:
            self.answer(reply)
        return GLib.SOURCE_CONTINUE

    def do_next(self, ms):
        """Answers at the next event, or when the time is over; at once where one came since the last question."""
        if self.happened:
            self.happened = False
            return {"event": True}
        self.waiting = GLib.timeout_add(ms, self.out_of_time)
        return None

    def do_tree(self, pid, slowly=False):
        self.happened = False
        found = (self.looks.slow_tree if slowly else self.looks.tree)(pid)
        self.nodes = [node for node, _, _ in found]
        return {"nodes": [{"id": id, "depth": depth, **facts} for id, (_, depth, facts) in enumerate(found)]}

    # Acting. What a node cannot do is answered as an error by the toolkit.

    def try_call(self, id, interface, method, arguments=None):
        """The first value of the answer; None where the node has no such interface."""
        try:
            return self.looks.call(self.nodes[id], "org.a11y.atspi." + interface, method, arguments)[0]
        except GLib.Error as error:
            if Gio.DBusError.get_remote_error(error) in NO_SUCH:
                return None
            raise

    def do_actions(self, id):
        count = self.property(id, "Action", "NActions") or 0
        return {"actions": [self.try_call(id, "Action", "GetName", GLib.Variant("(i)", (i,))) for i in range(count)]}

    def do_act(self, id, index=0):
        if (self.property(id, "Action", "NActions") or 0) <= index:
            return {"done": False}
        return {"done": self.try_call(id, "Action", "DoAction", GLib.Variant("(i)", (index,)))}

    def do_set_text(self, id, text):
        return {"done": bool(self.try_call(id, "EditableText", "SetTextContents", GLib.Variant("(s)", (text,))))}

    def do_text(self, id):
        # GTK 4.8 answers nothing where the end is given as -1.
        count = self.property(id, "Text", "CharacterCount")
        if count is None:
            return {"text": None, "caret": None}
        return {"text": self.try_call(id, "Text", "GetText", GLib.Variant("(ii)", (0, count))),
                "caret": self.property(id, "Text", "CaretOffset")}

    def do_extents(self, id):
        # 1: within the window.
        return {"extents": self.try_call(id, "Component", "GetExtents", GLib.Variant("(u)", (1,)))}

    def do_attributes(self, id):
        return {"attributes": self.try_call(id, "Accessible", "GetAttributes") or {}}

    def do_relations(self, id):
        relations = {}
        for kind, targets in self.try_call(id, "Accessible", "GetRelationSet") or []:
            names = [self.looks.call(tuple(target), "org.freedesktop.DBus.Properties", "Get",
                               GLib.Variant("(ss)", (ACCESSIBLE, "Name")))[0] for target in targets]
            relations[Atspi.RelationType(kind).value_nick] = names
        return {"relations": relations}

    def do_select(self, id, child):
        return {"done": bool(self.try_call(id, "Selection", "SelectChild", GLib.Variant("(i)", (child,))))}

    def do_crawl(self):
        """Goes from what was kept to every child and parent of it, and on from there; what was answered, as text."""
        answers, seen, todo = [], set(), list(self.kept)
        while todo and len(seen) < 3000:
            node = todo.pop()
            if node in seen:
                continue
            seen.add(node)
            for interface, method, arguments in CRAWLS:
                try:
                    answer = self.looks.call(node, interface, method, arguments)
                except GLib.Error:
                    continue
                answers.append(str(answer))
                found = answer[0] if method == "GetChildren" else [answer[0]] if arguments == PARENT else []
                todo += [tuple(other) for other in found if other[0] == node[0] and other[1] != ROOT]
        return {"answers": answers}

    def do_cached(self, pid):
        """All that the application tells in one answer, reachable from its root or not, as text."""
        root = self.looks.application(pid)
        return {"text": [] if root is None else [str(facts) for _, facts in self.looks.known(root[0]).values()]}

    # What an assistive technology can do that does not play by the rules: it holds on to nodes, and asks on.

    def do_keep(self, ids):
        """Holds on to these nodes of the last look, whatever becomes of them."""
        self.kept = [self.nodes[id] for id in ids]
        return {"kept": len(self.kept)}

    def do_poke(self):
        """Reads and works everything that was kept; what was answered, as text."""
        answers = []
        for node in self.kept:
            for interface, method, arguments in POKES:
                try:
                    answers.append(str(self.looks.call(node, interface, method, arguments)))
                except GLib.Error:
                    continue
        return {"answers": answers}

    def do_pester(self):
        """Reads what was kept over and over from now on."""
        self.pestering = []
        for node in self.kept:
            self.pester(node)
        return {}

    def pester(self, node):
        asked = time.monotonic()

        def answered(connection, result):
            if self.pestering is None:
                return
            try:
                self.pestering.append((asked, str(connection.call_finish(result).unpack())))
            except GLib.Error:
                self.pestering.append((asked, ""))
            self.pester(node)

        name, path = node
        self.looks.bus().call(name, path, "org.freedesktop.DBus.Properties", "GetAll", GLib.Variant("(s)", (ACCESSIBLE,)),
                        None, Gio.DBusCallFlags.NONE, PATIENCE, None, answered)

    def do_desist(self):
        """Ends that; [when it was asked, what was answered] of each question."""
        answers, self.pestering = self.pestering, None
        return {"answers": answers}

    def do_value(self, id):
        return {"value": self.property(id, "Value", "CurrentValue")}

    def property(self, id, interface, name):
        try:
            return self.looks.call(self.nodes[id], "org.freedesktop.DBus.Properties", "Get",
                             GLib.Variant("(ss)", ("org.a11y.atspi." + interface, name)))[0]
        except GLib.Error as error:
            if Gio.DBusError.get_remote_error(error) in NO_SUCH:
                return None
            raise

    def do_events(self):
        self.is_noting = True
        heard, self.heard = self.heard, []
        return {"events": heard}


driver = Driver()
driver.answer({"ready": True})
driver.loop.run()
