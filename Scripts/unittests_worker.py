"""One class of tests in a process of its own: what it prints and what comes of each test is kept in files, so that
nothing is lost where the process dies."""

import atexit
import contextlib
import ctypes
import json
import os
import pathlib
import signal
import sys
import tempfile
import time
import traceback
import unittest

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
# "late": it waited for something in vain, and nothing was seen to be wrong.
RANKS = ("passed", "skipped", "late", "failed")


def prctl(option, value):
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def adopt_orphans():
    """Lets what a worker leaves behind become ours."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_orphans(workers=()):
    """Ends what a worker has left behind, by process id: all our children but these workers, and their own orphans."""
    while True:
        children = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        orphans = {int(pid) for pid in children} - set(workers)
        if not orphans:
            return
        for pid in orphans:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


class Result(unittest.TestResult):
    """Prints how long each test took and why it failed, and writes down what came of it, line by line."""

    def __init__(self, notes):
        super().__init__()
        self.notes = notes
        self.began = {}

    def note(self, test, outcome, reason=None):
        self.notes.write(json.dumps([test.id(), outcome, reason]) + "\n")
        self.notes.flush()

    def fail(self, test, told, err):
        self.note(test, "late" if getattr(err[0], "is_late", False) else "failed")
        print(f"FAILED: {told[-1][0].id()}\n{told[-1][1]}")

    def startTest(self, test):
        super().startTest(test)
        self.began[test.id()] = time.monotonic()
        self.note(test, "begun")

    def stopTest(self, test):
        super().stopTest(test)
        took = time.monotonic() - self.began[test.id()]
        print(f"  {took:6.2f} s  {test.id()}")

    def addSuccess(self, test):
        self.note(test, "passed")

    def addError(self, test, err):
        super().addError(test, err)
        self.fail(test, self.errors, err)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.fail(test, self.failures, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self.fail(test, self.failures if issubclass(err[0], test.failureException) else self.errors, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.note(test, "skipped", reason)

    def addExpectedFailure(self, test, err):
        self.note(test, "passed")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.note(test, "failed")
        print(f"FAILED: {test.id()} was expected to fail, and passed")


class Worker:
    """Runs the tests of one class. `pidfd` can be read once it has ended; after `reap` there are `output`, `outcomes`
    {name: one of RANKS} and `skipped` [(name, reason)]."""

    def __init__(self, name, tests):
        self.name = name
        self.printed, self.notes = tempfile.TemporaryFile(), tempfile.TemporaryFile("w+")
        sys.stdout.flush()
        runner = os.getpid()
        # The modules are loaded already, and nothing has a thread yet.
        self.pid = os.fork()
        if self.pid == 0:
            self.work(tests, runner)
        self.pidfd = os.pidfd_open(self.pid)

    def work(self, tests, runner):
        """In the process itself; never returns. Interrupted, also by the runner's death, it clears up like one that
        has come to its end."""
        status = 1
        try:
            # A terminal's Ctrl+C is for the runner, which hands it on: twice would break off the clearing up.
            os.setpgid(0, 0)
            prctl(PR_SET_PDEATHSIG, signal.SIGINT)
            if os.getppid() == runner:
                self.take_over_output()
                adopt_orphans()
                unittest.TestSuite(tests).run(Result(self.notes))
                status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            atexit._run_exitfuncs()
            sys.stdout.flush()
            os._exit(status)

    def take_over_output(self):
        with open(os.devnull) as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(self.printed.fileno(), 1)
        os.dup2(self.printed.fileno(), 2)
        sys.stdout.reconfigure(line_buffering=True)

    def signal(self, number):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def reap(self):
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.pidfd)
        self.printed.seek(0)
        self.notes.seek(0)
        self.output = self.printed.read().decode(errors="replace")
        self.outcomes, self.skipped, begun = {}, [], "setUpClass"
        for name, outcome, reason in map(json.loads, self.notes):
            if outcome == "begun":
                begun = name
                continue
            # A test may tell more than once (subtests, clean-up): the worst counts.
            self.outcomes[name] = max(self.outcomes.get(name, "passed"), outcome, key=RANKS.index)
            if outcome == "skipped":
                self.skipped.append((name, reason))
        if status != 0:
            how = f"signal {-status}" if status < 0 else f"status {status}"
            self.outcomes[f"process ({self.name})"] = "failed"
            self.output += f"FAILED: {self.name}: its process ended with {how}, last in {begun}\n"
        self.printed.close()
        self.notes.close()
