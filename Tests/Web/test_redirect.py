"""How it waits for the browser: for whom, on what address, what it answers everybody else, and when it ends."""

import contextlib
import os
import select
import signal
import socket
import struct
import time
import unittest

from client import PATIENCE, VERSION, field, read_fields, start

STATE = "s" * 43
WORDS = ["Done", "All <b>well</b> & done.", "Refused", "No.", "Foreign", "Not yours.", "Missing", "Nothing here."]


def listen_request(path="/cb", state=STATE, milliseconds=20000, language="en", direction="ltr", words=WORDS,
                   version=VERSION):
    return b"".join(map(field, ["app-gates-web", version, "LISTEN", path, state, milliseconds, language, direction, *words]))


class Listener:
    """One listening app-gates-web, and what it has said."""

    def __init__(self, case, words=None, **options):
        self.pid, self.channel = start(listen_request(**options) if words is None else words)
        self.channel.settimeout(PATIENCE)
        self.said = b""
        self.is_over = False
        case.addCleanup(self.end)

    def fields(self, count):
        """Waits for so many fields in all."""
        while True:
            try:
                found = [value.decode() for value in read_fields(self.said)]
            except AssertionError:
                found = []
            if len(found) >= count:
                return found
            piece = self.channel.recv(1 << 16)
            if not piece:
                raise AssertionError(f"it ended after {self.said!r}")
            self.said += piece

    @property
    def port(self):
        kind, port = self.fields(2)[:2]
        assert kind == "listening", kind
        return int(port)

    def wait(self):
        """Its exit status, once it has ended by itself."""
        end = time.monotonic() + PATIENCE
        descriptor = os.pidfd_open(self.pid)
        try:
            import select
            if not select.select([descriptor], [], [], end - time.monotonic())[0]:
                raise AssertionError("it does not end")
        finally:
            os.close(descriptor)
        self.is_over = True
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def end(self):
        self.channel.close()
        if not self.is_over:
            self.wait()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def send(self, request):
        """All that is answered to these bytes."""
        with self.connect() as connection:
            connection.sendall(request)
            return everything(connection)

    def get(self, target, method="GET", host=None, more=b""):
        host = f"127.0.0.1:{self.port}" if host is None else host
        return self.send(f"{method} {target} HTTP/1.1\r\nHost: {host}\r\n".encode() + more + b"\r\n")


def everything(connection):
    said = b""
    try:
        while piece := connection.recv(1 << 16):
            said += piece
    except ConnectionResetError:
        pass
    return said


def status(answer):
    return int(answer.split(b" ")[1]) if answer else None


class RedirectTest(unittest.TestCase):
    def setUp(self):
        self.listener = Listener(self)

    def test_the_browser_comes_back(self):
        query = f"code=a%2Fb&state={STATE}&iss=https%3A%2F%2Fid"
        answer = self.listener.get("/cb?" + query)
        head, _, body = answer.partition(b"\r\n\r\n")
        self.assertEqual(status(answer), 200)
        self.assertIn(b"All &lt;b&gt;well&lt;/b&gt; &amp; done.", body)
        self.assertNotIn(b"<script", body)
        self.assertNotIn(STATE.encode(), answer)
        for line in (b"Referrer-Policy: no-referrer", b"Cache-Control: no-store", b"X-Content-Type-Options: nosniff",
                     b"Content-Security-Policy: default-src 'none'"):
            self.assertIn(line, head)
        self.assertEqual(int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0]), len(body))
        self.assertEqual(self.listener.fields(4)[2:], ["redirect", query])
        self.assertEqual(self.listener.wait(), 0)
        with self.assertRaises(OSError):
            self.listener.connect()

    def test_with_a_refusal(self):
        answer = self.listener.get(f"/cb?error=access_denied&state={STATE}")
        self.assertIn(b"Refused", answer)
        self.assertEqual(self.listener.fields(4)[3], f"error=access_denied&state={STATE}")

    def test_whatever_else_comes_ends_nothing(self):
        port = self.listener.port
        for target, method, host, expected in (
                ("/", "GET", None, 404), ("/favicon.ico", "GET", None, 404), ("/cb/", "GET", None, 404),
                ("/cbx?state=" + STATE, "GET", None, 404), ("/CB?state=" + STATE, "GET", None, 404),
                ("/%63b?state=" + STATE, "GET", None, 404), ("/../cb?state=" + STATE, "GET", None, 404),
                ("/cb?code=C&state=" + STATE, "POST", None, 405), ("/cb?code=C&state=" + STATE, "HEAD", None, 405),
                ("/cb?code=C&state=" + STATE, "OPTIONS", None, 405), ("/cb?code=C&state=" + STATE, "get", None, 405),
                ("/cb", "GET", None, 403), ("/cb?", "GET", None, 403), ("/cb?code=C", "GET", None, 403),
                ("/cb?code=C&state=", "GET", None, 403), ("/cb?code=C&state=" + STATE[:-1], "GET", None, 403),
                ("/cb?code=C&state=" + STATE + "s", "GET", None, 403),
                (f"/cb?code=C&state={STATE}&state={STATE}", "GET", None, 403),
                (f"/cb?code=C&state=x&state={STATE}", "GET", None, 403),
                (f"/cb?code=C&xstate={STATE}", "GET", None, 403), (f"/cb?code=C#state={STATE}", "GET", None, 403),
                ("/cb?state=" + STATE, "GET", f"localhost:{port}", 400),
                ("/cb?state=" + STATE, "GET", "evil.example.org", 400), ("/cb?state=" + STATE, "GET", "", 400),
                ("/cb?state=" + STATE, "GET", "127.0.0.1", 400),
                (f"http://127.0.0.1:{port}/cb?state={STATE}", "GET", None, 400)):
            with self.subTest(target=target, method=method, host=host):
                self.assertEqual(status(self.listener.get(target, method, host)), expected)
        self.assertEqual(self.listener.fields(2), ["listening", str(port)])
        self.assertEqual(status(self.listener.get(f"/cb?code=C&state={STATE}")), 200)

    def test_what_is_no_http_ends_nothing(self):
        host = f"Host: 127.0.0.1:{self.listener.port}\r\n".encode()
        good = b"GET /cb?code=C&state=" + STATE.encode()
        for request, expected in (
                (b"\r\n\r\n", 400), (b"GET\r\n\r\n", 400), (good + b"\r\n" + host + b"\r\n", 400),
                (good + b" HTTP/2.0\r\n" + host + b"\r\n", 400), (good + b" HTTP/1.1\r\n\r\n", 400),
                (good + b" HTTP/1.1\r\n" + host + host + b"\r\n", 400),
                (good + b" HTTP/1.1 x\r\n" + host + b"\r\n", 400), (b"\0" + good + b" HTTP/1.1\r\n" + host + b"\r\n", 400),
                (good + b" HTTP/1.1\r\nA: \0\r\n" + host + b"\r\n", 400),
                (b"GET " + b"x" * (17 << 10), 431), (bytes(range(256)) * 80, 431)):
            with self.subTest(request=request[:40]):
                self.assertEqual(status(self.listener.send(request)), expected)
        self.assertEqual(status(self.listener.get(f"/cb?code=C&state={STATE}")), 200)

    def test_the_state_may_be_written_in_hexadecimal(self):
        answer = self.listener.get("/cb?code=C&state=" + "%73" * 43)
        self.assertEqual(status(answer), 200)

    def test_who_says_nothing_keeps_nobody_out(self):
        silent = [self.listener.connect() for _ in range(40)]
        for connection in silent:
            self.addCleanup(connection.close)
        for connection in silent[:20]:
            try:
                connection.sendall(b"GET /cb")
            except OSError:
                pass  # its place was needed
        self.assertEqual(status(self.listener.get(f"/cb?code=C&state={STATE}")), 200)
        self.assertEqual(self.listener.wait(), 0)

    def test_who_never_stops_talking_is_not_heard_out(self):
        # All that the kernel takes for it is there when it goes on.
        port = self.listener.port
        os.kill(self.listener.pid, signal.SIGSTOP)
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
            connection.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    connection.send(bytes(1 << 16))
            os.kill(self.listener.pid, signal.SIGCONT)
            # The connection would be left in peace, had all of it been read.
            poll = select.poll()
            poll.register(connection, 0)
            self.assertTrue(poll.poll(PATIENCE * 1000), "it was heard out")
        self.assertEqual(status(self.listener.get(f"/cb?code=C&state={STATE}")), 200)

    def test_who_goes_in_the_middle_ends_nothing(self):
        for _ in range(200):
            connection = self.listener.connect()
            connection.sendall(b"GET /cb?x HTTP/1.1\r\n\r\n")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()  # with a reset
        self.assertEqual(status(self.listener.get(f"/cb?code=C&state={STATE}")), 200)

    def test_in_pieces(self):
        with self.listener.connect() as connection:
            for byte in f"GET /cb?code=C&state={STATE} HTTP/1.1\r\nhOsT:127.0.0.1:{self.listener.port} \r\n\r\n".encode():
                connection.sendall(bytes([byte]))
            self.assertEqual(status(everything(connection)), 200)

    def test_only_here(self):
        port = self.listener.port
        for host in ("::1", "127.0.0.2"):
            with self.assertRaises(OSError):
                socket.create_connection((host, port), timeout=5).close()

    def test_the_app_lets_go(self):
        self.assertGreater(self.listener.port, 1023)
        self.listener.channel.close()
        self.assertEqual(self.listener.wait(), 0)

    def test_a_browser_that_does_not_read_its_page_holds_nothing_up(self):
        with self.listener.connect() as connection:
            connection.sendall(f"GET /cb?code=C&state={STATE} HTTP/1.1\r\nHost: 127.0.0.1:{self.listener.port}\r\n\r\n"
                               .encode())
            self.assertEqual(self.listener.fields(4)[2], "redirect")
            self.assertEqual(self.listener.wait(), 0)


class RequestTest(unittest.TestCase):
    def test_right_to_left(self):
        listener = Listener(self, language="he", direction="rtl")
        self.assertIn(b'<html lang="he" dir="rtl">', listener.get(f"/cb?code=C&state={STATE}"))

    def test_time_is_over(self):
        listener = Listener(self, milliseconds=100)
        self.assertEqual(listener.fields(5)[2:], ["fault", "timed-out", ""])
        self.assertEqual(listener.wait(), 0)

    def test_what_is_not_understood(self):
        good = listen_request()
        for words in (good[:-1], good + b"0:,", listen_request(version=VERSION + "1"), listen_request(state=""),
                      listen_request(state="s" * 21), listen_request(milliseconds=0), listen_request(path="cb"),
                      listen_request(milliseconds=600001), listen_request(words=WORDS[:-1]),
                      listen_request(words=[*WORDS[:-1], b"\xff"]), listen_request(words=[*WORDS[:-1], "a\nb"])):
            listener = Listener(self, words)
            self.assertEqual(listener.fields(3), ["fault", "not-understood", ""])
            self.assertEqual(listener.wait(), 0)

    def test_no_port_to_be_had(self):
        """In a network without even this computer's own address, nothing can be bound."""
        import ctypes
        if os.geteuid() != 0:
            self.skipTest("needs root, to make a network of its own")
        child = os.fork()
        if child == 0:
            try:
                ctypes.CDLL(None).unshare(0x40000000)
                # All ports are taken: none is left to choose from.
                with open("/proc/sys/net/ipv4/ip_local_port_range", "w") as file:
                    file.write("50000 50000")
                os.system("ip link set lo up")
                taken = socket.create_server(("127.0.0.1", 50000))
                pid, channel = start(listen_request())
                channel.settimeout(PATIENCE)
                said = b""
                while piece := channel.recv(4096):
                    said += piece
                os.waitpid(pid, 0)
                taken.close()
                os._exit(0 if [value.decode() for value in read_fields(said)] == ["fault", "no-port", ""] else 1)
            finally:
                os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
