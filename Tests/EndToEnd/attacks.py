"""What every attack begins and ends with: content that can be recognised, and the look that finds it nowhere.

Each attack is one test that is run on X11 and on Wayland. It tries to see content or to get in, and names what has to
be taken away from the program for it to succeed; weakened.py takes that away and sees the test fail.
"""

import contextlib
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from Rig import why_no_wayland
from steps import BINARIES, LOCKED, ROOT, WorldTest, needs_user, until

# Solid in a picture, whatever the font: a dark block, wider than the icons of 128 pixels that pages of the app have.
BLOCK = "█" * 30
TODO = BLOCK + " Buy milk"
DRAFT = "Half a thought"
WORDS = ("Buy milk", BLOCK, DRAFT, "Add a todo", "Test User", "Account Security")
BLOCK_WIDTH, BLOCK_ROWS = 180, 8
PRODUCT = "App Gates"
COUNTED = re.compile("^The next try is possible in ")
# A delay that no test sits out: PAM takes or adds up to half of it.
SLOW_REFUSAL = ("auth optional pam_faildelay.so delay=40000000\nauth required pam_unix.so\n"
                "account required pam_unix.so")
NAME, PATH = "io.github.appgates.AppGates", "/io/github/appgates/AppGates"


def attack(*weakenings):
    """Marks a test as an attack that succeeds where all of these are taken away at once; see weakenings.py."""
    def mark(test):
        test.weakenings = weakenings
        return test
    return mark


@needs_user
class AttackTest(WorldTest):
    """Base of the attacks; a subclass for each display sets `display`."""

    display = "x11"
    # Off where a test makes its world itself, with something special in it.
    makes_world = True

    def setUp(self):
        if self.display == "wayland" and why_no_wayland():
            self.skipTest(why_no_wayland())
        self.options = {"size": (1280, 900), "display": self.display}
        if self.makes_world:
            super().setUp()

    def make_world(self, **options):
        """Makes the world now, with more options."""
        self.options.update(options)
        super().setUp()

    # Beginnings

    def opened(self, **preferences):
        """The app with the lock on, unlocked, its content there and seen."""
        app = self.locked((TODO,), **preferences)
        self.unlock(app)
        app.wait_for("list item", TODO)
        self.assertEqual(app.wait_for("text", "Add a todo", states=("focused",)).text, "")
        # What is looked for later can be seen: otherwise not to see it would show nothing.
        until(lambda: self.sees_block(app), "the todo in the picture")
        return app

    def shut(self, asks="Password", **preferences):
        """The app as it is after its launch: locked, and PAM asking."""
        app = self.locked((TODO,), **preferences)
        app.wait_for("label", asks)
        return app

    def come_back_locked(self, **preferences):
        """Such a user, before the app is started."""
        self.come_back((TODO,), lock=True, **preferences)

    # Ends

    def assert_kept(self, app):
        """It is locked, and nothing shows or tells anything of the content."""
        self.assertTrue(app.child.is_running, app.log)
        dump = app.dump()
        if f'label "{LOCKED}"' not in dump:
            self.fail(f"the lock is open:\n{dump}")
        self.assert_tells_nothing(app, dump)

    def assert_tells_nothing(self, app, dump=None):
        """No word of the content in the tree, in a title, in the log, and nothing of it in the picture."""
        titles = [self.world.display.title(window) for window in app.windows(visible=False)]
        self.assert_no_content(app.dump() if dump is None else dump, "the accessible tree")
        self.assertEqual(set(titles), {PRODUCT})
        self.assert_no_content(app.log + app.output, "what it writes")
        self.assertFalse(self.sees_block(app), "the todo is in the picture")

    def assert_no_content(self, text, where):
        found = [word for word in WORDS if word in str(text)]
        if found:
            self.fail(f"“{found[0]}” is in {where}:\n{text}")

    def sees_block(self, app):
        """Whether the todo's block is anywhere in one of the app's windows, as the screen shows them."""
        for window in app.windows():
            left, top, width, height = self.world.display.geometry(window)
            left, top = max(0, left), max(0, top)
            picture = self.world.display.grab_part(left, top, min(width, 1280 - left), min(height, 900 - top))
            # Text is dark and grey: so many equal bytes in a row are one dark line of the block.
            for grey in range(160):
                if picture.count(bytes([grey]) * 3 * BLOCK_WIDTH) >= BLOCK_ROWS:
                    return True
        return False

    def assert_right_password_still_opens(self, app):
        """The attack has left a lock that works, and the content as it was."""
        if not app.has("password text", states=("editable",)):
            app.key("Escape")
            app.click("button", "Unlock")
        self.unlock(app)
        app.wait_for("list item", TODO)
        self.assertEqual(self.todos(), [TODO])

    def assert_waits(self, app):
        """No password is taken now: PAM's delay after a wrong one is counted down."""
        app.look_until(lambda: app.has("label", COUNTED) or app.has("password text", states=("editable",)),
                       "the delay or a question", 10)
        self.assertTrue(app.has("label", COUNTED), "the delay was spared")
        self.assert_kept(app)

    # Steps

    def answer(self, app, text):
        """Types into the field, presses Enter, and waits for what comes of it."""
        app.wait_for("password text", states=("focused", "editable"))
        app.type(text)
        app.key("Return")
        self.settle(app)

    def try_in(self, app, text):
        """Gives the text to whatever asks, or takes the outcome that comes unasked."""
        asks = app.look_until(lambda: self.outcome(app) or app.find("password text", states=("focused", "editable")),
                              "a question or an outcome", 10)
        if asks is not True:
            app.type(text)
            app.key("Return")
            self.settle(app)

    def past_the_card(self, app):
        """Goes on from the error card that says what is wrong with a file."""
        app.wait_for("label", "Something went wrong")
        self.assert_tells_nothing(app)
        app.click("button", "Try again")
        app.wait_gone("label", "Something went wrong")

    def settle(self, app, seconds=10):
        """Waits until the app has said what came of a try: it opens, says what is wrong, or asks again."""
        app.look_until(lambda: self.outcome(app), "an outcome", seconds)

    def outcome(self, app):
        """Whether there is an outcome."""
        nodes = [node for node in app.tree() if node.shown]
        return (not any(node.name == LOCKED for node in nodes)
                or any(node.role == "alert" and node.name for node in nodes)
                or not any(node.role == "password text" for node in nodes))

    def helper(self, app):
        """The process id of the password's helper; that of the finger has gone where there is no reader."""
        def one():
            found = [pid for pid, name in app.children().items() if name == "app-gates-auth"]
            return found[0] if len(found) == 1 else None
        return app.until(one, "the helper")

    def walk_to(self, app, role, name):
        """Goes backwards with the Tab key until that has the keyboard: both displays have keys."""
        def held():
            return next(((node.role, node.name) for node in app.find_all(states=("focused",))), None)

        for _ in range(60):
            before = held()
            if before is not None and before[1] == name and (role is None or before[0] == role):
                return
            app.key("shift+Tab")
            app.look_until(lambda: held() not in (None, before), "the keyboard elsewhere", 5)
        self.fail(f"the Tab key does not lead to {name}")

    def lock_by_command(self):
        """Locks from another process; returns once it is locked."""
        self.world.run([self.world.binaries / "app-gates", "--lock"])

    def round_trip(self, app):
        """Returns once the app has done all that it was told on the bus before."""
        self.bus_call("org.freedesktop.DBus.Peer.Ping", path="/")
        app.tree()

    def bus_call(self, method, *arguments, path=PATH, check=True):
        """Calls the app on the session bus; the answer as gdbus prints it, also where it is an error."""
        done = self.world.run(["gdbus", "call", "--session", "--dest", NAME, "--object-path", path, "--method", method,
                               "--", *arguments], check=check)
        return (done.stdout + done.stderr).decode()


@contextlib.contextmanager
def open_folder():
    """A temporary folder that every user can read."""
    with tempfile.TemporaryDirectory(prefix="app-gates-attack-") as name:
        pathlib.Path(name).chmod(0o755)
        yield pathlib.Path(name)


def compile_c(target, *sources, options=()):
    """Compiles a program or a library of the tests."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise unittest.SkipTest("needs a C compiler")
    subprocess.run([compiler, "-Wall", "-o", target, *options, *sources], check=True)
    return target


def put_false_helper(folder, way):
    """Puts Tests/Fakes/fake_helper.c at the helper's name; its way is the name of the file behind the link."""
    wire = ROOT / "Sources/AuthWire"
    compile_c(folder / way, ROOT / "Tests/Fakes/fake_helper.c", wire / "channel.c", wire / "codec.c",
              options=["-I", wire / "include"])
    link = folder / "app-gates-auth"
    link.unlink(missing_ok=True)
    link.symlink_to(way)


__all__ = ["AttackTest", "BLOCK", "DRAFT", "NAME", "PATH", "PRODUCT", "SLOW_REFUSAL", "TODO", "WORDS", "attack",
           "compile_c", "open_folder", "put_false_helper"]
