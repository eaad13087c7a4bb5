"""The accessible tree as a test reads it."""

import dataclasses
import re


@dataclasses.dataclass
class Node:
    """One accessible thing at the moment of a look; acting on it later, after another look, is refused."""

    app: object = dataclasses.field(repr=False)
    look: int = dataclasses.field(repr=False)
    id: int
    depth: int
    role: str
    name: str
    description: str
    states: frozenset
    shown: bool = True  # it and all that it lies in are visible

    def matches(self, role=None, name=None, states=(), shown=True):
        """`role`: one or several. `name`: all of it, or a compiled expression to search for. `states`: all set.

        GTK 4.8 sets "showing" on windows only, and knows nothing of what covers what: `shown` goes by "visible".
        """
        if role is not None and self.role != role and self.role not in ([] if isinstance(role, str) else role):
            return False
        if isinstance(name, re.Pattern):
            if not name.search(self.name):
                return False
        elif name is not None and self.name != name:
            return False
        return set(states) <= self.states and (self.shown or not shown)

    @property
    def is_named(self):
        """Whether it has a name that was given to it: GTK gives the class's name to what has none."""
        return bool(self.name) and not re.match("(Gtk|Adw)[A-Z]", self.name)

    def ask(self, op, **values):
        if self.look != self.app.looks:
            raise RuntimeError(f"{self} is of an earlier look at the tree: find it again")
        return self.app.desk.ask(op, id=self.id, **values)

    @property
    def actions(self):
        return self.ask("actions")["actions"]

    @property
    def text(self):
        """What a text or an entry holds; None for what holds no text."""
        return self.ask("text")["text"]

    @property
    def caret(self):
        """Where the cursor is in its text, in characters."""
        return self.ask("text")["caret"]

    @property
    def is_on_screen(self):
        """Whether it has a place in its window: what lies on another page of a stack is "visible" and has none."""
        place = self.ask("extents")["extents"]
        return place is not None and place[2] > 0 and place[3] > 0

    @property
    def value(self):
        return self.ask("value")["value"]

    @property
    def relations(self):
        return self.ask("relations")["relations"]

    @property
    def attributes(self):
        return self.ask("attributes")["attributes"]

    @property
    def extents(self):
        """(x, y, width, height) within its window."""
        return tuple(self.ask("extents")["extents"])

    def act(self, index=0):
        """Does one of its actions, as an assistive technology would."""
        if not self.ask("act", index=index)["done"]:
            raise RuntimeError(f"{self} has no action {index}")

    def set_text(self, text):
        """Puts text into an entry, as an assistive technology would."""
        if not self.ask("set_text", text=text)["done"]:
            raise RuntimeError(f"{self} takes no text")

    def select(self, child):
        """Selects one of its children by number."""
        if not self.ask("select", child=child)["done"]:
            raise RuntimeError(f"{self} selects nothing")

    def click(self):
        """Does its first action; where it has none (check boxes, rows) the pointer clicks on its middle."""
        if not self.ask("act", index=0)["done"]:
            self.app.point_at(self)

    def __str__(self):
        return f'{self.role} "{self.name}"'


def as_text(nodes):
    """The tree, one node a line, for messages and snapshots; states only where they tell something.

    What tells nothing is a box around others, and is left out.
    """
    telling = ("focused", "checked", "selected", "expanded", "pressed", "active", "busy", "invalid-entry")
    lines = []
    for node in nodes:
        words = [state for state in telling if state in node.states]
        if not node.shown:
            words.append("hidden")
        if "sensitive" not in node.states and node.depth > 0:
            words.append("insensitive")
        if not (node.is_named or node.description or words):
            continue
        more = f" ({', '.join(words)})" if words else ""
        description = f" – {node.description}" if node.description else ""
        lines.append(f"{'  ' * node.depth}{node}{description}{more}")
    return "\n".join(lines)
