"""What it takes for a request, which addresses it refuses, and how its process is kept apart and ended."""

import os
import pathlib
import resource
import signal
import socket
import subprocess
import time
import unittest

from client import PROGRAM, VERSION, fetch, field, finish, request, start
from fake_web import FakeWeb, reply, silence


class AddressTest(unittest.TestCase):
    def test_refused_before_anything_is_looked_up(self):
        for address in ("http://example.org/", "http://10.0.0.1/", "http://127.0.0.1.example.org/", "ftp://127.0.0.1/",
                        "file:///etc/passwd", "https://user@127.0.0.1/", "https://user:pw@127.0.0.1/", "https:///x",
                        "http://0.0.0.0/", "data:,x", "resource:///x", "https://", "", "x", "HTTP://example.org/"):
            said = fetch(address)
            self.assertEqual((said.fault, said.exit), ("refused-address", 0), address)

    def test_this_computer(self):
        with FakeWeb() as web:
            web.answers["/"] = reply(200, b"{}")
            for host in ("127.0.0.1", "localhost"):
                self.assertEqual(fetch(web.address("/", host)).body, b"{}")
        for address in ("http://127.9.9.9:1/", "http://[::1]:1/"):
            self.assertEqual(fetch(address).fault, "unreachable")

    def test_what_is_not_encrypted_goes_through_no_proxy(self):
        with FakeWeb() as web, FakeWeb() as proxy:
            web.answers["/"] = reply(200, b"{}")
            environment = {"PATH": "/usr/bin:/bin", "http_proxy": proxy.address("")}
            self.assertEqual(fetch(web.address("/"), environment).body, b"{}")
            self.assertEqual(proxy.connections, 0)

    def test_the_systems_proxy_is_asked_for_the_rest(self):
        with FakeWeb() as proxy:
            environment = {"PATH": "/usr/bin:/bin", "https_proxy": proxy.address("")}
            # Its refusal is not the server's answer.
            self.assertEqual(fetch("https://example.invalid/", environment).fault, "unreachable")
            self.assertEqual([(sent.method, sent.path) for sent in proxy.requests], [("CONNECT", "example.invalid:443")])


class RequestTest(unittest.TestCase):
    """What is no request of our own is not understood, and nothing is sent."""

    def setUp(self):
        self.web = FakeWeb()
        self.addCleanup(self.web.close)

    def refuses(self, words):
        said = finish(*start(words))
        self.assertEqual((said.fault, said.exit), ("not-understood", 0), words[:80])
        self.assertEqual(self.web.connections, 0)

    def test_damaged(self):
        good = request(self.web.address("/"), headers=[("A", "b")], body=b"body")
        for words in (b"", b"garbage", good[:-1], good[:20], good + b"0:,", good.replace(b"4:body", b"5:body"),
                      good.replace(b"4:body", b"999999999:body"), good.replace(b"4:body", b"04:body"),
                      good.replace(b"4:body,", b"4:body;"), b"-1:,", b"99999999999999999999:x,"):
            self.refuses(words)

    def test_another_version(self):
        self.refuses(request(self.web.address("/"), version=VERSION + "1"))

    def test_out_of_bounds(self):
        address = self.web.address("/")
        for options in (dict(method="DELETE"), dict(method="get"), dict(milliseconds=0), dict(milliseconds=600001),
                        dict(milliseconds="1e3"), dict(limit=(32 << 20) + 1), dict(limit="-1"),
                        dict(headers=[("A", "b")] * 65), dict(headers=[("", "b")])):
            self.refuses(request(address, **options))

    def test_one_header_stays_one(self):
        for value in ("a\r\nEvil: b", "a\nb", "a\0b"):
            self.refuses(request(self.web.address("/"), headers=[("A", value)]))
        self.refuses(request(self.web.address("/") + "\r\nEvil: b"))

    def test_too_large(self):
        self.refuses(request(self.web.address("/"), body=bytes(9 << 20)))


class ProcessTest(unittest.TestCase):
    def setUp(self):
        self.web = FakeWeb()
        self.addCleanup(self.web.close)
        self.web.answers["/"] = silence

    def begin(self):
        """A program in the midst of its request."""
        before = len(self.web.requests)
        pid, channel = start(request(self.web.address("/"), headers=[("Authorization", "Bearer secret-token")]))
        self.web.wait_for(before + 1)
        return pid, channel

    def end(self, pid, channel):
        os.kill(pid, signal.SIGKILL)
        return finish(pid, channel)

    def test_by_hand(self):
        run = lambda *arguments: subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=10,
                                                stdin=subprocess.DEVNULL)
        self.assertEqual(run("--version").stdout, f"app-gates-web {VERSION}\n")
        self.assertEqual(run("--help").returncode, 0)
        said = run("http://127.0.0.1/")
        self.assertEqual((said.returncode, said.stdout), (2, ""))
        self.assertIn("start app-gates", said.stderr)

    def test_what_others_see(self):
        pid, channel = self.begin()
        proc = pathlib.Path(f"/proc/{pid}")
        self.assertEqual((proc / "comm").read_text(), "app-gates-web\n")
        self.assertNotIn(b"secret", (proc / "cmdline").read_bytes() + (proc / "environ").read_bytes())
        self.assertNotIn(b"127.0.0.1", (proc / "cmdline").read_bytes())
        limits = (proc / "limits").read_text()
        self.assertRegex(limits, r"Max core file size +0 +0 ")
        self.assertRegex(limits, r"Max data size +268435456 +268435456 ")
        # Who may not be dumped belongs to root in /proc.
        self.assertEqual(proc.joinpath("mem").stat().st_uid, 0)
        self.end(pid, channel)

    def test_what_it_costs(self):
        pid, channel = self.begin()
        status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
        print(f"app-gates-web at work: {status['VmRSS'].strip()} resident, {status['Threads'].strip()} threads")
        self.end(pid, channel)

    def test_inherits_nothing(self):
        with open("/etc/hostname") as stray:
            os.set_inheritable(stray.fileno(), True)
            pid, channel = self.begin()
            held = {os.readlink(link) for link in pathlib.Path(f"/proc/{pid}/fd").iterdir()}
            self.assertNotIn("/etc/hostname", held)
            self.end(pid, channel)

    def test_a_flood_does_not_fill_the_memory(self):
        pid, channel = self.begin()
        _, most = resource.prlimit(pid, resource.RLIMIT_DATA)
        self.assertLessEqual(most, 256 << 20)
        self.end(pid, channel)

    def test_ends_with_its_parent(self):
        """The process that started it dies: by a fork that starts it and is killed."""
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                pid, channel = start(request(self.web.address("/")))
                os.write(write, str(pid).encode())
                signal.pause()
            finally:
                os._exit(1)
        os.close(write)
        pid = int(os.read(read, 20))
        os.close(read)
        self.web.wait_for(1)
        handle = os.pidfd_open(pid)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        self.assertTrue(ended(handle), "it goes on without its parent")

    def test_the_parent_is_the_one_that_made_the_channel(self):
        """A channel that somebody else made: as if the parent had died before the program looked."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        child = os.fork()
        if child == 0:
            try:
                pid = os.posix_spawn(PROGRAM, [str(PROGRAM)], {"PATH": "/bin"},
                                     file_actions=[(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                                                   (os.POSIX_SPAWN_DUP2, theirs.fileno(), 1)])
                os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            finally:
                os._exit(99)
        theirs.close()
        _, status = os.waitpid(child, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 1)
        self.assertEqual(ours.recv(100), b"")
        ours.close()


def ended(handle, seconds=5):
    """Whether a process has ended, or does so soon."""
    import select
    return bool(select.select([handle], [], [], seconds)[0])


if __name__ == "__main__":
    unittest.main()
