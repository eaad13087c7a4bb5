#!/usr/bin/python3
"""What the program costs, and how soon and how surely it does what it promises: each figure beside its goal.

It asserts none: a busy machine is no fault of the program. All figures take under ten minutes; the arguments choose
some of them. What shortens a figure stands at its file's top, as an environment variable.
"""

import importlib
import os
import pathlib
import sys
import tempfile

FIGURES = ["start", "todos", "crash", "helper", "frames", "turns", "cycles", "idle", "package"]


def main(wanted):
    unknown = set(wanted) - set(FIGURES)
    if unknown:
        sys.exit(f"There is no figure {unknown.pop()}: choose from {', '.join(FIGURES)}.")
    given = pathlib.Path(os.environ.get("APP_GATES_BIN", ""))
    if not (given / "app-gates").exists():
        sys.exit("There is no release build: run make bench, which makes one.")
    with tempfile.TemporaryDirectory(prefix="app-gates-bench-") as folder:
        os.chmod(folder, 0o755)  # the tests' user runs what is compiled here
        for name in wanted or FIGURES:
            importlib.import_module(name).measure(pathlib.Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
