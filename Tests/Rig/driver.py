"""Reads and works the accessible tree, as the user whose bus it is: a message bus lets in nobody else, not even root.

One JSON object a line comes in, one goes out. Started by desk.py with the world's environment.
"""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

EVENTS = ("object:state-changed", "object:children-changed", "object:property-change", "object:text-changed",
          "object:text-caret-moved", "window:")
KEPT = 1000

# at-spi2 renamed it; tests use the new name.
RENAMED = {"push button": "button"}


def role_of(node):
    role = node.get_role_name()
    return RENAMED.get(role, role)


class Driver:
    def __init__(self):
        Atspi.init()
        Atspi.set_timeout(5000, 5000)
        self.loop = GLib.MainLoop()
        self.nodes = {}
        self.heard = []
        self.happened = False
        self.waiting = None
        self.listener = Atspi.EventListener.new(self.hear)
        for name in EVENTS:
            self.listener.register(name)
        GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, self.read)

    def hear(self, event):
        data = event.any_data if isinstance(event.any_data, (str, int)) else None
        try:
            role, name = role_of(event.source), event.source.get_name()
        except GLib.Error:
            role, name = None, None  # it has gone in the meantime
        self.heard.append({"type": event.type, "role": role, "name": name, "data": data, "at": event.detail1})
        del self.heard[:-KEPT]
        self.happened = True
        if self.waiting is not None:
            self.done_waiting()

    def done_waiting(self):
        GLib.source_remove(self.waiting)
        self.waiting = None
        self.answer({"event": True})

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
        except (AttributeError, KeyError, TypeError) as error:
            reply = {"error": repr(error)}
        if reply is not None:
            self.answer(reply)
        return GLib.SOURCE_CONTINUE

    def application(self, pid):
        desktop = Atspi.get_desktop(0)
        desktop.set_cache_mask(Atspi.Cache.NONE)
        for index in range(desktop.get_child_count()):
            try:
                child = desktop.get_child_at_index(index)
                if child is not None and child.get_process_id() == pid:
                    return child
            except GLib.Error:
                continue  # an application that is just leaving
        return None

    def do_next(self, ms):
        """Answers at the next event, or when the time is over; at once where one came since the last question."""
        if self.happened:
            self.happened = False
            return {"event": True}
        self.waiting = GLib.timeout_add(ms, self.out_of_time)
        return None

    def do_tree(self, pid):
        self.happened = False
        self.nodes = {}
        found = []
        root = self.application(pid)
        if root is not None:
            # A cache would show what was there before; each look is a fresh one.
            root.set_cache_mask(Atspi.Cache.NONE)
            self.walk(root, 0, found)
        return {"nodes": found}

    def walk(self, node, depth, found):
        try:
            number = len(found)
            states = [state.value_nick for state in node.get_state_set().get_states()]
            found.append({"id": number, "depth": depth, "role": role_of(node), "name": node.get_name() or "",
                          "description": node.get_description() or "", "states": states})
            self.nodes[number] = node
            children = [node.get_child_at_index(i) for i in range(node.get_child_count())]
        except GLib.Error:
            return  # it went while we looked
        for child in children:
            if child is not None:
                self.walk(child, depth + 1, found)

    def do_actions(self, id):
        action = self.nodes[id].get_action_iface()
        count = action.get_n_actions() if action else 0
        return {"actions": [action.get_action_name(i) for i in range(count)]}

    def do_act(self, id, index=0):
        action = self.nodes[id].get_action_iface()
        if action is None or action.get_n_actions() <= index:
            return {"done": False}
        return {"done": action.do_action(index)}

    def do_set_text(self, id, text):
        field = self.nodes[id].get_editable_text_iface()
        return {"done": field is not None and field.set_text_contents(text)}

    def do_text(self, id):
        text = self.nodes[id].get_text_iface()
        return {"text": None if text is None else Atspi.Text.get_text(text, 0, -1)}

    def do_extents(self, id):
        component = self.nodes[id].get_component_iface()
        if component is None:
            return {"extents": None}
        box = component.get_extents(Atspi.CoordType.WINDOW)
        return {"extents": [box.x, box.y, box.width, box.height]}

    def do_attributes(self, id):
        return {"attributes": self.nodes[id].get_attributes() or {}}

    def do_relations(self, id):
        relations = self.nodes[id].get_relation_set() or []
        return {"relations": {
            r.get_relation_type().value_nick: [r.get_target(i).get_name() for i in range(r.get_n_targets())]
            for r in relations}}

    def do_select(self, id, child):
        selection = self.nodes[id].get_selection_iface()
        return {"done": selection is not None and selection.select_child(child)}

    def do_value(self, id, to=None):
        value = self.nodes[id].get_value_iface()
        if value is None:
            return {"value": None}
        if to is not None:
            value.set_current_value(to)
        return {"value": value.get_current_value()}

    def do_events(self):
        heard, self.heard = self.heard, []
        return {"events": heard}


driver = Driver()
driver.answer({"ready": True})
driver.loop.run()
