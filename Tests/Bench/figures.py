"""What all figures share: C compiled for them, the 95 % interval, and how a line is printed beside its goal."""

import pathlib
import random
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# The end-to-end tests know a user who has been here before.
sys.path.append(str(ROOT / "Tests/EndToEnd"))
from steps import CONSENT, LOCKED, come_back  # noqa: E402, F401

SEEN_ALL = {"onboardingCompleted": True, "acceptedConsentVersion": CONSENT}


def compile_c(name, folder, *modules, sources=(), flags=()):
    """Compiles name.c of this folder with further sources; modules are pkg-config's, -l flags go into `flags`."""
    found = subprocess.run(["pkg-config", "--cflags", "--libs", *modules], check=True, capture_output=True,
                           text=True).stdout.split() if modules else []
    program = pathlib.Path(folder) / name
    command = ["cc", "-O2", "-Wall", "-Wextra", "-o", program, HERE / f"{name}.c", *sources, *found, *flags]
    subprocess.run([str(word) for word in command], check=True)
    return program


def compile_module(folder):
    """The tests' PAM module; "prompt" asks one question, whose right answer is "one", and looks nothing up."""
    module = pathlib.Path(folder) / "pam_gates_test.so"
    source = ROOT / "Tests/Auth/modules/pam_gates_test.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", str(module), str(source)], check=True)
    return module


def interval(pairs):
    """The 95 % interval of the median ratio, by drawing pairs anew with replacement."""
    draw = random.Random(1)
    medians = sorted(statistics.median(a / b for a, b in draw.choices(pairs, k=len(pairs))) for _ in range(2000))
    return medians[50], medians[1949]


def ratio(name, pairs, goal, unit, other="a bare window", digits=0):
    """Prints the median ratio of pairs beside its goal."""
    found = statistics.median(a / b for a, b in pairs)
    low, high = interval(pairs)
    ours, bare = (statistics.median(column) for column in zip(*pairs))
    say(f"{name}: {found:.3f} times {other}, 95 % interval {low:.3f} to {high:.3f}, goal at most {goal:.2f}"
        f"  (median {ours:.{digits}f} and {bare:.{digits}f} {unit}, {len(pairs)} pairs)")


def say(line):
    print(line, flush=True)
