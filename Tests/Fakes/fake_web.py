"""A web server on 127.0.0.1 that answers as it is told: well, badly, slowly, for ever, or not at all.

with FakeWeb() as web:
    web.answers["/manifest.json"] = reply(200, b"{}")
    … web.address("/manifest.json") …
    web.requests        [Request(method, path, headers, body)]

It runs on threads of the test's own process and goes with it. Each answer is a function of (connection, request).
"""

import contextlib
import dataclasses
import gzip
import pathlib
import socket
import ssl
import subprocess
import threading
import time

# No connection is served for longer than this, whatever its answer does.
LIMIT = 60
REASONS = {200: "OK", 304: "Not Modified", 302: "Found", 307: "Temporary Redirect", 400: "Bad Request",
           404: "Not Found", 410: "Gone", 413: "Too Large", 429: "Too Many Requests", 500: "Server Error"}


@dataclasses.dataclass
class Request:
    method: str
    path: str
    headers: dict
    body: bytes


def head(status, headers=()):
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}"] + [f"{name}: {value}" for name, value in headers]
    return ("\r\n".join(lines) + "\r\nConnection: close\r\n\r\n").encode()


def reply(status=200, body=b"", headers=(), says=None):
    """A whole answer; `says` is the length that the head gives where that is not the body's."""
    length = [] if status == 304 else [("Content-Length", len(body) if says is None else says)]
    return lambda connection, request: connection.sendall(head(status, [*headers, *length]) + body)


def tagged(body, tag):
    """The body with its ETag, and 304 to whoever has it already."""
    def answer(connection, request):
        known = request.headers.get("if-none-match") == tag
        reply(304 if known else 200, b"" if known else body, [("ETag", tag)])(connection, request)
    return answer


def packed(body):
    """Compressed, whether that was asked for or not."""
    return reply(200, gzip.compress(body), [("Content-Encoding", "gzip")])


def raw(*pieces, pause=0.0):
    """These bytes, whatever they are, with a pause after each."""
    def answer(connection, request):
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
    return answer


def large(size):
    """So many bytes, with their right length."""
    def answer(connection, request):
        connection.sendall(head(200, [("Content-Length", size)]))
        chunk = bytes(65536)
        for start in range(0, size, len(chunk)):
            connection.sendall(chunk[:size - start])
    return answer


def endless_headers(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"X-More: " + b"x" * 4000 + b"\r\n")


def one_byte_a_second(body):
    def answer(connection, request):
        connection.sendall(head(200, [("Content-Length", len(body))]))
        for byte in body:
            connection.sendall(bytes([byte]))
            time.sleep(1)
    return answer


def nothing(connection, request):
    """Closes without a word."""


def silence(connection, request):
    """Says nothing, and waits for the other side to go."""
    connection.recv(1)


def redirect(address, status=302):
    return reply(status, b"gone there", [("Location", address)])


def certificate(folder, name="localhost", others="IP:127.0.0.1"):
    """(certificate, key) in PEM, signed by nobody but itself."""
    folder = pathlib.Path(folder)
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", key, "-out", cert, "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name},{others}"],
        check=True, capture_output=True)
    return cert, key


class FakeWeb:
    """certificate: (certificate, key) for TLS; plain HTTP without."""

    def __init__(self, certificate=None):
        self.answers = {}
        self.requests = []
        self.connections = 0
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*certificate)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = set()
        self.heard = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def address(self, path="/", host="127.0.0.1"):
        return f"{'https' if self.context else 'http'}://{host}:{self.port}{path}"

    def wait_for(self, count, seconds=20):
        """Waits until so many requests have come, and returns them."""
        with self.heard:
            if not self.heard.wait_for(lambda: len(self.requests) >= count, seconds):
                raise AssertionError(f"{len(self.requests)} of {count} requests came within {seconds} s")
            return list(self.requests)

    def listen(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection):
        connection.settimeout(LIMIT)
        self.open.add(connection)
        try:
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            request = read(connection)
            with self.heard:
                self.requests.append(request)
                self.heard.notify_all()
            self.answers.get(request.path, reply(404))(connection, request)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1)
        except (OSError, ValueError):
            pass  # the other side went, as many of these tests want it to
        finally:
            self.open.discard(connection)
            connection.close()

    def close(self):
        # Its thread waits in accept, and a signal has the kernel begin that anew with the same number: by then that of
        # another server's listener, whose callers it would take.
        with contextlib.suppress(OSError):  # closed before
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in list(self.open):
            connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def read(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            raise ValueError("no request")
        data += piece
    top, _, body = data.partition(b"\r\n\r\n")
    first, *lines = top.decode().split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65536)
    method, path, _ = first.split(" ")
    return Request(method, path, headers, body)
