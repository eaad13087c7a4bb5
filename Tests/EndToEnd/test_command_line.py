"""The command line: what it prints, what it answers, and what it does to the running app."""

import json
import pathlib
import re
import signal

from damage import SharedWorldTest
from steps import CONSENT, LOCKED, needs_user

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r'APP_GATES_VERSION "([^"]+)"',
                    (ROOT / "Sources/AuthWire/include/AppGatesVersion.h").read_text()).group(1)
NOWHERE = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": ""}
SECRET = "ab" * 32


class CommandLineTest(SharedWorldTest):
    def call(self, *arguments, env=None, **options):
        """Runs it to its end: (exit status, standard output, standard error)."""
        done = self.world.run([self.world.binaries / "app-gates", *arguments], env=env, check=False, **options)
        return done.returncode, done.stdout.decode(), done.stderr.decode()


class WordsTest(CommandLineTest):
    """What needs neither a display nor a bus."""

    def test_version(self):
        self.assertEqual(self.call("--version", env=NOWHERE), (0, f"app-gates {VERSION}\n", ""))

    def test_help(self):
        status, out, err = self.call("--help", env=NOWHERE)
        self.assertEqual((status, err), (0, ""))
        for option in ("--new-todo", "--status", "--lock", "--version", "--help", "Usage: app-gates"):
            self.assertIn(option, out)
        self.assertEqual(self.call("-h", env=NOWHERE), (0, out, ""))

    def test_what_is_not_known_is_named_and_does_nothing(self):
        for arguments in (["--unlock"], ["--statuss"], ["todo.txt"], [""], ["--"], ["--status", "--lock"],
                          ["--lock", "now"], ["--help", "--nonsense"]):
            with self.subTest(arguments):
                status, out, err = self.call(*arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertEqual(err, f"app-gates: “{arguments[-1]}” is not an option. See app-gates --help.\n")
        self.assertFalse((self.world.config / "app-gates").exists())

    def test_no_display_is_one_sentence(self):
        status, out, err = self.call(env={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
        self.assertNotEqual(status, 0)
        self.assertEqual(out, "")
        self.assertRegex(err, r"(?i)\bdisplay\b")
        self.assertEqual(len(err.strip().splitlines()), 1, err)


class StatusTest(CommandLineTest):
    """--status: JSON, without a display or a bus, and not a trace of a visit."""

    def setUp(self):
        super().setUp()
        root_view = (ROOT / "Sources/AppGates/RootView.swift").read_text()
        self.order = re.findall(r"^ +(\w+) \{$", root_view[root_view.index("var body"):root_view.index("mount(")], re.M)

    def look(self):
        status, out, err = self.call("--status", env=NOWHERE)
        self.assertEqual((status, err), (0, ""))
        self.text = out
        self.found = json.loads(out)
        self.assertEqual([gate["gate"] for gate in self.found["gates"]], self.order)
        self.assertEqual(self.found["version"], VERSION)
        for gate in self.found["gates"]:
            self.assertRegex(gate["reason"], r"^[A-Z].*\.$")
        return {gate["gate"]: gate["decision"] for gate in self.found["gates"]}

    def test_newcomer(self):
        self.assertEqual(self.look(), {
            "ErrorBoundary": "open", "RecoveryGate": "open", "BiometricGate": "open", "SafeModeGate": "open",
            "UpdateGate": "open", "OnboardingGate": "closed", "ConsentGate": "closed", "AuthGate": "closed"})
        self.assertEqual(self.found["files"], [{"path": "~/.config/app-gates/preferences.ini", "state": "absent"}])
        for base in (self.world.config, self.world.data, self.world.state):
            self.assertFalse((base / "app-gates").exists())

    def test_returning_and_no_word_of_what_is_the_users(self):
        self.come_back(["Buy milk"])
        self.world.secrets(ANALYTICS_KEY="a-key-of-the-packager")
        self.assertEqual(set(self.look().values()), {"open"})
        self.assertEqual(self.found["files"], [
            {"path": "~/.config/app-gates/preferences.ini", "state": "sound"},
            {"path": "~/.config/app-gates/app-gates.conf", "state": "sound"}])
        for word in ("Buy milk", "Test User", SECRET, "a-key-of-the-packager", str(self.world.home)):
            self.assertNotIn(word, self.text)

    def test_each_gate_by_itself(self):
        for change, secrets, gate, decision, reason in (
                ({"biometricEnabled": True}, {}, "BiometricGate", "locked", "The app lock is on."),
                ({}, {"MIN_APP_VERSION": "99"}, "UpdateGate", "forced",
                 f"Version {VERSION} is below the minimum, which is 99."),
                ({}, {"LATEST_APP_VERSION": "99"}, "UpdateGate", "prompt",
                 f"Version {VERSION} is below the latest, which is 99."),
                ({"onboardingCompleted": False}, {}, "OnboardingGate", "closed", "The first-run slides are not done."),
                ({"acceptedConsentVersion": "2020-01-01"}, {}, "ConsentGate", "closed",
                 f"The legal texts of {CONSENT} are not accepted."),
                ({"sessionStore": ""}, {}, "AuthGate", "closed", "There is no session.")):
            with self.case(f"{gate} {decision}"):
                self.come_back(**change)
                self.world.secrets(**secrets)
                found = self.look()
                self.assertEqual({name: word for name, word in found.items() if word != "open"}, {gate: decision})
                self.assertIn(reason, [report["reason"] for report in self.found["gates"]])

    def test_settings_of_the_system_count_after_the_users(self):
        self.come_back()
        self.world.secrets(MIN_APP_VERSION="")
        system = self.world.write(self.world.home / "system/app-gates/app-gates.conf",
                                  "[app-gates]\nMIN_APP_VERSION=99\nLATEST_APP_VERSION=99\n")
        _, out, _ = self.call("--status", env={"XDG_CONFIG_DIRS": str(system.parents[1])})
        found = json.loads(out)
        self.assertEqual([file["path"] for file in found["files"]], [
            "~/.config/app-gates/preferences.ini", "~/.config/app-gates/app-gates.conf",
            "~/system/app-gates/app-gates.conf"])
        self.assertIn("prompt", [gate["decision"] for gate in found["gates"]])

    def test_a_relative_folder_is_ignored(self):
        self.come_back(biometricEnabled=True)
        _, out, _ = self.call("--status", env={"XDG_CONFIG_HOME": "elsewhere"})
        self.assertIn("The app lock is on.", out)


class SecondStartTest(CommandLineTest):
    def test_it_raises_the_first_window_and_ends(self):
        app = self.shell(["Buy milk"])
        with self.world.display.other_window():
            self.check_raise(app)
        app.minimise()
        self.check_raise(app)
        self.assertEqual(len(app.windows()), 1)
        self.assertTrue(app.child.is_running)
        app.wait_for("list item", "Buy milk")

    def check_raise(self, app):
        self.assertFalse(app.is_active)
        self.assertEqual(self.call()[:2], (0, ""))
        app.until(lambda: app.is_active, "the app to be in front")

    def test_started_by_the_bus_it_shows_a_window_when_asked(self):
        self.come_back(["Buy milk"])
        app = self.world.app("--gapplication-service", wait=False)
        self.apps.append(app)
        owned = ["gdbus", "wait", "--session", "--timeout", "10", "io.github.appgates.AppGates"]
        self.world.run(owned)
        self.assertEqual(app.windows(visible=False), [])
        self.assertEqual(self.call()[:2], (0, ""))
        app.wait_for("list item", "Buy milk")


class LockTest(CommandLineTest):
    def test_none_runs(self):
        self.come_back(lock=True)
        self.assertEqual(self.call("--lock"), (
            1, "", "app-gates: there is nothing to lock: the app does not run, or waits on its first page.\n"))

    def test_no_bus(self):
        for name, address in {"none": "", "gone": f"unix:path={self.world.runtime}/nothing"}.items():
            with self.subTest(name):
                found = self.call("--lock", env={**NOWHERE, "DBUS_SESSION_BUS_ADDRESS": address})
                self.assertEqual(found, (
                    1, "", "app-gates: there is no session bus. Run this within your desktop session.\n"))

    def test_the_lock_is_off(self):
        app = self.shell(["Buy milk"])
        self.assertEqual(self.call("--lock"), (
            1, "", "app-gates: the app lock is off. Turn it on under Me, Account Security.\n"))
        self.assertTrue(app.has("list item", "Buy milk"))
        self.assertFalse(app.has("label", LOCKED))

    @needs_user
    def test_it_locks_before_it_returns(self):
        self.come_back(["Buy milk"], lock=True)
        app = self.start()
        self.unlock(app)
        app.wait_for("list item", "Buy milk")
        # Another process, and no display: from a script or over ssh.
        self.assertEqual(self.call("--lock", env={"DISPLAY": ""}), (0, "", ""))
        self.assert_hidden(app, "Buy milk", "Add a todo")
        self.assertTrue(app.has("label", LOCKED))
        self.assertEqual(app.title, "App Gates")
        self.assertEqual(self.call("--lock"), (0, "", ""))
        self.unlock(app)
        app.wait_for("list item", "Buy milk")

    @needs_user
    def test_a_frozen_app_is_no_success(self):
        self.come_back(["Buy milk"], lock=True)
        app = self.start()
        self.unlock(app)
        app.signal(signal.SIGSTOP)
        try:
            found = self.call("--lock", seconds=15)
        finally:
            app.signal(signal.SIGCONT)
        self.assertEqual(found, (1, "", "app-gates: the running app does not answer. Try again.\n"))
