"""Plays the app's part towards one helper, as the test's user, and prints what happened as JSON.

The plan comes as JSON in the first argument:
  helper       path of the binary
  first        hex of the first packet
  early        hex of packets sent right behind it
  answers      hex of packets, one sent at each prompt
  at           {event: action}, where the event is "prompt" (once the answers are used up) or the text of an INFO, and
               the action is "close" (our end), "kill" (the helper), "inspect" (from outside, before the answer) or
               "leave" (the process that started the helper dies; needs `orphan`)
  patience     seconds that the helper may take in all, 20 where it is not given
  live         whether each event is printed as it comes, too
  arguments, environment, foreignChannel, stray: how the helper is started
"""

import ctypes
import errno
import json
import os
import select
import signal
import socket
import sys
import time

import wire

DEADLINE = 20.0


def spawn(plan, channel):
    actions = [(os.POSIX_SPAWN_DUP2, channel.fileno(), 3)]
    if plan.get("stray"):
        actions.append((os.POSIX_SPAWN_DUP2, channel.fileno(), 9))
        actions.append((os.POSIX_SPAWN_OPEN, 7, "/etc/hostname", os.O_RDONLY, 0))
    environment = plan.get("environment", {"LANG": "C.UTF-8"})
    arguments = ["app-gates-auth"] + plan.get("arguments", [])
    signals = [s for s in signal.valid_signals() if s not in (signal.SIGKILL, signal.SIGSTOP)]
    return os.posix_spawn(
        plan["helper"], arguments, environment, file_actions=actions, setsigmask=[], setsigdef=signals)


def refused(call):
    try:
        call()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "allowed"


def inspect(pid):
    """What another process of the same user can find out about the helper."""
    libc = ctypes.CDLL(None, use_errno=True)

    def attach():
        if libc.ptrace(16, pid, None, None) != 0:
            raise OSError(ctypes.get_errno(), "ptrace")

    return {
        "type": "inspected",
        "owner": os.stat(f"/proc/{pid}/status").st_uid,
        "ptrace": refused(attach),
        "mem": refused(lambda: open(f"/proc/{pid}/mem", "rb")),
        "environ": refused(lambda: open(f"/proc/{pid}/environ", "rb").read()),
        "descriptors": refused(lambda: os.listdir(f"/proc/{pid}/fd")),
        "core": next(line.split()[4:6] for line in open(f"/proc/{pid}/limits") if line.startswith("Max core")),
        "name": open(f"/proc/{pid}/comm").read().strip(),
        "threads": next(int(l.split()[1]) for l in open(f"/proc/{pid}/status") if l.startswith("Threads")),
    }


class Play:
    def __init__(self, plan):
        self.plan = plan
        self.events = []
        self.answers = [bytes.fromhex(a) for a in plan.get("answers", [])]
        self.start = time.monotonic()
        self.ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if plan.get("foreignChannel"):
            self.pid = self.spawn_by_child(theirs)
        else:
            self.pid = spawn(plan, theirs)
        theirs.close()
        self.pidfd = os.pidfd_open(self.pid)
        self.ending = None

    def spawn_by_child(self, theirs):
        """The channel is ours, the parent is not: as if somebody had handed it on."""
        reading, writing = os.pipe()
        holding, self.release = os.pipe()
        if os.fork() == 0:
            os.close(self.release)
            pid = spawn(self.plan, theirs)
            os.write(writing, str(pid).encode())
            os.read(holding, 1)  # not reaped before the other side has taken hold of it
            _, status = os.waitpid(pid, 0)
            os._exit(os.waitstatus_to_exitcode(status) & 127)
        return int(os.read(reading, 20))

    def note(self, event):
        event["ms"] = round((time.monotonic() - self.start) * 1000)
        self.events.append(event)
        if self.plan.get("live"):
            print(json.dumps(event), flush=True)

    def act(self, action):
        if action == "close":
            self.ours.close()
            self.ours = None
        elif action == "kill":
            os.kill(self.pid, signal.SIGKILL)
        elif action == "inspect":
            self.note(inspect(self.pid))
        elif action == "leave":
            # The channel stays open in the process that watches: the helper must end by our death alone.
            watcher = socket.socket(fileno=self.plan["watcher"])
            socket.send_fds(watcher, [b"x"], [self.ours.fileno(), self.pidfd])
            os._exit(0)

    def receive(self):
        try:
            data = self.ours.recv(65536)
        except ConnectionResetError:
            return
        if not data:
            self.note({"type": "end"})
            self.ours.close()
            self.ours = None
            return
        event = wire.decode(data)
        self.note(event)
        at = self.plan.get("at", {})
        if event["type"] in ("hidden", "visible"):
            action = at.get("prompt")
            if action == "inspect":
                self.act(action)
            if self.answers:
                self.send(self.answers.pop(0))
            if action != "inspect" and not self.answers:
                self.act(action)
        elif event["type"] == "info":
            self.act(at.get(event["text"]))

    def send(self, data):
        try:
            self.ours.send(data)
        except OSError as error:
            self.note({"type": "unsent", "why": errno.errorcode[error.errno]})

    def run(self):
        for data in [self.plan["first"]] + self.plan.get("early", []):
            self.send(bytes.fromhex(data))
        while True:
            watched = [self.pidfd] + ([self.ours] if self.ours else [])
            left = self.start + self.plan.get("patience", DEADLINE) - time.monotonic()
            ready, _, _ = select.select(watched, [], [], max(left, 0))
            if not ready:
                os.kill(self.pid, signal.SIGKILL)
                self.note({"type": "deadline"})
            elif self.ours in ready and self.ours is not None:
                self.receive()
                continue
            self.note({"type": "gone"})
            break
        if self.plan.get("foreignChannel"):
            os.close(self.release)
            _, status = os.waitpid(-1, 0)
        else:
            _, status = os.waitpid(self.pid, 0)
        return {"events": self.events, "exit": os.waitstatus_to_exitcode(status)}


def main():
    plan = json.loads(sys.argv[1])
    if not plan.get("orphan"):
        print(json.dumps(Play(plan).run()))
        return
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        Play(dict(plan, watcher=theirs.fileno())).run()
        os._exit(1)
    theirs.close()
    data, descriptors, _, _ = socket.recv_fds(ours, 1, 2)
    start = time.monotonic()
    os.waitpid(child, 0)
    ended = False
    if data:
        ended = bool(select.select([descriptors[1]], [], [], DEADLINE)[0])
    print(json.dumps({"left": bool(data), "ended": ended, "ms": round((time.monotonic() - start) * 1000)}))


main()
