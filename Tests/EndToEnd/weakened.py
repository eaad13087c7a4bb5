#!/usr/bin/python3
"""weakened.py [word …]: weakens a copy of the program in every way at once, and shows that the tests notice each.

The copy is built once; a weakening sleeps in it until $APP_GATES_WEAKENED names it. Each attack (attacks.py) is run
with the weakenings that it names, on every display, and so is each row of NOTICED_BY; all of them must fail then.
A word chooses the tests and weakenings that have it in their name. The build stays in $WEAKENED_BUILD, or in a new
folder below /tmp; the checkout is not touched. Ends with 0 where everything was noticed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import weakenings

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
VARIABLE = "APP_GATES_WEAKENED"

# What all of them need, in the copy only: the look at the variable, and what several weakenings share.
EVERYWHERE = [
    ("GateCore/BiometricController.swift", "    listening = preferences.changed.listen",
     "    Weakened.lock = self\n    listening = preferences.changed.listen"),
    ("app-gates-auth/confine.c", "{\"LANG\", \"LANGUAGE\",", "{\"APP_GATES_WEAKENED\", \"LANG\", \"LANGUAGE\","),
    ("GateServices/HelperProgram.swift", "let languages = [\"LANG\",", "let languages = [\"APP_GATES_WEAKENED\", \"LANG\","),
    ("GLibShim/glib_extras.c", "int64_t gs_boot_milliseconds", "_Bool gs_weakened(const char *);\n"
     "int64_t gs_boot_milliseconds"),
    ("app-gates-auth/verify.c", "#include <pwd.h>", "#include <stdbool.h>\nbool gs_weakened(const char *);\n"
     "#include <pwd.h>"),
]
C_LOOK = """#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

bool gs_weakened(const char *name);

bool gs_weakened(const char *name) {
  size_t count = strlen(name);
  const char *there = getenv("APP_GATES_WEAKENED");
  while (there != NULL && *there != 0) {
    const char *end = strchr(there, ';');
    size_t length = end != NULL ? (size_t)(end - there) : strlen(there);
    if (length == count && memcmp(there, name, count) == 0) return true;
    there = end != NULL ? end + 1 : NULL;
  }
  return false;
}
"""
SWIFT_LOOK = """@_silgen_name("gs_weakened") private func look(_ name: UnsafePointer<CChar>) -> Bool
func weakened(_ name: String) -> Bool { name.withCString { look($0) } }
"""
MORE = {
    "GateCore": """
@MainActor
public enum Weakened {
  public static weak var lock: BiometricController?
  public static var kept: AnyObject?
  public static var tell: ((String) -> Any?)?
  public static func open() {
    if let lock, let attempt = lock.beginAttempt() { _ = lock.unlock(attempt) }
  }
  public static func act(_ lock: BiometricController?) {
    if weakened("the lock action is a switch"), lock?.isLocked == true { open() } else { lock?.lock() }
  }
}
""",
}
SWIFT_ROOMS = ("GateCore", "GLibKit", "GtkKit", "Gates", "GateServices", "AppGates")


def copy(source):
    """Brings the patched copy up to date; what stays the same keeps its time, so that it is not built again."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = pathlib.Path(folder)
        copy_rooms(fresh)
        weaken(fresh)
        for file in source.rglob("*"):
            if file.is_file() and not (fresh / file.relative_to(source)).is_file():
                file.unlink()
        for file in fresh.rglob("*"):
            target = source / file.relative_to(fresh)
            if file.is_file() and not (target.is_file() and target.read_bytes() == file.read_bytes()):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, target)


def copy_rooms(target):
    """Copies what the program is built from."""
    for part in ("Package.swift", "Sources", "Tests", "data"):
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, target / part)
        else:
            shutil.copy2(ROOT / part, target / part)


def weaken(source):
    """Patches the sources in a folder."""
    for patch in EVERYWHERE:
        replace(source, *patch)
    for name, patches in weakenings.PATCHES.items():
        for file, old, new in patches:
            look = f'{"gs_weakened" if file.endswith(".c") else "weakened"}("{name}")'
            replace(source, file, old, re.sub(r"\bWEAK\b", lambda _, look=look: look, new))
    (source / "Sources/AuthWire/weakened.c").write_text(C_LOOK)
    for room in SWIFT_ROOMS:
        text = SWIFT_LOOK + MORE.get(room, "")
        (source / "Sources" / room / "Weakened.swift").write_text(text)


def replace(source, file, old, new):
    path = source / "Sources" / file
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{file} has changed: “{old.strip()}” is in it {text.count(old)} times. Bring weakenings.py up to "
                 "date.")
    path.write_text(text.replace(old, new))


def build(source, scratch):
    for product in ("app-gates", "app-gates-auth", "app-gates-web"):
        argv = ["swift", "build", "--package-path", source, "--scratch-path", scratch, "--product", product]
        done = subprocess.run(list(map(str, argv)), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("The weakened program does not build:\n" + done.stdout[-5000:])


def rows():
    """Each test with its weakenings: those of old, and every attack."""
    found = [(case, (name,)) for name, case in weakenings.NOTICED_BY.items()]
    sys.path[:0] = [str(HERE), str(ROOT / "Tests")]

    def walk(suite):
        for test in suite:
            if isinstance(test, unittest.TestSuite):
                walk(test)
            elif hasattr(test, "_testMethodName"):
                names = getattr(getattr(test, test._testMethodName), "weakenings", None)
                if names:
                    found.append((test.id(), names))

    loader = unittest.TestLoader()
    walk(loader.discover(str(HERE), "test_attacks_*.py"))
    if loader.errors:
        sys.exit(loader.errors[0])
    return found


def test(binaries, case, names):
    """Runs a test against these binaries; its outcome ("passed", "failed" or "broke") and the first reason.

    Only what the test asserts shows anything: where it broke, the rig or the machine may be at fault.
    """
    env = dict(os.environ, APP_GATES_BIN=str(binaries), PYTHONPATH=f"{HERE}:{ROOT / 'Tests'}")
    env.update({VARIABLE: ";".join(names), "PYTHONDONTWRITEBYTECODE": "1"})
    done = subprocess.run(["/usr/bin/python3", "-m", "unittest", case], cwd=HERE, capture_output=True, text=True,
                          errors="replace", env=env)
    if re.search(r"^OK \(skipped", done.stderr, re.MULTILINE):
        sys.exit(f"{case} was skipped here, so it shows nothing.")
    reasons = re.findall(r"^\S*(?:Error|TimedOut|Gone|Exception)\b.*", done.stderr, re.MULTILINE)
    outcome = "passed" if done.returncode == 0 else "failed" if re.search(r"^FAIL: ", done.stderr, re.M) else "broke"
    return outcome, (reasons[0] if reasons else done.stderr[-300:])[:200]


def main(words):
    began = time.monotonic()
    chosen = [row for row in rows() if not words or any(word in f"{row[0]} {row[1]}" for word in words)]
    if not chosen:
        sys.exit("Nothing has that in its name: choose from " + "; ".join(weakenings.PATCHES))
    unknown = {name for _, names in chosen for name in names} - set(weakenings.PATCHES)
    if unknown:
        sys.exit(f"There is no weakening “{unknown.pop()}”: choose from " + "; ".join(weakenings.PATCHES))
    folder = pathlib.Path(os.environ.get("WEAKENED_BUILD") or tempfile.mkdtemp(prefix="app-gates-weakened-"))
    copy(folder / "source")
    build(folder / "source", folder / "build")
    print(f"built in {(time.monotonic() - began) / 60:.1f} minutes", flush=True)
    unnoticed = 0
    for case, names in chosen:
        outcome, why = test(folder / "build/debug", case, names)
        if outcome == "broke":
            outcome, why = test(folder / "build/debug", case, names)
        unnoticed += outcome != "failed"
        word = {"passed": "NOT NOTICED", "failed": "noticed", "broke": "BROKE"}[outcome]
        print(f"{word}: {'; '.join(names)}: {case}" + ("" if outcome == "passed" else f": {why}"), flush=True)
    idle = set(weakenings.PATCHES) - {name for _, names in rows() for name in names}
    for name in sorted(idle):
        print(f"NO TEST: {name}")
    minutes = (time.monotonic() - began) / 60
    print(f"{len(chosen) - unnoticed} noticed, {unnoticed} not noticed, in {minutes:.1f} minutes")
    sys.exit(1 if unnoticed or idle else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
