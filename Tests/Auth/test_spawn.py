"""gs_spawn_helper: the way in which the app starts the helper, with descriptors wherever the app has them."""

import errno
import signal
import subprocess

import wire
import world
from world import WorldTest


class SpawnTest(WorldTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.user = cls.world.user()
        cls.driver = cls.world.folder / "spawn_driver"
        shim = world.ROOT / "Sources/GLibShim"
        subprocess.run(
            [cls.world.compiler, "-Wall", "-Wextra", "-I", str(shim / "include"), "-o", str(cls.driver),
             str(world.HERE / "spawn_driver.c"), str(shim / "helper_spawn.c")], check=True)

    def spawn(self, binary, channel, helper=None):
        first = wire.hello(world.version(), "app-gates").hex()
        command = [str(self.driver), str(helper or self.world.helper), str(binary), str(channel), first]
        done = self.world.as_user(self.user, command)
        self.assertEqual(done.returncode, 0, done)
        return done.stdout.decode().splitlines()

    def test_every_place_of_the_descriptors(self):
        self.world.service("auth required MODULE report\naccount required pam_permit.so")
        for binary, channel in ((20, 21), (3, 4), (4, 3), (3, 0), (0, 1), (2, 3), (1, 2), (10, 11), (11, 10)):
            with self.subTest(binary=binary, channel=channel):
                *packets, end = self.spawn(binary, channel)
                self.assertEqual(end, "exit 0")
                events = [wire.decode(bytes.fromhex(p)) for p in packets]
                self.assertEqual((events[0]["type"], events[-1]["status"]), ("hello", "authenticated"), events)
                lines = [e["text"] for e in events if e["type"] == "info"]
                self.assertEqual([l for l in lines if l.startswith("fd ")],
                                 ["fd 0 null", "fd 1 null", "fd 2 null", "fd 3 socket cloexec"])
                self.assertIn("blocked 0 folder /", lines)
                self.assertEqual([l for l in lines if l.startswith("signal ")],
                                 [f"signal {int(signal.SIGPIPE)} ignored", f"signal {int(signal.SIGIO)} handled"])

    def test_what_cannot_be_started(self):
        text = self.world.folder / "not-a-program"
        text.write_text("x")
        for mode, error in ((0o644, errno.EACCES), (0o755, errno.ENOEXEC)):
            text.chmod(mode)
            self.assertEqual(self.spawn(20, 21, text), [f"error {error}"])

    def test_no_descriptor(self):
        self.assertEqual(self.spawn(20, 21, "/nonexistent"), [f"error {errno.EBADF}"])
