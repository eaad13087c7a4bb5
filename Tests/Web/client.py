"""Plays the app's part towards one app-gates-web: writes a request, reads what it says, waits for its end."""

import dataclasses
import os
import pathlib
import re
import signal
import socket
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Fakes"))
PROGRAM = pathlib.Path(os.environ.get("APP_GATES_BIN") or ROOT / ".build/debug") / "app-gates-web"
VERSION = re.search(r'define APP_GATES_VERSION "([^"]+)"',
                    (ROOT / "Sources/AuthWire/include/AppGatesVersion.h").read_text()).group(1)
# All that it may take, whatever it was asked.
PATIENCE = 30


@dataclasses.dataclass
class Said:
    """kind: "answer" or "fault", or None where it said nothing that can be read; exit: its status, or minus a signal."""
    kind: str
    fields: list
    exit: int
    seconds: float

    @property
    def fault(self):
        return self.fields[0].decode() if self.kind == "fault" else None

    @property
    def host(self):
        return self.fields[1].decode()

    @property
    def status(self):
        return int(self.fields[0]) if self.kind == "answer" else None

    @property
    def headers(self):
        count = int(self.fields[1])
        names = [field.decode() for field in self.fields[2:2 + 2 * count]]
        return dict(zip(names[::2], names[1::2]))

    @property
    def body(self):
        return self.fields[-1]


def field(value):
    value = value if isinstance(value, bytes) else str(value).encode()
    return b"%d:%s," % (len(value), value)


def request(address, method="GET", headers=(), body=b"", limit=1 << 20, milliseconds=10000, version=VERSION):
    fields = ["app-gates-web", version, method, address, milliseconds, limit, len(headers)]
    fields += [word for header in headers for word in header] + [body]
    return b"".join(map(field, fields))


def read_fields(said):
    """Strictly: nothing may be left over."""
    fields = []
    while said:
        match = re.match(rb"(0|[1-9][0-9]{0,8}):", said)
        end = match.end() + int(match.group(1)) if match else 0
        if not match or said[end:end + 1] != b",":
            raise AssertionError(f"no field: {said[:60]!r}")
        fields.append(said[match.end():end])
        said = said[end + 1:]
    return fields


def start(words, environment=None, arguments=()):
    """(process id, our end of the channel)."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with tempfile.TemporaryFile() as file, theirs:
        file.write(words)
        file.flush()
        file.seek(0)
        actions = [(os.POSIX_SPAWN_DUP2, file.fileno(), 0), (os.POSIX_SPAWN_DUP2, theirs.fileno(), 1)]
        pid = os.posix_spawn(PROGRAM, [str(PROGRAM), *arguments], environment or {"PATH": "/usr/bin:/bin"},
                             file_actions=actions, setsigmask=[], setsigdef=[signal.SIGPIPE, signal.SIGALRM])
    return pid, ours


def finish(pid, channel):
    began = time.monotonic()
    said = b""
    with channel:
        channel.settimeout(PATIENCE)
        try:
            while piece := channel.recv(1 << 16):
                said += piece
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    kind, *fields = [None] if not said else read_fields(said)
    return Said(kind and kind.decode(), fields, os.waitstatus_to_exitcode(status), time.monotonic() - began)


def fetch(address, environment=None, **options):
    return finish(*start(request(address, **options), environment))
