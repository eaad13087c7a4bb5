"""Every kind of answer that a server may give, from a good one to one that never ends."""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

from client import VERSION, fetch
from fake_web import (FakeWeb, certificate, endless_headers, head, large, nothing, one_byte_a_second, packed, raw,
                      redirect, reply, silence, tagged)


ROOTS = "/etc/ssl/certs/ca-certificates.crt"


def why_no_trust():
    """Why the list of certificates that the system trusts cannot be another one here, or None."""
    if os.geteuid() != 0:
        return "needs root, to put another list of certificates in place"
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        return "needs mount namespaces"
    return None if os.path.exists(ROOTS) else f"needs {ROOTS} (ca-certificates)"


def fetch_trusting(trusted, *addresses):
    """What comes of these addresses where the system trusts this certificate alone."""
    script = "import sys, client\nfor address in sys.argv[1:]:\n" \
             "    said = client.fetch(address)\n    print(said.fault or f'{said.status} {said.body.decode()}')"
    command = f'mount --bind "$0" {ROOTS} && exec "$@"'
    done = subprocess.run(["unshare", "-m", "sh", "-c", command, trusted, sys.executable, "-c", script, *addresses],
                          cwd=os.path.dirname(os.path.abspath(__file__)), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


class WebTest(unittest.TestCase):
    def setUp(self):
        self.web = FakeWeb()
        self.addCleanup(self.web.close)

    def get(self, answer, **options):
        self.web.answers["/x"] = answer
        said = fetch(self.web.address("/x"), **options)
        self.assertEqual(said.exit, 0, said)
        return said


class AnswersTest(WebTest):
    def test_a_good_one(self):
        said = self.get(reply(200, b"{}", [("ETag", '"a"'), ("X-Name", "value")]))
        self.assertEqual((said.status, said.body), (200, b"{}"))
        self.assertEqual((said.headers["etag"], said.headers["x-name"]), ('"a"', "value"))

    def test_what_is_sent(self):
        self.web.answers["/x?y=1"] = reply(200)
        said = fetch(self.web.address("/x?y=1#z"), method="POST", body=b"\0{}\xff",
                     headers=[("Content-Type", "application/json"), ("Authorization", "Bearer t")])
        self.assertEqual(said.status, 200)
        [sent] = self.web.requests
        self.assertEqual((sent.method, sent.path, sent.body), ("POST", "/x?y=1", b"\0{}\xff"))
        self.assertEqual(sent.headers["user-agent"], f"AppGates/{VERSION}")
        self.assertEqual(sent.headers["content-type"], "application/json")
        self.assertEqual(sent.headers["authorization"], "Bearer t")
        # Nothing that says more of the computer than the program's name.
        self.assertLessEqual(set(sent.headers), {"host", "user-agent", "content-type", "content-length",
                                                 "authorization", "connection", "accept-encoding"})

    def test_any_status_is_an_answer(self):
        for status in (400, 401, 404, 410, 413, 429, 500, 503):
            with self.subTest(status):
                said = self.get(reply(status, b"why", [("Retry-After", "120")]))
                self.assertEqual((said.status, said.body, said.headers["retry-after"]), (status, b"why", "120"))

    def test_not_modified(self):
        answer = tagged(b"{}", '"1"')
        self.assertEqual(self.get(answer).status, 200)
        said = self.get(answer, headers=[("If-None-Match", '"1"')])
        self.assertEqual((said.status, said.body), (304, b""))

    def test_no_answer(self):
        self.assertIn(self.get(nothing).fault, ("truncated", "unreachable"))

    def test_no_server(self):
        self.web.close()
        self.assertEqual(fetch("http://127.0.0.1:1/x").fault, "unreachable")

    def test_cut_off(self):
        self.assertEqual(self.get(reply(200, b"{", says=100)).fault, "truncated")

    def test_cut_off_in_chunks(self):
        chunked = [("Transfer-Encoding", "chunked")]
        self.assertEqual(self.get(raw(head(200, chunked) + b"2\r\n{}\r\n0\r\n\r\n")).body, b"{}")
        self.assertEqual(self.get(raw(head(200, chunked) + b"5\r\n{}")).fault, "truncated")

    def test_what_is_packed_is_neither_asked_for_nor_taken(self):
        for body in (b"{}" * 500, bytes(40 << 20)):
            self.assertEqual(self.get(packed(body)).fault, "malformed")
        self.assertEqual(self.web.requests[0].headers["accept-encoding"], "identity")

    def test_no_http(self):
        for words in (b"\0\1\2\3garbage\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 banana\r\n\r\n"):
            self.assertIn(self.get(raw(words)).fault, ("malformed", "truncated", "unreachable"), words)

    def test_fifty_megabytes(self):
        said = self.get(large(50 << 20))
        self.assertEqual(said.fault, "too-large")
        self.assertLess(said.seconds, 5)

    def test_the_limit_is_exact(self):
        self.assertEqual(len(self.get(large(1000), limit=1000).body), 1000)
        self.assertEqual(self.get(large(1001), limit=1000).fault, "too-large")
        self.assertEqual(self.get(reply(200), limit=0).status, 200)

    def test_headers_without_end(self):
        said = self.get(endless_headers, milliseconds=3000)
        self.assertIn(said.fault, ("malformed", "too-large", "timed-out", "unreachable", "truncated"))
        self.assertLess(said.seconds, 5)

    def test_one_byte_a_second(self):
        said = self.get(one_byte_a_second(b"{}" * 20), milliseconds=1500)
        self.assertEqual(said.fault, "timed-out")
        self.assertGreater(said.seconds, 1.2)
        self.assertLess(said.seconds, 3)

    def test_silence(self):
        self.assertEqual(self.get(silence, milliseconds=500).fault, "timed-out")


class RedirectTest(WebTest):
    """Within the place that was asked, and nowhere else."""

    def test_within(self):
        self.web.answers["/there"] = reply(200, b"here")
        self.assertEqual(self.get(redirect("/there")).body, b"here")
        self.assertEqual(self.get(redirect(self.web.address("/there"))).body, b"here")

    def test_elsewhere(self):
        with FakeWeb() as other:
            other.answers["/"] = reply(200, b"elsewhere")
            for place, host in ((other.address(), "127.0.0.1"), (self.web.address("/", "localhost"), "localhost"),
                                (f"https://127.0.0.1:{self.web.port}/", "127.0.0.1"), ("//example.org/", "example.org"),
                                (f"http://u@127.0.0.1:{self.web.port}/x", "127.0.0.1"), ("file:///etc/passwd", ""),
                                # Words of the server's own, which the app would say in its sentences.
                                ("http://a%0AAll%20is%20well./", ""), ("http://a%20b/", ""), ("http://a%22b/", ""),
                                ("http://" + "a" * 253 + "/", "a" * 253), ("http://" + "a" * 254 + "/", ""),
                                ("http://[::1]:1/", "::1"), ("http://h%C3%A9.example/", "xn--h-bga.example")):
                with self.subTest(place):
                    before = len(self.web.requests)
                    said = self.get(redirect(place), headers=[("Authorization", "Bearer t")])
                    self.assertEqual((said.fault, said.host), ("redirected", host))
                    self.assertEqual(len(self.web.requests), before + 1)
            self.assertEqual(other.connections, 0)

    def test_round_and_round(self):
        self.assertEqual(self.get(redirect("/x")).fault, "redirected")
        self.assertEqual(len(self.web.requests), 4)

    def test_what_is_posted_is_posted_once(self):
        self.web.answers["/there"] = reply(200)
        for status in (302, 307):
            self.web.requests.clear()
            self.assertEqual(self.get(redirect("/there", status), method="POST", body=b"x").fault, "redirected")
            self.assertEqual(len(self.web.requests), 1)

    def test_no_cookie_comes_back(self):
        self.web.answers["/there"] = reply(200)
        self.web.answers["/x"] = reply(302, b"", [("Location", "/there"), ("Set-Cookie", "id=1; Path=/")])
        self.assertEqual(fetch(self.web.address("/x")).status, 200)
        self.assertNotIn("cookie", self.web.requests[-1].headers)


class TlsTest(unittest.TestCase):
    def test_a_certificate_of_nobody(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with FakeWeb(certificate(folder.name)) as web:
            web.answers["/"] = reply(200, b"{}")
            for host in ("localhost", "127.0.0.1"):
                said = fetch(web.address("/", host))
                self.assertEqual(said.fault, "bad-certificate")
            self.assertEqual(web.requests, [])

    @unittest.skipIf(why_no_trust(), f"{why_no_trust()}")
    def test_a_certificate_that_the_system_trusts(self):
        """And one that it trusts for another host."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        ours = certificate(folder.name)
        theirs = certificate(folder.name, "elsewhere.test", "IP:127.0.0.9")
        trusted = os.path.join(folder.name, "trusted.pem")
        with open(trusted, "w") as file:
            file.write(ours[0].read_text() + theirs[0].read_text())
        with FakeWeb(ours) as web, FakeWeb(theirs) as other:
            web.answers["/"] = other.answers["/"] = reply(200, b"{}")
            web.answers["/to-http"] = redirect(f"http://localhost:{web.port}/")
            said = fetch_trusting(trusted, web.address("/", "localhost"), web.address("/"),
                                  web.address("/to-http", "localhost"), other.address("/", "localhost"))
        self.assertEqual(said, ["200 {}", "200 {}", "redirected", "bad-certificate"])

    def test_a_server_without_tls(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def answer():
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        self.assertEqual(fetch(f"https://127.0.0.1:{listener.getsockname()[1]}/").fault, "unreachable")


if __name__ == "__main__":
    unittest.main()
