"""The password field: what is said beside it, and what is pasted into it by keys and pointer."""

import contextlib
import ctypes
import os
import re
import signal

from steps import LOCKED, WorldTest, needs_user, until
from test_secrecy import find_in_memory

LAYOUT = re.compile("^Keyboard layout: ")


class Keyboard:
    """A display's keyboard with several layouts. Not xdotool's: that changes the layout for each key by itself."""

    CORE = 0x100
    SHIFT, B, CAPS = 50, 56, 66  # places of keys, the same on every keyboard

    def __init__(self, display):
        self.display = display

    def layouts(self, names):
        self.display.tool("setxkbmap", "-layout", names)

    def switch(self, place):
        """Makes one of the layouts the current one, as a panel's switcher does."""
        with self.connection() as (x11, connection):
            x11.XkbLockGroup(connection, self.CORE, place)

    def press(self, key):
        """Presses the key at a place, and lets it go."""
        xtest = ctypes.CDLL("libXtst.so.6")
        with self.connection() as (_, connection):
            for is_down in (1, 0):
                xtest.XTestFakeKeyEvent(connection, key, is_down, ctypes.c_ulong(0))

    @contextlib.contextmanager
    def connection(self):
        x11 = ctypes.CDLL("libX11.so.6")
        x11.XOpenDisplay.restype = ctypes.c_void_p
        connection = ctypes.c_void_p(x11.XOpenDisplay(self.display.name.encode()))
        try:
            yield x11, connection
        finally:
            x11.XCloseDisplay(connection)  # which waits until the server has done what it was asked


@needs_user
class NotesTest(WorldTest):
    def test_the_layout_is_told_after_the_first_key_and_at_each_change(self):
        keyboard = Keyboard(self.world.display)
        keyboard.layouts("us,de(nodeadkeys),fr")
        app = self.locked()
        self.assertFalse(app.has("label", LAYOUT))
        for names, place, told in ((None, 0, "US"), (None, 1, "DE"), (None, 2, "FR"), (None, 1, "DE"),
                                   ("gr,us", 0, "GR"), ("jp", 0, "JP")):
            if names:
                keyboard.layouts(names)
            keyboard.switch(place)
            # The desktop tells with the next key; one that is the same in all layouts is said to be of the first.
            keyboard.press(keyboard.B)
            app.wait_for("label", f"Keyboard layout: {told}")
            keyboard.press(keyboard.SHIFT)
            self.assertTrue(app.has("label", f"Keyboard layout: {told}"))

    def test_caps_lock(self):
        keyboard = Keyboard(self.world.display)
        app = self.locked()
        self.assertFalse(app.has("alert", "Caps Lock is on."))
        keyboard.press(keyboard.CAPS)
        app.wait_for("alert", "Caps Lock is on.")
        keyboard.press(keyboard.CAPS)
        app.wait_gone("alert", "Caps Lock is on.")


@needs_user
class PasteTest(WorldTest):
    def copied(self, content, selection="clipboard"):
        """Copies in another program, which hands it out until the test ends."""
        path = self.world.write(f"copied-{selection}", content)
        child = self.world.start(["xclip", "-quiet", "-selection", selection, path], f"xclip-{selection}")
        self.addCleanup(child.end)
        owner = ["xclip", "-selection", selection, "-o", "-t", "TARGETS"]
        until(lambda: self.world.run(owner, check=False).returncode == 0, "the other program's copy")
        return child

    def test_by_keys(self):
        app = self.locked()
        self.copied(self.world.user.password)
        app.key("ctrl+v")
        app.until(lambda: len(app.find("password text").text) == len(self.world.user.password), "what was pasted")
        app.key("Return")
        app.wait_gone("label", LOCKED)

    def test_by_the_middle_button(self):
        app = self.locked()
        self.copied(self.world.user.password, "primary")
        app.point_at(app.find("password text"), button=2)
        app.until(lambda: len(app.find("password text").text) == len(self.world.user.password), "what was pasted")
        app.key("Return")
        app.wait_gone("label", LOCKED)

    def test_what_is_no_password_is_refused_with_a_sentence_and_nothing_is_lost(self):
        password = self.world.user.password
        app = self.locked()
        app.type(password[:5])
        for content, words in ((b"x" * 600, "longer than a password"), (b"two\nlines", "several lines"),
                               (password.encode() + b"\n", "several lines"), (b"a\0b", "no password can hold")):
            with self.subTest(words=words):
                child = self.copied(content)
                app.key("ctrl+v")
                app.wait_for("alert", re.compile(words))
                self.assertEqual(app.find("password text").text, "●" * 5)
                child.end()
        app.type(password[5:])
        app.wait_gone("alert", re.compile("no password can hold"))
        app.key("Return")
        app.wait_gone("label", LOCKED)

    def test_a_program_that_hangs_costs_a_sentence_and_no_turn_of_the_window(self):
        app = self.locked()
        child = self.copied("hunter2")
        os.kill(child.pid, signal.SIGSTOP)
        app.key("ctrl+v")
        app.type("abc")  # the field takes keys meanwhile
        app.until(lambda: app.find("password text").text == "●●●", "what was typed", 2.0)
        app.wait_for("alert", re.compile("no text to paste"))
        self.assertEqual(app.find("password text").text, "●●●")
        app.key("BackSpace", "BackSpace", "BackSpace")
        app.type(self.world.user.password)
        app.key("Return")
        app.wait_gone("label", LOCKED)

    def test_nothing_that_was_pasted_is_left_in_memory(self):
        self.world.user.set_password("correct horse battery staple")
        app = self.locked()
        self.copied(self.world.user.password)
        app.key("ctrl+v")
        app.until(lambda: len(app.find("password text").text) == len(self.world.user.password), "what was pasted")
        app.key("Return")
        app.wait_for("text", "Add a todo")
        self.assertEqual(find_in_memory(app.pid, self.world.user.password.encode()), [])
