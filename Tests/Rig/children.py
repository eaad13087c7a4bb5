"""Processes that a test starts. Each is known by its id and ended by it, also where a test fails."""

import atexit
import ctypes
import os
import pathlib
import select
import signal
import subprocess

PR_SET_CHILD_SUBREAPER = 36

_living = []


def adopt_orphans():
    """Lets what our children leave behind become ours, so that it can be found and ended."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Child:
    """One process; its output goes to a file, so that no full pipe can hold it up."""

    def __init__(self, argv, log, env=None, **options):
        self.log = pathlib.Path(log)
        with open(self.log, "ab") as out:
            options.setdefault("stdin", subprocess.DEVNULL)
            options.setdefault("stdout", out)
            options.setdefault("stderr", out)
            self.process = subprocess.Popen(argv, env=env, **options)
        self.pid = self.process.pid
        _living.append(self)

    @property
    def is_running(self):
        return self.process.poll() is None

    def wait(self, seconds=10.0):
        """The exit status; negative for a signal. Raises subprocess.TimeoutExpired."""
        descriptor = os.pidfd_open(self.pid) if self.is_running else None
        if descriptor is not None:
            try:
                select.select([descriptor], [], [], seconds)
            finally:
                os.close(descriptor)
        return self.process.wait(0.5)

    def signal(self, number):
        self.process.send_signal(number)

    def end(self, seconds=5.0):
        """Asks it to end, and makes it end where it does not; returns the exit status."""
        if self in _living:
            _living.remove(self)
        if self.is_running:
            self.signal(signal.SIGTERM)
            self.signal(signal.SIGCONT)
            try:
                self.wait(seconds)
            except subprocess.TimeoutExpired:
                self.signal(signal.SIGKILL)
                self.wait(seconds)
        return self.process.returncode

    def output(self):
        """What it has printed so far."""
        return self.log.read_text(errors="replace")


def _end_all():
    for child in reversed(list(_living)):
        child.end(1.0)


atexit.register(_end_all)


def strays(folder, uid=None):
    """Processes that belong to a world: of its own user, or descended from us with the folder in their surroundings."""
    found = []
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            status = (entry / "stat").read_text()
            parents[int(entry.name)] = int(status.rpartition(")")[2].split()[1])
            if uid is not None and entry.stat().st_uid == uid:
                found.append(int(entry.name))
        except OSError:
            continue
    if uid is not None:
        return found
    for pid in parents:
        ancestor = parents[pid]
        while ancestor > 1 and ancestor != os.getpid():
            ancestor = parents.get(ancestor, 0)
        if ancestor != os.getpid():
            continue
        try:
            if os.fsencode(folder) in pathlib.Path(f"/proc/{pid}/environ").read_bytes():
                found.append(pid)
        except OSError:
            continue
    return found


def end_strays(folder, uid=None):
    """Ends them by their ids."""
    for pid in strays(folder, uid):
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            continue
