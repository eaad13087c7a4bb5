"""A private /etc for the tests: a copy of the machine's own, put over it in a mount namespace.

Users made in it, PAM services and expired passwords exist for the processes of a test only. Nothing of it is left on
the machine, not even where a test is killed. Needs root; the helper itself runs as the user that was made.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import wire
from Rig.etc import PrivateEtc, UserId
from Rig.modules import build_module, compiler

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PYTHON = "/usr/bin/python3"
PASSWORD = "correct horse"

ENTER = """
mount --bind "$1" /etc && shift && exec "$@"
"""


def version():
    text = (ROOT / wire.VERSION_HEADER).read_text()
    return re.search(r'#define APP_GATES_VERSION "([^"]+)"', text).group(1)


def helper_path():
    return pathlib.Path(os.environ.get("APP_GATES_AUTH", ROOT / ".build/debug/app-gates-auth"))


def why_not():
    """Why these tests cannot run here, or None."""
    if os.geteuid() != 0:
        return "needs root, to make a user and a private /etc"
    for tool in ("unshare", "setpriv", "useradd", "usermod", "chpasswd", "chage"):
        if shutil.which(tool) is None:
            return f"needs {tool}"
    if compiler() is None:
        return "needs a C compiler for the PAM modules of the tests"
    probe = subprocess.run(["unshare", "-m", "mount", "--bind", "/etc", "/etc"], capture_output=True)
    if probe.returncode != 0:
        return "needs mount namespaces: " + probe.stderr.decode(errors="replace").strip()
    return None


class World:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="app-gates-auth-"))
        self.folder.chmod(0o755)  # the user has to reach the helper in it
        self.private = PrivateEtc(self.folder)
        self.etc = self.private.path
        self.helper = self.folder / "app-gates-auth"
        shutil.copy(helper_path(), self.helper)
        self.helper.chmod(0o755)
        for name in ("driver.py", "wire.py"):
            shutil.copy(HERE / name, self.folder / name)
        self.compiler = compiler()
        self.module = build_module(self.folder)
        self.ids = []
        self.put_back()

    def put_back(self):
        """The services as they are shipped for Debian, and the machine's own."""
        shutil.rmtree(self.etc / "pam.d")
        subprocess.run(["cp", "-a", "/etc/pam.d", str(self.etc)], check=True)
        for file in (ROOT / "data/pam.d/debian").iterdir():
            shutil.copy(file, self.etc / "pam.d" / file.name)

    def remove(self):
        for held in self.ids:
            held.release()
        self.private.remove()
        shutil.rmtree(self.folder)

    def inside(self, command, **options):
        """Runs a command as root with the private /etc in place."""
        whole = ["unshare", "-m", "--propagation", "private", "sh", "-c", ENTER, "sh", str(self.etc)] + command
        return subprocess.run(whole, capture_output=True, timeout=60, **options)

    def set_up(self, command, **options):
        done = self.inside(command, **options)
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]}: {done.stderr.decode(errors='replace')}")

    def user(self, password=PASSWORD, *commands):
        """Makes a user; the commands then change it, the name as their last argument."""
        self.ids.append(UserId())
        number = str(self.ids[-1].number)
        # The id is in the name, too: a module may keep something by name, outside of /etc.
        name = f"gates-auth-{number}"
        self.set_up(["useradd", "-u", number, "-M", "-N", "-d", "/nonexistent", "-s", "/bin/sh", name])
        secret = password if isinstance(password, bytes) else password.encode()
        if secret:
            # -c: chpasswd's own hashing, without the password rules of the machine.
            self.set_up(["chpasswd", "-c", "SHA512"], input=name.encode() + b":" + secret + b"\n")
        for command in commands:
            self.set_up(list(command) + [name])
        return name

    def service(self, text, name="app-gates"):
        """Writes a PAM service; MODULE stands for the test module. None removes it."""
        path = self.etc / "pam.d" / name
        if text is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(text.replace("MODULE", str(self.module)) + "\n")

    def play(self, user, answers=(), service="app-gates", raw=(), bars=(), ids=None, **plan):
        """Plays the app's part as `user`; returns an Outcome."""
        plan.setdefault("first", wire.hello(version(), service).hex())
        packets = [wire.answer(a if isinstance(a, bytes) else a.encode()) for a in answers]
        plan.update(helper=str(self.helper), answers=[p.hex() for p in packets + list(raw)])
        command = [PYTHON, str(self.folder / "driver.py"), json.dumps(plan)]
        done = self.as_user(user, command, list(bars), ids)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode(errors="replace"))
        return Outcome(json.loads(done.stdout))

    def as_user(self, user, command, bars=(), ids=None):
        group = "nogroup" if self.has_group("nogroup") else "nobody"
        ids = ids or [f"--reuid={user}", f"--regid={group}", "--clear-groups"]
        return self.inside(["setpriv"] + ids + list(bars) + command)

    def has_group(self, name):
        return any(line.startswith(name + ":") for line in (self.etc / "group").read_text().splitlines())


class Outcome:
    """What a play came to."""

    def __init__(self, found):
        self.found = found
        self.events = found.get("events", [])
        self.exit = found.get("exit")

    def of(self, kind):
        return [e for e in self.events if e["type"] == kind]

    def texts(self, kind):
        return [e["text"] for e in self.of(kind)]

    @property
    def result(self):
        """The verdict, or None; it counts only as the last packet, followed by exit code 0."""
        results = self.of("result")
        return results[-1] if results else None

    @property
    def verdict(self):
        return (self.result["status"], self.result["reason"]) if self.result else None

    def __repr__(self):
        return json.dumps(self.found, indent=1)


class WorldTest(unittest.TestCase):
    """A test with a private /etc, one for each class."""

    @classmethod
    def setUpClass(cls):
        reason = why_not()
        if reason is not None:
            raise unittest.SkipTest(reason)
        cls.world = World()
        cls.addClassCleanup(cls.world.remove)

    def setUp(self):
        self.world.put_back()

    def assertVerdict(self, outcome, status, reason=None):
        self.assertEqual(outcome.verdict, (status, reason), outcome)
        self.assertEqual(outcome.exit, 0, outcome)
        packets = [e["type"] for e in outcome.events if e["type"] not in ("end", "gone", "unsent", "inspected")]
        self.assertEqual(packets[0], "hello", outcome)
        self.assertEqual(packets[-1], "result", outcome)
        self.assertEqual(packets.count("result"), 1, outcome)

    def assertNoVerdict(self, outcome):
        self.assertIsNone(outcome.result, outcome)
