#!/usr/bin/python3
"""test.py [suite[:part] …]: builds for debugging, runs the suites in turn, and ends with one closing line.

Each suite tells what it counted; a suite that ran nothing has failed.
  swift       the rules and the services, `swift test`; a part is a regular expression for --filter
  gtk         faces and mounts, the program gtk-tests on a private display; a part is handed on to it
  auth        the helper with real PAM, Tests/Auth; a part is test_module[.Class[.test_method]]
  web         the program that sends requests, with servers of every kind, Tests/Web; parts as above
  end-to-end  the real binaries on private displays and buses, Tests/EndToEnd; parts as above
  packaging   what is installed, and the texts and files around it, Tests/Packaging; parts as above
The binaries of the last four are those in $APP_GATES_BIN; in CI of .build/release, otherwise of .build/debug.
"""

import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEBUG = ROOT / ".build/debug"
PYTHON = "/usr/bin/python3"
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")
# A suite that hangs ends here; the slowest takes a fraction of it.
LIMIT = 2700


@dataclasses.dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: list = dataclasses.field(default_factory=list)
    note: str = ""

    @property
    def line(self):
        return f"{self.passed} passed, {self.failed} failed, {len(self.skipped)} skipped"


def say(text=""):
    print(text, flush=True)


def stream(argv, env=None, hide=None, folder=ROOT):
    """Runs a command, showing its output as it comes; returns (exit status, lines)."""
    lines = []
    process = subprocess.Popen(list(map(str, argv)), cwd=folder, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               start_new_session=True)

    def too_long():
        say(f"still running after {LIMIT} s: ended")
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(LIMIT, too_long)
    timer.start()
    try:
        for line in process.stdout:
            line = line.rstrip("\n")
            lines.append(line)
            if hide is None or not hide.search(line):
                # A case may be named after a megabyte of input.
                say(line if len(line) <= 400 else f"{line[:400]} …")
        return process.wait(), lines
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        timer.cancel()


def build():
    say("== build")
    began = time.monotonic()
    # pkg-config's flags for threads come in other ways; SwiftPM warns of each, for each library.
    hide = re.compile(r"prohibited flag\(s\)|^\[\d+/\d+\] ")
    status, _ = stream(["swift", "build", "--build-tests"], hide=hide)
    if status == 0:
        say(f"build: {time.monotonic() - began:.0f} s")
    return status


def swift(parts):
    """swift-testing writes each case to an XML file; a crash leaves none."""
    with tempfile.TemporaryDirectory() as folder:
        argv = ["swift", "test", "--skip-build", "--xunit-output", f"{folder}/cases.xml"]
        argv += [word for part in parts for word in ("--filter", part)]
        # What did not simply pass is shown.
        usual = r"prohibited flag|^[◇✔↳➜] |started\.$|^\[|^Build|Executed 0 tests|^Test Suite '"
        status, _ = stream(argv, hide=re.compile(usual))
        tally = Tally()
        for file in sorted(pathlib.Path(folder).glob("*.xml")):
            count_cases(file, tally)
    if status != 0 and tally.failed == 0:
        tally.failed, tally.note = 1, f"swift test ended with {status}"
    return tally


def count_cases(file, tally):
    for case in xml.etree.ElementTree.parse(file).iter("testcase"):
        skipped = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            tally.failed += 1
        elif skipped is not None:
            tally.skipped.append(f"{case.get('classname')}.{case.get('name')}: {skipped.text or 'no reason given'}")
        else:
            tally.passed += 1


def counted(status, lines):
    """The tally of a runner that ends with "N passed, N failed" and says "skipped: name: reason"."""
    found = [match for line in lines if (match := COUNTS.match(line.strip()))]
    skipped = [line.removeprefix("skipped: ") for line in lines if line.startswith("skipped: ")]
    if not found:
        return Tally(failed=1, skipped=skipped, note=f"it ended with {status} before it had counted")
    passed, failed, skips = (int(number or 0) for number in found[-1].groups())
    skipped += ["no reason given"] * (skips - len(skipped))
    if status != 0 and failed == 0:
        return Tally(passed, 1, skipped, f"it ended with {status}")
    return Tally(passed, failed, skipped)


def gtk(parts):
    """Runs in a world of its own, on the display of a user of its own."""
    from Rig import World  # needs gi's packages, which a run of the swift suite alone does not

    with World(binaries=DEBUG) as world:
        command = world.command([world.binaries / "gtk-tests", *parts])
        return counted(*stream(command, env=world.env, folder="/"))


def unittests(folder):
    def run(parts):
        chosen = ROOT / ".build/release" if os.environ.get("CI") == "true" else DEBUG
        binaries = pathlib.Path(os.environ.get("APP_GATES_BIN") or chosen)
        for name in ("app-gates", "app-gates-auth", "app-gates-web"):
            if not (binaries / name).exists():
                say(f"There is no {name} in {binaries}: build it first (make release).")
                return Tally(failed=1, note="no binaries")
        env = dict(os.environ, APP_GATES_BIN=str(binaries), APP_GATES_AUTH=str(binaries / "app-gates-auth"))
        return counted(*stream([PYTHON, "Scripts/unittests.py", folder, *parts], env=env))
    return run


SUITES = {"swift": swift, "gtk": gtk, "auth": unittests("Tests/Auth"), "web": unittests("Tests/Web"),
          "end-to-end": unittests("Tests/EndToEnd"),
          "packaging": unittests("Tests/Packaging")}


def chosen_suites(arguments):
    """{suite: parts} in the order of SUITES."""
    wanted = {}
    for argument in arguments:
        name, _, part = argument.partition(":")
        if name not in SUITES:
            sys.exit(f"There is no suite {name}: choose from {', '.join(SUITES)}.")
        wanted.setdefault(name, []).extend([part] if part else [])
    return {name: wanted.get(name, []) for name in SUITES if name in wanted or not wanted}


def main(arguments):
    suites = chosen_suites(arguments)
    if build() != 0:
        sys.exit("The build failed; the compiler's messages are above.")
    tallies = {}
    for name, parts in suites.items():
        say(f"\n== {name}")
        began = time.monotonic()
        tally = tallies[name] = SUITES[name](parts)
        if tally.passed + tally.failed == 0:
            tally.failed, tally.note = 1, "it ran nothing"
        note = f" ({tally.note})" if tally.note else ""
        say(f"{name}: {tally.line}, {time.monotonic() - began:.1f} s{note}")
    say()
    for name, tally in tallies.items():
        for reason in tally.skipped:
            say(f"skipped in {name}: {reason}")
    everything = Tally(sum(t.passed for t in tallies.values()), sum(t.failed for t in tallies.values()),
                       [reason for t in tallies.values() for reason in t.skipped])
    say(everything.line)
    sys.exit(1 if everything.failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
