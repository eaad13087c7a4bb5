#!/usr/bin/python3
"""What a machine can tell about the sources without building them: imports, lengths, scripts, desktop files.

Each finding is one line, file:line: sentence. Warnings do not fail.
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = "Tests/Check/imports.txt"
LONG = 300
ATTRIBUTES = r"(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
KINDS = "typealias|struct|class|enum|protocol|let|var|func"
IMPORT = re.compile(rf"^\s*{ATTRIBUTES}import\s+(?:(?:{KINDS})\s+)?([A-Za-z_]\w*)")
INCLUDE = re.compile(r'^\s*#\s*(?:include|import|include_next)\s*([<"])([^>"]+)[>"]')
# Headers of libraries, by how they begin; what is not listed is the C library's.
HEADERS = {
    "gtk/": "CGtk", "gdk/": "CGtk", "gsk/": "CGtk", "adwaita": "CGtk", "adw-": "CGtk", "pango/": "CGtk",
    "glib": "CGLib", "gio/": "CGLib", "gobject/": "CGLib", "gmodule": "CGLib", "libsecret/": "CSecret",
    "sqlite3": "CSQLite", "json-glib/": "CJson", "libsoup/": "CSoup", "security/": "libpam", "dispatch/": "Dispatch",
    "Block.h": "Dispatch", "systemd/": "libsystemd", "polkit": "polkit",
}
# A system module is the header of its library and nothing else.
SYSTEM_MODULE = re.compile(r"^C[A-Z]\w*$")

findings = []
warnings = []


def finding(path, line, sentence):
    findings.append(f"{path.relative_to(ROOT)}:{line}: {sentence}")


def files(*patterns):
    """Files of the checkout that match, without what was built."""
    for folder in ("Sources", "Tests", "Scripts", ".ci", "data"):
        for pattern in patterns:
            for path in sorted((ROOT / folder).rglob(pattern)):
                if path.is_file() and "__pycache__" not in path.parts and ".build" not in path.parts:
                    yield path


def table():
    """({room: modules}, {room/File.swift: modules})."""
    rooms, exceptions = {}, {}
    for number, line in enumerate((ROOT / TABLE).read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, colon, modules = line.partition(":")
        if not colon:
            finding(ROOT / TABLE, number, "a line is “room: module …”")
            continue
        (exceptions if "/" in name else rooms)[name.strip()] = set(modules.split())
    return rooms, exceptions


def without_comments(text):
    """The same lines, with comments and the insides of multi-line strings blanked."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    return re.sub(r'"""[\s\S]*?"""|/\*[\s\S]*?\*/|//[^\n]*', blank, text)


def room_of(path):
    parts = path.relative_to(ROOT).parts
    return parts[1]


def check_swift(path, rooms, exceptions, dispatchers):
    room = room_of(path)
    if room not in rooms:
        finding(path, 1, f"the room {room} is not in {TABLE}: add it there, with what it may import")
        return
    allowed = rooms[room] | exceptions.get(f"{room}/{path.name}", set()) | {"Swift"}
    for number, line in enumerate(without_comments(path.read_text()).splitlines(), 1):
        for statement in line.split(";"):
            match = IMPORT.match(statement)
            if not match:
                continue
            module = match.group(1)
            if module == "Dispatch":
                dispatchers.append(path)
            if module in ("Foundation", "FoundationEssentials") and module not in allowed:
                finding(path, number, f"{room} may not import {module}: GLib is this app's foundation (GLibKit)")
            elif module not in allowed:
                may = ", ".join(sorted(rooms[room])) or "nothing"
                finding(path, number, f"{room} may not import {module}; it may import {may} ({TABLE})")


def header_room(name, room, rooms):
    """The room of ours that a header lies in, looked up as the compiler would; None where it is none of ours."""
    for other in [room, *rooms]:
        folder = ROOT / "Sources" / other
        if (folder / "include" / name).exists() or (folder / name).exists():
            return other
    return None


def check_c(path, rooms):
    room = room_of(path)
    if SYSTEM_MODULE.match(room):
        if path.suffix != ".h":
            finding(path, 1, f"{room} is a system module and holds headers only: C of ours goes into GLibShim")
        return
    if room not in rooms:
        finding(path, 1, f"the room {room} is not in {TABLE}: add it there, with what it may include")
        return
    for number, line in enumerate(without_comments(path.read_text()).splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, name = match.groups()
        ours = header_room(name, room, rooms)
        module = ours or next((m for start, m in HEADERS.items() if name.startswith(start)), None)
        if quote == '"' and ours is None:
            finding(path, number, f"there is no header {name} in {room} or the rooms that it may use")
        elif module not in (None, room) and module not in rooms[room]:
            may = ", ".join(sorted(rooms[room])) or "no other"
            finding(path, number, f"{room} may not include {name} of {module}; it may use {may} ({TABLE})")


def check_imports():
    rooms, exceptions = table()
    dispatchers = []
    for path in files("*.swift"):
        check_swift(path, rooms, exceptions, dispatchers)
    for path in files("*.c", "*.h"):
        if path.is_relative_to(ROOT / "Sources"):
            check_c(path, rooms)
    if len(set(dispatchers)) > 1:
        finding(dispatchers[-1], 1, "Dispatch is imported in exactly one file, GLibKit/MainLoop.swift")
    for name in exceptions:
        if not (ROOT / "Sources" / name).exists():
            finding(ROOT / TABLE, 1, f"{name} does not exist: remove its line")


def check_lengths():
    for path in files("*.swift", "*.c", "*.h", "*.py", "*.sh"):
        count = len(path.read_text().splitlines())
        if count > LONG:
            name = path.relative_to(ROOT)
            warnings.append(f"{name}:{LONG}: warning: {count} lines: a file has rarely more than {LONG}")


def check_scripts():
    for path in files("*.py"):
        try:
            compile(path.read_text(), str(path), "exec")
        except SyntaxError as error:
            finding(path, error.lineno or 1, f"python cannot read this: {error.msg}")
    shells = [path for path in files("*") if path.suffix == ".sh" or has_shell_line(path)]
    for path in shells:
        shell = "bash" if first_line(path).endswith("bash") else "sh"
        done = subprocess.run([shell, "-n", path], capture_output=True, text=True)
        for line in done.stderr.splitlines():
            number = re.search(r"(?:line )?(\d+):", line.removeprefix(str(path)))
            finding(path, number.group(1) if number else 1, f"{shell} cannot read this: {line.rpartition(': ')[2]}")
    for path in files("*"):
        if path.suffix in (".sh", ".py") or has_shell_line(path):
            if first_line(path).startswith("#!") and not os.access(path, os.X_OK) and path.parent.name != "Check":
                finding(path, 1, "it starts with #! and cannot be executed: chmod +x it, or drop the line")


def first_line(path):
    with open(path, "rb") as file:
        return file.readline(200).decode(errors="replace").rstrip()


def has_shell_line(path):
    return bool(re.match(r"#!.*/(?:env )?(?:ba|da)?sh\b", first_line(path)))


def check_desktop_files():
    """Where the validators are installed (packages-test.txt)."""
    commands = {"*.desktop": ["desktop-file-validate"], "*.metainfo.xml": ["appstreamcli", "validate", "--no-net"]}
    for pattern, command in commands.items():
        if shutil.which(command[0]) is None:
            warnings.append(f"{command[0]} is not installed: {pattern} not looked at (make deps-test)")
            continue
        for path in files(pattern):
            done = subprocess.run([*command, path], capture_output=True, text=True)
            if done.returncode != 0:
                said = " / ".join((done.stdout + done.stderr).split("\n")).strip(" /")
                finding(path, 1, f"{command[0]}: {said}")


def main():
    for check in (check_imports, check_lengths, check_scripts, check_desktop_files):
        check()
    for line in warnings + findings:
        print(line)
    counts = collections.Counter(line.split(":")[0] for line in findings)
    print(f"{len(findings)} findings in {len(counts)} files, {len(warnings)} warnings" if findings
          else f"Nothing found; {len(warnings)} warnings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
