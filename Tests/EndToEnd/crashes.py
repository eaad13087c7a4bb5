"""A user whose app ends in all ways, and looks at what the run has left and at what the next one says."""

import os
import re
import signal
import stat

from attacks import compile_c
from damage import SharedWorldTest, on_the_screen
from steps import LOCKED, ROOT, until

CLOSED, ENDED = "App Gates closed unexpectedly", "App Gates ended unexpectedly"
TITLE = "Call Margaret about the will"
FRAME = re.compile(r"^frame=(elsewhere|[\w.+-]+\+0x[0-9a-f]+)$")


class CrashTest(SharedWorldTest):
    """Tests of the end of a run, in a world of their own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.library = compile_c(cls.world.folder / "faults.so", ROOT / "Tests/Fakes/faults.c",
                                options=["-shared", "-fPIC", "-O1"])

    @property
    def marker(self):
        return self.world.state / "app-gates/run"

    @property
    def records(self):
        folder = self.world.state / "app-gates/crashes"
        return sorted(folder.iterdir()) if folder.exists() else []

    def marked(self):
        return dict(line.split("=", 1) for line in self.marker.read_text().split("\n") if "=" in line)

    def opened(self, fault=None, lock=False):
        """The app of somebody with a todo, which does `fault` on SIGUSR2."""
        self.come_back([TITLE], lock=lock)
        env = {"LD_PRELOAD": str(self.library), "FAULT": fault} if fault else {}
        return self.started(env, lock)

    def started(self, env=None, lock=False):
        app = self.start(env=env or {})
        app.wait_for("label", LOCKED) if lock else app.wait_for("text", "Add a todo")
        return app

    def starts_again(self, app, button):
        """Presses what starts the app again; returns once the same process is a new run."""
        before = self.marked()["record"]

        def is_new():
            try:
                return self.marked().get("record", before) != before
            except FileNotFoundError:
                return False

        app.click("button", button)
        until(is_new, "the new run")
        self.assertEqual(self.marked()["pid"], str(app.pid))

    def fall(self, app, number=signal.SIGUSR2):
        app.signal(number)
        return app.wait()

    def told(self, title=CLOSED):
        """A new run, on the page that tells; nothing of the user's is there."""
        app = self.start()
        on_the_screen(app, "label", title)
        self.assert_hidden(app, TITLE, LOCKED, "Add a todo")
        return app

    def details(self, app):
        """The lines below Details."""
        app.click("button", "Details")
        return app.wait_for("label", re.compile("^end: ")).name.split("\n")

    def go_on(self, app, lock=False):
        app.click("button", "Continue")
        app.wait_for("label", LOCKED) if lock else app.wait_for("list item", TITLE)

    def check_record(self, name, gate="MainShell"):
        """The one record: its own user's, of plain words, with frames, and without a word of the user's."""
        (path,) = self.records
        found = os.lstat(path)
        self.assertEqual(stat.S_IMODE(found.st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.lstat(path.parent).st_mode), 0o700)
        text = path.read_text()
        lines = dict(line.split("=", 1) for line in text.split("\n") if line and not line.startswith("frame="))
        self.assertEqual((lines["signal"], lines["gate"], lines["whole"]), (name, gate, "yes"))
        self.assertRegex(lines["build"], r"^([0-9a-f]{16,64}|none)$")
        frames = [line for line in text.split("\n") if line.startswith("frame=")]
        self.assertGreater(len(frames), 1)
        for frame in frames:
            self.assertRegex(frame, FRAME)
        words = [TITLE, *TITLE.split(), str(self.world.home), self.world.home.name, "Test User", "/"]
        for word in words + ([self.world.user.name] if self.world.user else []):
            self.assertNotIn(word, text)
        return lines, frames


__all__ = ["CLOSED", "CrashTest", "ENDED", "TITLE"]
