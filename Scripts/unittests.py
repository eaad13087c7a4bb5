#!/usr/bin/python3
"""unittests.py FOLDER [part …]: runs the unittest modules of a folder and ends with "N passed, N failed, N skipped".

A part is test_module, test_module.Class or test_module.Class.test_method.

A display, a window manager and four programs share what may be a busy machine: a few tests that fail are run once
more, and named. One that fails twice has failed; so has each where many do.
"""

import collections
import sys
import time
import unittest


class Result(unittest.TextTestResult):
    """Counts tests, and says how long each took."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.outcomes = collections.OrderedDict()
        self.began = {}

    def startTest(self, test):
        self.began[test.id()] = time.monotonic()
        super().startTest(test)

    def note(self, test, outcome):
        # A test may tell more than once (subtests, clean-up): the worst counts.
        ranks = ("passed", "skipped", "failed")
        name = test.id()
        self.outcomes[name] = max(self.outcomes.get(name, "passed"), outcome, key=ranks.index)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.note(test, "passed")

    def addError(self, test, err):
        super().addError(test, err)
        self.note(test, "failed")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.note(test, "failed")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        self.note(test, "failed" if err else "passed")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.note(test, "skipped")

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.note(test, "passed")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.note(test, "failed")

    def stopTest(self, test):
        super().stopTest(test)
        took = time.monotonic() - self.began[test.id()]
        print(f"  {took:6.2f} s  {test.id()}", flush=True)


# More than this is no accident.
SECOND_TRIES = 6


def second_tries(runner, outcomes):
    """Runs the few that failed once more, and names those that pass then."""
    failed = [name for name, outcome in outcomes.items() if outcome == "failed"]
    # What failed as a class or a module has no test of its name.
    if not 0 < len(failed) <= SECOND_TRIES or any(name.endswith(")") for name in failed):
        return
    again = runner.run(unittest.defaultTestLoader.loadTestsFromNames(failed))
    for name in failed:
        if again.outcomes.get(name) == "passed":
            outcomes[name] = "passed"
            print(f"second try: {name} failed once, see above, and then passed")


def main(folder, parts):
    sys.path.insert(0, folder)
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(parts) if parts else loader.discover(folder)
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=0, resultclass=Result)
    result = runner.run(suite)
    second_tries(runner, result.outcomes)
    for test, reason in result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    counts = collections.Counter(result.outcomes.values())
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped", flush=True)
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
