"""What ends the app from within, each with its record, and where nothing can be written."""

import re
import signal
import subprocess

from crashes import TITLE, CrashTest
from steps import needs_user


class SignalTest(CrashTest):
    """What ends the app from within, each with its record."""

    def test_signals(self):
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP, signal.SIGFPE,
                       signal.SIGSYS):
            with self.case(number.name):
                app = self.opened()
                self.assertEqual(self.fall(app, number), -number)
                lines, _ = self.check_record(number.name)
                self.assertEqual((lines["address"], lines["thread"]), ("none", "app-gates"))
                app = self.told()
                self.assertIn(f"end: {number.name}", self.details(app))
                self.go_on(app)
                self.assertEqual(app.close(), 0)
                self.check_record(number.name)
                self.assertFalse(self.marker.exists())
                self.started()  # told once

    def test_faults(self):
        for fault, number, address in (
                ("trap", signal.SIGILL, r"^faults.so\+"), ("null", signal.SIGSEGV, r"^null\+0x10$"),
                ("overflow", signal.SIGSEGV, "^stack$"), ("abort", signal.SIGABRT, "^none$"),
                ("heap", signal.SIGABRT, "^none$"), ("descriptors", signal.SIGABRT, "^none$"),
                ("thread", signal.SIGSEGV, r"^null\+0x10$")):
            with self.case(fault):
                app = self.opened(fault)
                self.assertEqual(self.fall(app), -number)
                lines, frames = self.check_record(number.name)
                self.assertRegex(lines["address"], address)
                self.assertEqual(lines["sent"], "no")
                self.assertTrue(any(frame.startswith("frame=faults.so+") for frame in frames), frames)
                if fault not in ("overflow", "thread"):
                    # Through GLib's loop, which has no frame pointers, up to the program's own beginning.
                    self.assertTrue(any(frame.startswith("frame=libglib-2.0") for frame in frames), frames)
                    self.assertTrue(any(frame.startswith("frame=app-gates+") for frame in frames), frames)
                self.go_on(self.told())

    @needs_user
    def test_while_locked_it_comes_back_locked(self):
        app = self.opened(lock=True)
        self.assertEqual(self.fall(app, signal.SIGSEGV), -signal.SIGSEGV)
        self.check_record("SIGSEGV", gate="BiometricGate")
        app = self.told()
        self.go_on(app, lock=True)
        self.assert_hidden(app, TITLE)

    def test_not_answered_it_is_told_again(self):
        self.fall(self.opened(), signal.SIGSEGV)
        self.assertEqual(self.told().close(), 0)
        self.go_on(self.told())

    def test_a_report_says_what_the_record_says(self):
        self.fall(self.opened(), signal.SIGSEGV)
        _, frames = self.check_record("SIGSEGV")
        app = self.told()
        app.click("button", "Send a Report")
        app.wait_for("text", "What happened")
        self.assert_hidden(app, TITLE)
        app.click("button", re.compile("^What (will be sent|goes with it)$"))
        words = app.wait_for("label", re.compile("SIGSEGV")).name
        self.assertIn(frames[0].removeprefix("frame="), words)
        for word in (TITLE, str(self.world.home), *([self.world.user.name] if self.world.user else [])):
            self.assertNotIn(word, words)
        app.click("button", "Back")
        self.go_on(app) if app.has("button", "Continue") else self.fail(app.dump())

    def test_at_most_ten_are_kept(self):
        self.fall(self.opened(), signal.SIGSEGV)
        (mine,) = self.records
        for number in range(15):
            self.world.write(mine.with_name(f"crash-2020010{number // 10}T00000{number % 10}Z-1.txt"), "signal=SIGBUS\n")
        self.go_on(self.told())
        self.assertEqual(len(self.records), 10)
        self.assertEqual(self.records[-1].name, mine.name.replace(".new", ".txt"))


@needs_user
class NoRoomTest(CrashTest):
    """Where nothing can be written the app starts all the same, and nothing is claimed."""

    def test_a_full_disk(self):
        small = self.world.folder / "small"
        small.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size=64k,uid={self.world.user.uid},mode=700", "none", small],
                       check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", small], check=True)
        self.come_back([TITLE])
        (self.world.state / "app-gates").mkdir(parents=True, exist_ok=True)
        self.world.own(self.world.state / "app-gates")
        self.world.etc.mounts[str(self.world.state / "app-gates")] = str(small)
        self.addCleanup(self.world.etc.mounts.pop, str(self.world.state / "app-gates"))
        with open(small / "full", "wb", buffering=0) as full:
            try:
                while full.write(b"x" * 4096):
                    pass
            except OSError:
                pass
        app = self.started()
        self.assertEqual(self.fall(app, signal.SIGSEGV), -signal.SIGSEGV)
        self.assertIn("The end of this run cannot be told later", app.log)
        # A name takes no room here: there is a record, with nothing in it.
        app = self.told()
        self.assertEqual(self.details(app)[0], "end: crash")
        self.go_on(app)
        self.assertEqual(app.close(), 0)
        # Room that comes later is used by the next run.
        (small / "full").unlink()
        app = self.started()
        self.fall(app, signal.SIGSEGV)
        self.go_on(self.told())

    def test_a_read_only_home(self):
        self.come_back([TITLE])
        (self.world.state / "app-gates").mkdir(parents=True, exist_ok=True)
        self.world.own(self.world.state / "app-gates")
        (self.world.state / "app-gates").chmod(0o500)
        app = self.started()
        self.assertEqual(self.fall(app, signal.SIGSEGV), -signal.SIGSEGV)
        self.started()
        self.assertEqual(self.records, [])
