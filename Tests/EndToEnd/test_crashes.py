"""How a run ended is told at the next start, and three crashes in a row start safe mode."""

import os
import re
import signal
import stat
import subprocess

from attacks import compile_c
from damage import SharedWorldTest, folder_facts, on_the_screen
from Rig.buses import Bus
from steps import LOCKED, ROOT, WorldTest, needs_user, until

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

    def test_at_most_ten_are_kept(self):
        self.fall(self.opened(), signal.SIGSEGV)
        (mine,) = self.records
        for number in range(15):
            self.world.write(mine.with_name(f"crash-2020010{number // 10}T00000{number % 10}Z-1.txt"), "signal=SIGBUS\n")
        self.go_on(self.told())
        self.assertEqual(len(self.records), 10)
        self.assertEqual(self.records[-1].name, mine.name.replace(".new", ".txt"))


class EndTest(CrashTest):
    """What ends the app without a record."""

    def status_reason(self):
        return next(gate for gate in self.status()["gates"] if gate["gate"] == "RecoveryGate")["reason"]

    def test_a_normal_quit_leaves_nothing(self):
        app = self.opened()
        self.assertEqual(stat.S_IMODE(os.lstat(self.marker).st_mode), 0o600)
        self.assertEqual(self.marked()["gate"].strip(), "MainShell")
        self.assertEqual(app.close(), 0)
        self.assertFalse(self.marker.exists())
        self.assertEqual(self.records, [])
        self.started()

    def test_signals_of_a_logout_are_a_quit(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with self.case(number.name):
                app = self.opened()
                self.assertEqual(self.fall(app, number), 0)
                self.assertFalse(self.marker.exists())
                self.started()

    def test_a_logout_that_is_quicker_than_the_app(self):
        app = self.opened()
        app.signal(signal.SIGTERM)
        until(lambda: not self.marker.exists() or self.marked()["end"].strip() == "logout", "the word")
        app.child.process.kill()
        app.child.wait()
        self.started()

    def test_killed(self):
        app = self.opened()
        app.force_quit()
        app = self.told(ENDED)
        self.assertEqual(self.details(app), ["end: killed", "gate: MainShell"])
        self.go_on(app)

    def test_exit_in_a_library(self):
        app = self.opened("exit")
        self.assertEqual(self.fall(app), 3)
        self.assertEqual(self.marked()["end"].strip(), "exit")
        self.go_on(self.told())

    def test_power_loss(self):
        app = self.opened()
        app.kill()
        self.assertTrue(self.marker.exists())
        self.assertIn("(rebooted)", self.status_reason())
        self.started()

    def test_a_marker_that_was_cut_off(self):
        for text in ("", "end=running        \ngate=Main", "\0" * 200):
            with self.case(repr(text[:9])):
                self.come_back([TITLE])
                self.world.write(self.marker, text)
                app = self.started()
                self.assertEqual(self.marked()["pid"], str(app.pid))

    def test_a_marker_of_another_user_or_a_link_is_not_believed(self):
        self.come_back([TITLE])
        victim = self.world.write("victim", "mine")
        self.marker.parent.mkdir(parents=True, exist_ok=True)
        self.world.own(self.marker.parent)
        self.marker.symlink_to(victim)
        self.started()
        self.assertEqual(victim.read_text(), "mine")

    @needs_user
    def test_out_of_memory(self):
        fake = self.world.folder / "groups"
        group = next(line[3:] for line in open("/proc/self/cgroup").read().split("\n") if line.startswith("0::"))
        events = fake / group.strip("/") / "memory.events"
        events.parent.mkdir(parents=True, exist_ok=True)

        def count(kills):
            events.write_text(f"low 0\nhigh 0\nmax 4\noom {kills}\noom_kill {kills}\noom_group_kill 0\n")
            events.chmod(0o644)
        count(2)
        self.world.etc.mounts["/sys/fs/cgroup"] = str(fake)
        self.addCleanup(self.world.etc.mounts.pop, "/sys/fs/cgroup")
        app = self.opened()
        self.assertIn("memory", self.marked())
        app.force_quit()
        count(3)
        app = self.told()
        app.wait_for("label", re.compile("^The computer had run out of memory"))
        self.go_on(app)
        # Killed again, with the counter as it is: that is another story.
        app.force_quit()
        self.go_on(self.told(ENDED))

    def test_two_instances(self):
        first = self.opened()
        second = self.world.run([self.world.binaries / "app-gates"])
        self.assertEqual(second.returncode, 0)
        self.assertEqual(self.marked()["pid"], str(first.pid))
        bus = Bus(self.world, "second", self.world.runtime / "second-bus")
        other = self.world.app(env={"DBUS_SESSION_BUS_ADDRESS": bus.address}, wait=False)
        self.apps.append(other)
        other.until(lambda: other.windows(), "its window")
        self.assertEqual(self.marked()["pid"], str(first.pid))
        other.signal(signal.SIGSEGV)
        self.assertEqual(other.wait(), -signal.SIGSEGV)
        self.assertEqual(self.marked()["end"].strip(), "running")
        self.check_record("SIGSEGV")
        self.assertEqual(first.close(), 0)
        self.go_on(self.told())


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
        app = self.started()
        # Room that comes later is used by the next run.
        self.assertEqual(app.close(), 0)
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


@needs_user
class SafeModeTest(CrashTest):
    """Three crashes in a row."""

    def crash(self, times):
        app = self.opened(lock=True)
        for number in range(times):
            self.fall(app, signal.SIGSEGV)
            app = self.told()
            if number + 1 < times:
                self.go_on(app, lock=True)
        return app

    def safe(self):
        """Safe mode, behind the lock."""
        app = self.crash(3)
        on_the_screen(app, "label", "It was the third time within five minutes, so the app starts in safe mode now.")
        self.go_on(app, lock=True)
        self.assert_hidden(app, TITLE, "Safe Mode")
        self.unlock(app)
        on_the_screen(app, "label", "Safe Mode")
        return app

    def test_two_do_not(self):
        app = self.crash(2)
        self.go_on(app, lock=True)
        self.unlock(app)
        app.wait_for("list item", TITLE)

    def test_three_do_and_it_can_be_left(self):
        app = self.crash(3)
        files = {base: folder_facts(base / "app-gates") for base in (self.world.config, self.world.data)}
        self.go_on(app, lock=True)
        self.unlock(app)
        on_the_screen(app, "label", "Safe Mode")
        self.assertEqual({base: folder_facts(base / "app-gates") for base in files}, files)
        pid = app.pid
        app.click("button", "Leave Safe Mode")
        # The same process, begun anew: it is locked.
        app.wait_for("label", LOCKED)
        self.assertEqual(self.marked()["pid"], str(pid))
        self.assert_hidden(app, TITLE)
        self.unlock(app)
        app.wait_for("list item", TITLE)
        self.assertEqual(app.close(), 0)
        self.assertFalse(self.marker.exists())

    def test_the_list_can_be_used(self):
        app = self.safe()
        app.click("button", "Open the List")
        app.wait_for("list item", TITLE)

    def test_export(self):
        app = self.safe()
        app.click("button", "Export Todos…")
        place = app.wait_for("text", "Name", states=("focused",))
        place.set_text(str(self.world.home / "out.txt"))
        app.click("button", "Save")
        app.wait_for("alert", "The todos were exported.")
        self.assertRegex((self.world.home / "out.txt").read_text(), rf"^\d{{4}}-\d\d-\d\d {TITLE}\n$")

    def test_reset_with_nothing_damaged(self):
        app = self.safe()
        app.click("button", "Reset What Is Damaged…")
        app.wait_for("alert", "Nothing is damaged.")

    def test_reset_of_a_damaged_list(self):
        app = self.crash(3)
        file = self.world.data / "app-gates/todos.sqlite3"
        damaged = b"rubbish" * 1000
        self.world.write(file, damaged)
        self.go_on(app, lock=True)
        self.unlock(app)
        app.click("button", "Export Todos…")
        app.wait_for("alert", re.compile("^The todos cannot be read: the file is damaged"))
        app.click("button", "Reset What Is Damaged…")
        app.wait_for("label", "Set Damaged Files Aside?")
        app.click("button", "Cancel")
        self.assertEqual(file.read_bytes(), damaged)
        app.click("button", "Reset What Is Damaged…")
        app.click("button", "Set Aside")
        words = app.wait_for("alert", re.compile(r"^The damaged file is kept as ")).name
        copy = re.search(r"~/(\S+\.damaged-\d{8}T\d{6}Z)\.", words).group(1)
        self.assertEqual((self.world.home / copy).read_bytes(), damaged)

    def test_damaged_settings_are_left_alone_until_asked(self):
        app = self.crash(3)
        ini = self.world.config / "app-gates/preferences.ini"
        self.world.write(ini, "rubbish\n")
        app.force_quit()
        # Killed: the history is as it was, and the settings are read anew.
        app = self.start()
        app.click("button", "Continue")
        app.wait_for("label", LOCKED)
        self.assertEqual(ini.read_text(), "rubbish\n")


class DisplayTest(WorldTest):
    """The display server goes away under the app."""

    def gone(self):
        self.come_back([TITLE])
        app = self.world.app()
        app.wait_for("text", "Add a todo")
        self.world.display.server.process.kill()
        self.world.display.server.wait()
        self.assertNotEqual(app.wait(), 0)
        marker = (self.world.state / "app-gates/run").read_text()
        self.assertTrue(marker.startswith("end=display "), marker + app.log)
        reason = next(gate for gate in self.status()["gates"] if gate["gate"] == "RecoveryGate")["reason"]
        self.assertEqual(reason, "Nothing is to be told of the last run (display-gone).")

    def test_it_goes_on_x11(self):
        self.gone()


class OnWayland(WorldTest):
    options = {"size": (1280, 1300), "display": "wayland"}

    gone = DisplayTest.gone

    def test_it_goes_on_wayland(self):
        self.gone()
