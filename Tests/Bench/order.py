#!/usr/bin/python3
"""order.py PROGRAM: makes Scripts/start-order.txt anew, the functions that a locked start runs, in their first order.

The linker puts these side by side. Elsewhere they would lie scattered over 4 MB of the Swift runtime, and the kernel
maps what lies around each. PROGRAM is a release build with its symbols (.build/release/app-gates). It takes valgrind
and a minute. A name that another toolchain does not have is passed over: the file then helps less, and harms nothing.
"""

import pathlib
import re
import shutil
import signal
import subprocess
import sys

from Rig import World, until

from figures import ROOT, SEEN_ALL
from installed import install

TARGET = ROOT / "Scripts/start-order.txt"
LINE = re.compile(r"(ob|cob|fn|cfn)=\((\d+)\)(?: (.*))?$")


def trace(program):
    """What callgrind writes of a start that ends in the locked page."""
    with World() as world:
        world.preferences(biometricEnabled=True, **SEEN_ALL)
        traced = install(world) / "bin/app-gates"
        # valgrind stumbles over the debug symbols of this compiler, and needs the names only.
        subprocess.run(["strip", "--strip-debug", "-o", traced, program], check=True)
        out = world.home / "trace"
        child = world.start(["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={out}",
                             traced], "valgrind")
        until(lambda: world.display.windows(child.pid), child.output, 120)
        # The helper asks, and the page answers: that is part of the start.
        until(lambda: helper_of(child.pid), "the helper", 60)
        child.signal(signal.SIGTERM)
        until(lambda: out.exists() and out.stat().st_size, child.output, 60)
        child.wait()
        return out.read_text(errors="replace")


def helper_of(pid):
    done = subprocess.run(["ps", "--ppid", str(pid), "-o", "comm="], capture_output=True, text=True)
    return "app-gates-auth" in done.stdout


def functions(text):
    """The program's own functions, in the order of the trace."""
    names, objects, here, found = {}, {}, "", {}
    for kind, number, name in (match.groups() for match in map(LINE.match, text.splitlines()) if match):
        known = objects if kind.endswith("ob") else names
        if name:
            known[number] = name
        if kind == "ob":
            here = known[number]
        elif kind == "fn" and here.endswith("/app-gates"):
            # The same function, called by itself.
            found[re.sub(r"'\d+$", "", known[number])] = True
    return [name for name in found if not name.startswith(("0x", "("))]


def main(program):
    if shutil.which("valgrind") is None:
        sys.exit("There is no valgrind here: install it, then try again.")
    found = functions(trace(pathlib.Path(program)))
    TARGET.write_text("# Made by Tests/Bench/order.py, which says what for.\n" + "".join(f"{name}\n" for name in found))
    print(f"{TARGET.relative_to(ROOT)}: {len(found)} functions")


if __name__ == "__main__":
    main(*sys.argv[1:])
