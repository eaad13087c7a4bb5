"""As the user, on a session bus of their own: drives the installed app over X and the accessible tree.

The password comes on standard input. Ends with 0 where everything was as it should be.
"""

import os
import pathlib
import re
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

PATIENCE = 60
LOCKED, LIST, WRONG = "App Gates is locked", "Add a todo", "That was not right. Try again."


def say(text):
    print(text, flush=True)


def nodes(node):
    """All that can be read below a node."""
    try:
        count = node.get_child_count()
    except GLib.Error:
        return
    for number in range(count):
        try:
            child = node.get_child_at_index(number)
        except GLib.Error:
            continue
        if child is not None:
            yield child
            yield from nodes(child)


def found(name):
    """The node with this name, its description or its text."""
    for node in nodes(Atspi.get_desktop(0)):
        try:
            if name in (node.get_name(), node.get_description()):
                return node
        except GLib.Error:
            pass
    return None


def password_field():
    """The field, once it takes keys: not while the delay after a wrong password runs."""
    for node in nodes(Atspi.get_desktop(0)):
        try:
            states = node.get_state_set()
            takes_keys = states.contains(Atspi.StateType.FOCUSED) and states.contains(Atspi.StateType.EDITABLE)
            if node.get_role_name() == "password text" and takes_keys:
                return node
        except GLib.Error:
            pass
    return None


def wait(look, what):
    """Looks twice a second, and lets the accessible tree tell its news in between."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        result = look()
        if result:
            say(f"seen: {what}")
            return result
        GLib.timeout_add(500, lambda: (Atspi.event_quit(), False)[1])
        Atspi.event_main()
    names = sorted({f"{n.get_role_name()}: {n.get_name()}" for n in nodes(Atspi.get_desktop(0))})
    sys.exit(f"not seen in {PATIENCE} s: {what}; there is {names}")


def press(*words):
    subprocess.run(["xdotool", *words], check=True)


def type_password(text):
    wait(password_field, "the password's field, with the focus")
    subprocess.run(["xdotool", "type", "--file", "-"], input=text, text=True, check=True)
    press("key", "Return")


def display():
    """(Xvfb, its name)."""
    reader, writer = os.pipe()
    argv = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(argv, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as lines:
        number = lines.readline().strip()
    if not number:
        sys.exit("Xvfb did not start")
    return server, ":" + number


def been_here_before():
    """Somebody who has seen the tour, has agreed, is signed in, and has turned the lock on."""
    status = subprocess.run(["app-gates", "--status"], capture_output=True, text=True, check=True).stdout
    say(status)
    folder = pathlib.Path.home() / ".config/app-gates"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    consent = re.search(r"legal texts of (\S+) are not accepted", status).group(1)
    lines = ["[preferences]", "biometricEnabled=true", "onboardingCompleted=true", "sessionName=Test User",
             "sessionStore=file", "sessionStarted=1700000000", f"acceptedConsentVersion={consent}"]
    path = folder / "preferences.ini"
    path.write_text("\n".join(lines) + "\n")
    path.chmod(0o600)
    key = pathlib.Path.home() / ".local/share/app-gates/session.key"
    key.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key.write_text("ab" * 32 + "\n")
    key.chmod(0o600)


def main():
    password = sys.stdin.readline().rstrip("\n")
    server, os.environ["DISPLAY"] = display()
    been_here_before()
    manager = subprocess.Popen(["openbox", "--sm-disable"], stderr=subprocess.DEVNULL)
    app = subprocess.Popen(["app-gates"])
    try:
        Atspi.init()
        wait(lambda: found(LOCKED), "the locked screen")
        assert found(LIST) is None, "the list can be read over a locked app"
        type_password("not the password")
        wait(lambda: found(WRONG), "that a wrong password is refused")
        assert found(LIST) is None, "a wrong password opened the list"
        type_password(password)
        wait(lambda: found(LIST), "the list, after the right password")
        subprocess.run(["app-gates", "--lock"], check=True)
        wait(lambda: found(LOCKED) and not found(LIST), "the locked screen again")
        type_password(password)
        wait(lambda: found(LIST), "the list again")

        say("upgrade, please")
        assert sys.stdin.readline() == "done\n", "there was no upgrade"
        assert os.readlink(f"/proc/{app.pid}/exe").endswith(" (deleted)"), "the program was not replaced"
        subprocess.run(["app-gates", "--lock"], check=True)
        wait(lambda: found(LOCKED) and not found(LIST), "the locked screen, after an upgrade in between")
        type_password(password)
        wait(lambda: found(LIST), "the list, by the helper that the program was started with")
        say("The installed package locks and unlocks.")
    finally:
        for process in (app, manager, server):
            process.terminate()
            process.wait()


main()
