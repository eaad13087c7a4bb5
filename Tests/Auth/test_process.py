"""The helper as a process: what it inherits, who can look into it, and when it ends."""

import signal
import subprocess

import wire
import world
from world import PASSWORD, WorldTest


class ProcessTest(WorldTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.user = cls.world.user()

    def test_closed_to_other_processes_of_the_user(self):
        outcome = self.world.play(self.user, [PASSWORD], at={"prompt": "inspect"})
        self.assertVerdict(outcome, "authenticated")
        (seen,) = outcome.of("inspected")
        self.assertEqual(seen["owner"], 0)
        self.assertEqual(seen["ptrace"], "EPERM")
        self.assertEqual((seen["mem"], seen["environ"], seen["descriptors"]), ("EACCES",) * 3)
        self.assertEqual(seen["core"], ["0", "0"])
        self.assertEqual(seen["name"], "app-gates-auth")
        self.assertEqual(seen["threads"], 1)

    def test_surroundings(self):
        self.world.service("auth required MODULE report\naccount required pam_permit.so")
        environment = {"LANG": "de_DE.UTF-8", "LANGUAGE": "de", "LC_MESSAGES": "../../tmp/x", "LC_ALL": "x" * 200,
                       "PATH": "/tmp", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/tmp/x", "HOME": "/tmp", "IFS": "x"}
        outcome = self.world.play(self.user, stray=True, environment=environment)
        self.assertVerdict(outcome, "authenticated")
        lines = outcome.texts("info")
        self.assertEqual([l for l in lines if l.startswith("fd ")],
                         ["fd 0 null", "fd 1 null", "fd 2 null", "fd 3 socket cloexec"])
        self.assertEqual(sorted(l for l in lines if l.startswith("env ")),
                         ["env LANG=de_DE.UTF-8", "env LANGUAGE=de", "env PATH=/usr/sbin:/usr/bin:/sbin:/bin"])
        self.assertIn("core 0 0 dumpable 0", lines)
        self.assertIn("blocked 0 folder /", lines)
        # Nothing but the watch over the channel, and in particular no runtime's crash handler, which writes out memory.
        self.assertEqual([l for l in lines if l.startswith("signal ")],
                         [f"signal {int(signal.SIGPIPE)} ignored", f"signal {int(signal.SIGIO)} handled"])
        libraries = [l for l in lines if l.startswith("library ")]
        self.assertTrue(any("libpam.so" in l for l in libraries), libraries)
        self.assertFalse([l for l in libraries if "swift" in l.lower()], libraries)

    def test_end_of_file_at_a_prompt(self):
        outcome = self.world.play(self.user, at={"prompt": "close"})
        self.assertNoVerdict(outcome)
        self.assertEqual(outcome.exit, 1)
        self.assertLess(outcome.events[-1]["ms"] - outcome.of("hidden")[0]["ms"], 1000)

    def test_end_of_file_behind_an_answer(self):
        # Whatever the answer was: nobody is left to hear the verdict.
        outcome = self.world.play(self.user, [PASSWORD], at={"prompt": "close"})
        self.assertNoVerdict(outcome)

    def test_parent_dies_at_a_prompt(self):
        outcome = self.world.play(self.user, orphan=True, at={"prompt": "leave"})
        self.assertEqual((outcome.found["left"], outcome.found["ended"]), (True, True), outcome)
        self.assertLess(outcome.found["ms"], 1000)

    def test_parent_dies_while_a_module_hangs(self):
        self.world.service("auth required MODULE hang", "app-gates-fingerprint")
        outcome = self.world.play(
            self.user, service="app-gates-fingerprint", orphan=True, at={"hanging": "leave"})
        self.assertEqual((outcome.found["left"], outcome.found["ended"]), (True, True), outcome)
        self.assertLess(outcome.found["ms"], 1000)

    def test_channel_of_somebody_else(self):
        outcome = self.world.play(self.user, [PASSWORD], foreignChannel=True)
        self.assertEqual(outcome.of("hello"), [], outcome)
        self.assertEqual(outcome.exit, 1)

    def test_first_packets_that_are_none(self):
        honest = wire.hello(world.version(), "app-gates")
        for first in (b"x", honest[:-1], honest + b"x", wire.answer(b"x"), wire.packet(17, b"0.1.0"), b"\xff" * 5000):
            outcome = self.world.play(self.user, [PASSWORD], first=first.hex())
            self.assertEqual([e["type"] for e in outcome.events if e["type"] in wire.TYPES.values()], [], outcome)
            self.assertEqual(outcome.exit, 1)


class CommandLineTest(world.unittest.TestCase):
    def run_helper(self, *arguments):
        return subprocess.run([str(world.helper_path()), *arguments], capture_output=True, text=True, timeout=20)

    def test_version(self):
        done = self.run_helper("--version")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"app-gates-auth {world.version()}\n", ""))

    def test_help(self):
        done = self.run_helper("--help")
        self.assertEqual((done.returncode, done.stdout.count("\n"), done.stderr), (0, 1, ""))

    def test_started_by_hand(self):
        for arguments in ((), ("--verbose",), ("root",), ("--version", "x")):
            done = self.run_helper(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("start app-gates instead", done.stderr)
