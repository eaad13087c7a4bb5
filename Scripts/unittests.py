#!/usr/bin/python3
"""unittests.py FOLDER [part …]: runs the unittest modules of a folder and ends with "N passed, N failed, N skipped".

A part is test_module, test_module.Class or test_module.Class.test_method.

Each class runs in a process of its own, $APP_GATES_JOBS of them at a time: otherwise as many as there are cores, and
two at least, since these tests mostly wait. Those with the most tests begin first; a class that takes as long as
several tests says so (`worth = 30`). What a class printed comes in one piece, when it has ended.

A display, a window manager and four programs share what may be a busy machine: a few tests that fail are run once
more, alone, and named. One that fails twice has failed; so has each where many do. A test of the lock is tried again
only where it waited in vain: one that saw something wrong has failed at once.
"""

import collections
import os
import re
import select
import signal
import sys
import time
import unittest

from unittests_worker import Worker, adopt_orphans, end_orphans

# More than this is no accident.
SECOND_TRIES = 6
# A lock that holds at the second try does not hold: what one of these saw to be wrong is final.
ONE_TRY = re.compile(r"test_(lock|attacks|finger|reader|session_lock|session_sleep)|test_(away|secrecy)\b")
FAILED = ("late", "failed")
# What those that were interrupted may take to clear up.
PATIENCE = 15


def jobs():
    """How many classes run at a time."""
    return max(1, int(os.environ.get("APP_GATES_JOBS") or max(2, len(os.sched_getaffinity(0)))))


def tests_of(suite):
    """The tests of a suite, one by one."""
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from tests_of(item)
        else:
            yield item


def groups(suite):
    """[(name of the class, its tests)], the longest first."""
    classes = {}
    for test in tests_of(suite):
        # A test that is loaded twice, by a part within another, runs once.
        classes.setdefault(type(test), {})[test.id()] = test
    weighed = sorted(classes.items(), key=lambda item: -getattr(item[0], "worth", len(item[1])))
    return [(f"{kind.__module__}.{kind.__qualname__}", list(tests.values())) for kind, tests in weighed]


def run(waiting, count, seen):
    """Runs the groups, `count` at a time; `seen` is called with each worker that has ended."""
    waiting, running = collections.deque(waiting), {}
    try:
        while waiting or running:
            while waiting and len(running) < count:
                worker = Worker(*waiting.popleft())
                running[worker.pidfd] = worker
            for pidfd in select.select(running, [], [])[0]:
                worker = running.pop(pidfd)
                worker.reap()
                end_orphans({other.pid for other in running.values()})
                seen(worker)
    except KeyboardInterrupt:
        stop(running)
        raise


def stop(running):
    """Interrupts the workers, and kills those that do not clear up in time; by their process ids."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for worker in running.values():
        worker.signal(signal.SIGINT)
    end = time.monotonic() + PATIENCE
    while running:
        ended = select.select(running, [], [], max(0, end - time.monotonic()))[0]
        if not ended:
            for worker in running.values():
                worker.signal(signal.SIGKILL)
            end = time.monotonic() + PATIENCE
        for pidfd in ended:
            worker = running.pop(pidfd)
            worker.reap()
            print(worker.output, end="", flush=True)
    end_orphans()


class Report:
    """What came of the tests: {name: outcome} and [(name, reason)] of the skipped."""

    def __init__(self):
        self.outcomes = {}
        self.skipped = []

    def add(self, worker):
        print(worker.output, end="", flush=True)
        self.outcomes.update(worker.outcomes)
        self.skipped += worker.skipped


def second_tries(waiting, report):
    """Runs the few that failed once more, and names those that pass then."""
    failed = {name: outcome for name, outcome in report.outcomes.items() if outcome in FAILED}
    # What failed as a class or a module has no test of its name.
    if not 0 < len(failed) <= SECOND_TRIES or any(name.endswith(")") for name in failed):
        return
    chosen = [(kind, [test for test in tests if failed.get(test.id()) == "late"
                      or test.id() in failed and not ONE_TRY.match(kind)]) for kind, tests in waiting]
    again = Report()
    run([(kind, tests) for kind, tests in chosen if tests], 1, again.add)
    for name in failed:
        if again.outcomes.get(name) == "passed":
            report.outcomes[name] = "passed"
            print(f"second try: {name} failed once, see above, and then passed")


def main(folder, parts):
    sys.path.insert(0, folder)
    loader = unittest.defaultTestLoader
    waiting = groups(loader.loadTestsFromNames(parts) if parts else loader.discover(folder))
    # A shell's background job has SIGINT ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    adopt_orphans()
    report = Report()
    try:
        run(waiting, jobs(), report.add)
        second_tries(waiting, report)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        return 130
    for name, reason in report.skipped:
        print(f"skipped: {name}: {reason}")
    counts = collections.Counter(report.outcomes.values())
    failed = sum(counts[outcome] for outcome in FAILED)
    print(f"{counts['passed']} passed, {failed} failed, {counts['skipped']} skipped", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
