"""The password in the clear: not told to assistive technologies, not left in the program's memory."""

import pathlib
import re

from steps import WorldTest, needs_user


def find_in_memory(pid, needle):
    """The names of the mappings of a process in which the bytes are, with their addresses."""
    found = []
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights, _, _, _, *name = line.split(maxsplit=5)
            if "w" not in rights:
                continue
            start, end = (int(part, 16) for part in span.split("-"))
            memory.seek(start)
            try:
                content = memory.read(end - start)
            except OSError:
                continue
            found += [f"{name[0] if name else 'anonymous'} at {start + match.start():x}"
                      for match in re.finditer(re.escape(needle), content)]
    return found


@needs_user
class SecrecyTest(WorldTest):
    def test_accessibility_hears_bullets_only(self):
        app = self.locked()
        password = self.world.user.password
        self.world.desk.events()
        app.type(password)
        inserted = []

        def heard():
            inserted.extend(event["data"] for event in self.world.desk.events()
                            if event["type"].startswith("object:text-changed:insert"))
            return len("".join(inserted)) >= len(password)

        app.until(heard, "the keys to be told")
        self.assertEqual(set("".join(inserted)), {"●"})
        self.assertNotIn(password, app.dump())
        app.key("BackSpace", "BackSpace")
        self.assertEqual(set(app.find("password text").text) - {"●"}, set())
        app.key("ctrl+a", "ctrl+c", "ctrl+x")
        app.key("BackSpace")
        self.unlock(app)
        app.wait_for("text", "Add a todo", states=("focused",))
        # Neither was anything copied: what a paste brings is nothing.
        app.key("ctrl+v")
        self.assertEqual(app.find("text", "Add a todo").text, "")
        data = [str(event["data"]) for event in self.world.desk.events()]
        self.assertFalse([text for text in data if text and text in password and not text.isdigit()])

    def test_nothing_is_left_in_memory_after_the_unlock(self):
        self.world.user.set_password("correct horse battery staple")
        app = self.locked()
        needle = self.world.user.password.encode()
        # What is looked through can be found: the home folder's path, say, is in the memory all the time.
        self.assertTrue(find_in_memory(app.pid, str(self.world.home).encode()))
        app.type(self.world.user.password)
        app.until(lambda: len(app.find("password text").text) == len(needle), "what was typed")
        self.assertTrue(find_in_memory(app.pid, needle), "the field's own page holds it while it is typed")
        app.key("Return")
        app.wait_for("text", "Add a todo")
        self.assertEqual(find_in_memory(app.pid, needle), [])
        self.assertEqual(find_in_memory(app.pid, "correct horse".encode("utf-32-le")), [])

    def test_nothing_is_left_in_memory_after_cancel_and_a_wrong_try(self):
        app = self.locked()
        for secret, keys in (("cancelled secret phrase", "Escape"), ("mistaken secret phrase", "Return")):
            if keys == "Return":
                app.click("button", "Unlock")
                app.wait_for("password text", states=("focused", "editable"))
            app.type(secret)
            app.until(lambda: len(app.find("password text").text) == len(secret), "what was typed")
            app.key(keys)
            app.look_until(lambda: app.has("alert", re.compile("not right")) or app.has("button", "Unlock", shown=True)
                           and not app.has("password text"), "the outcome", 10)
            self.assertEqual(find_in_memory(app.pid, secret.encode()), [], keys)
