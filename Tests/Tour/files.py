"""The part of the walk that is about what comes in and what goes: an import, and deleting everything."""

import re

TODO_TXT = """(A) 2026-05-01 Call Margaret +family @phone due:2026-05-09
x 2026-05-02 2026-04-30 Pay the rent
Water the plants
Book the train to Lyon +holidays
"""


def import_todos(walk):
    """Looks at what would be imported, and thinks better of it."""
    walk.step = "import"
    path = walk.world.home / "todo.txt"
    walk.world.write(path, TODO_TXT)
    walk.app.key("F10")
    walk.app.wait_for("menu item", re.compile("Import"))
    walk.app.click("menu item", re.compile("Import"))
    walk.app.look_until(lambda: len(walk.app.windows()) == 2, "the chooser", 15)
    # A slash opens a field for a path.
    walk.app.type("/")
    walk.app.wait_for("text", states=("focused",)).set_text(str(path))
    walk.app.key("Return")
    walk.app.wait_for("button", "Import", states=("focused",))
    walk.picture("import", "what a todo.txt would bring, before it does")
    walk.app.key("Escape")
    walk.app.wait_for("text", "Add a todo")


def delete_everything(walk):
    """Looks at the page that deletes everything, and leaves it."""
    walk.step = "delete everything"
    walk.app.click("list item", "Delete Everything…")
    walk.app.wait_for("text", "Type “delete” to go on", states=("focused",))
    walk.picture("delete-everything", "what would go, and the word to be typed first")
    walk.app.key("Escape")
    walk.app.wait_for("list item", "About App Gates")
