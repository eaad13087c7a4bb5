"""Stands between a program and its session bus, and ends or stops the keyring in the middle of a call.

Run by `keyring.py` as the world's user. It passes on every byte; of the messages it reads the headers only. A line on
its input, `ACT PHASE MEMBER`, arms it once: ACT is `kill` or `stop`, PHASE `before` (the daemon never gets the call) or
`after` (the daemon has done it, and its answer is lost). On its output it says `call MEMBER` for each call to the
Secret Service, and `done` when it has acted.
"""

import os
import signal
import socket
import struct
import sys
import threading

PREFIX = "/org/freedesktop/secrets"
AUTH = (b"OK", b"AGREE", b"ERROR", b"REJECTED", b"DATA")


class Message:
    """The header of one message."""

    def __init__(self, data):
        order = "<" if data[:1] == b"l" else ">"
        self.kind = data[1]
        self.serial, length = struct.unpack_from(order + "II", data, 8)
        self.fields = {}
        place, end = 16, 16 + length
        while place < end:
            place = -(-place // 8) * 8
            code, letter = data[place], chr(data[place + 2])
            place += 4
            if letter in "so":
                place = -(-place // 4) * 4
                size = struct.unpack_from(order + "I", data, place)[0]
                self.fields[code] = data[place + 4:place + 4 + size].decode()
                place += 5 + size
            elif letter == "g":
                place += 2 + data[place]
            else:
                place = -(-place // 4) * 4
                self.fields[code] = struct.unpack_from(order + "I", data, place)[0]
                place += 4

    @staticmethod
    def size(data):
        """How long the message is that begins here; None where that cannot be told yet."""
        if len(data) < 16:
            return None
        order = "<" if data[:1] == b"l" else ">"
        body, _, fields = struct.unpack_from(order + "III", data, 4)
        return 16 + -(-fields // 8) * 8 + body


class Between:
    def __init__(self, address, bus, pid):
        self.bus = bus
        self.pid = pid
        self.armed = None
        self.waits = set()
        self.lock = threading.Lock()
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(address)
        self.server.listen(20)

    def say(self, words):
        print(words, flush=True)

    def run(self):
        threading.Thread(target=self.accept, daemon=True).start()
        self.say("ready")
        for line in sys.stdin:
            with self.lock:
                words = line.split()
                if words[0] == "pid":
                    self.pid = int(words[1])
                else:
                    self.armed = tuple(words)
            self.say("armed")

    def accept(self):
        while True:
            client = self.server.accept()[0]
            bus = socket.socket(socket.AF_UNIX)
            bus.connect(self.bus)
            for source, target, up in ((client, bus, True), (bus, client, False)):
                threading.Thread(target=self.pump, args=(source, target, up), daemon=True).start()

    def pump(self, source, target, up):
        data, talks = b"", False
        while True:
            try:
                more, files, _, _ = socket.recv_fds(source, 65536, 16)
            except OSError:
                more, files = b"", []
            if not more:
                break
            data += more
            if files:
                # Descriptors belong to the message that begins here; they are few, and none goes to the keyring.
                socket.send_fds(target, [data[:1]], files)
                for file in files:
                    os.close(file)
                rest, data = data[1:], b""
                target.sendall(rest)
                continue
            while data:
                if not talks:
                    if up and b"BEGIN\r\n" in data:
                        end = data.index(b"BEGIN\r\n") + 7
                    elif not up and b"\r\n" in data and data.startswith(AUTH):
                        end = data.index(b"\r\n") + 2
                    elif up or data.startswith(AUTH):
                        end = len(data)
                    else:
                        talks = True
                        continue
                    talks = up and b"BEGIN\r\n" in data
                    target.sendall(data[:end])
                    data = data[end:]
                    continue
                size = Message.size(data)
                if size is None or len(data) < size:
                    break
                if self.passes(Message(data), up):
                    target.sendall(data[:size])
                data = data[size:]
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def passes(self, message, up):
        """Acts where it is time; False where the message is to be lost."""
        with self.lock:
            if up and message.kind == 1 and message.fields.get(1, "").startswith(PREFIX):
                member = message.fields[3]
                self.say(f"call {member}")
                if self.armed and self.armed[2] == member:
                    if self.armed[1] == "before":
                        self.act()
                    else:
                        self.waits.add(message.serial)
            elif not up and message.kind in (2, 3) and message.fields.get(5) in self.waits and self.armed:
                self.waits.discard(message.fields.get(5))
                stops = self.armed[0] == "stop"
                self.act()
                return not stops
        return True

    def act(self):
        stops = self.armed[0] == "stop"
        self.armed = None
        os.kill(self.pid, signal.SIGSTOP if stops else signal.SIGKILL)
        while True:
            try:
                with open(f"/proc/{self.pid}/stat") as file:
                    state = file.read().rsplit(")", 1)[1].split()[0]
            except OSError:
                break
            if state in ("TZX" if stops else "ZX"):
                break
        self.say("done")


if __name__ == "__main__":
    Between(sys.argv[1], sys.argv[2], int(sys.argv[3])).run()
