"""What can be wrong with a file, done to it for real, and how to see that nothing of it was lost."""

import contextlib
import os
import stat

from steps import WorldTest, World

# Nobody: on every Debian and Ubuntu machine, and neither root nor the user of the world.
STRANGER = 65534


class SharedWorldTest(WorldTest):
    """Tests that share a world, which is made once; each begins with a home that has no file of the app's."""

    @classmethod
    def setUpClass(cls):
        cls.world = World(**cls.options)
        cls.addClassCleanup(cls.world.close)

    def setUp(self):
        self.apps = []
        self.begin_again()
        self.addCleanup(self.begin_again)

    def begin_again(self):
        """Ends what the test has started, and leaves no file of the app's."""
        for app in self.apps:
            app.end()
        self.apps = []
        clear([base / "app-gates" for base in (self.world.config, self.world.data, self.world.state)])

    @contextlib.contextmanager
    def case(self, name):
        """One of several cases of a test, from the beginning."""
        with self.subTest(name):
            self.begin_again()
            yield

    def start(self, *arguments, **options):
        """The app, which ends with the test."""
        app = self.world.app(*arguments, wait=False, **options)
        self.apps.append(app)
        app.wait_for_window()
        return app

    def shell(self, todos=(), **preferences):
        self.come_back(todos, **preferences)
        app = self.start()
        app.wait_for("text", "Add a todo")
        return app

    def go_on(self, app):
        """Leaves the error card."""
        app.click("button", "Try again")
        app.wait_gone("label", "Something went wrong")


class BadInputTest(SharedWorldTest):
    """Tests of a file that is not as it should be."""

    @property
    def ini(self):
        return self.world.config / "app-gates/preferences.ini"

    @property
    def conf(self):
        return self.world.config / "app-gates/app-gates.conf"

    @property
    def list_file(self):
        return self.world.data / "app-gates/todos.sqlite3"

    def state_of(self, path):
        """What --status says of a file; it changes nothing by looking."""
        before = folder_facts(self.ini.parent), folder_facts(self.list_file.parent)
        status = self.status()
        self.assertEqual((folder_facts(self.ini.parent), folder_facts(self.list_file.parent)), before)
        self.gates = {gate["gate"]: gate["decision"] for gate in status["gates"]}
        self.problems = status["problems"]
        return {file["path"]: file["state"] for file in status["files"]}["~/.config/app-gates/" + path.name]

    def end_of(self, app):
        """Ends the app as the user does."""
        self.assertEqual(app.close(), 0)
        self.assertNotIn("CRITICAL", app.log)


def clear(folders):
    for folder in folders:
        if folder.exists():
            folder.chmod(0o700)
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        if folder.exists():
            folder.rmdir()


def facts(path):
    """All that may not change in a file that was left as it is: its very self, its owner, rights and bytes."""
    found = os.lstat(path)
    return found.st_ino, found.st_uid, stat.filemode(found.st_mode), path.read_bytes()


def folder_facts(folder):
    """{name: facts} of all that lies in a folder."""
    return {path.name: facts(path) for path in folder.iterdir() if not path.is_dir()}


def contents(folder, beginning):
    """The bytes of each file whose name begins so."""
    return [path.read_bytes() for path in sorted(folder.iterdir()) if path.name.startswith(beginning)]


def unreadable(path):
    path.chmod(0)


def foreign(path):
    """Another user's, and open to all: only whose it is speaks against it."""
    path.chmod(0o644)
    os.chown(path, STRANGER, STRANGER)


def read_only(path):
    path.chmod(0o444)


def on_the_screen(app, role, name):
    """Waits for the node and checks that it has a place in the window, all of it, and is not cut off."""
    def placed():
        node = app.find(role, name)
        return node if node and node.is_on_screen else None

    node = app.look_until(placed, f"{role} {name} with a place", 10)
    x, y, width, height = node.extents
    _, _, window_width, window_height = app.display.geometry(app.window)
    if width <= 0 or height <= 0 or x < 0 or y < 0 or x + width > window_width or y + height > window_height:
        raise AssertionError(f"{node} at {node.extents} is not within the window of {window_width}x{window_height}")
    return node


def until_it_is_given_up(app):
    """Adds a todo to a list that cannot be written, until the error card offers no further try."""
    for number in range(4):
        app.click("text", "Add a todo")
        app.type("More")
        app.key("Return")
        app.wait_for("label", "Something went wrong")
        if number < 3:
            app.click("button", "Try again")
            app.wait_gone("label", "Something went wrong")


__all__ = ["BadInputTest", "SharedWorldTest", "contents", "facts", "folder_facts", "foreign", "on_the_screen",
           "read_only", "unreadable", "until_it_is_given_up"]
