"""What ends the app without a record: told apart by the marker of the run."""

import os
import re
import signal
import stat

from crashes import ENDED, TITLE, CrashTest
from Rig.buses import Bus
from steps import WorldTest, needs_user, until


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
    options = {"size": (1280, 1800), "display": "wayland"}

    gone = DisplayTest.gone

    def test_it_goes_on_wayland(self):
        self.gone()
