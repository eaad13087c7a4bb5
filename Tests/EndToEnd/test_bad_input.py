"""Damaged, empty, unreadable, foreign-owned and read-only settings: each is told clearly, and nothing is lost."""

import re
import stat

from damage import BadInputTest, contents, facts, foreign, on_the_screen, read_only, unreadable
from steps import LOCKED, RETURNING, WELCOME, needs_user

WRONG = "Something went wrong"
KEY_FILE_DAMAGE = {
    "bytes that are no text": lambda sound: bytes(range(256)) * 4,
    "cut off in the middle of a line": lambda sound: sound[:sound.index(b"=") - 3],
    "zeros at its end, as after a power cut": lambda sound: sound + bytes(512),
    "not UTF-8": lambda sound: sound + b"sessionName=Andr\xe9\n",
    "no group of ours": lambda sound: b"[others]\nkey=1\n",
    "far too large": lambda sound: sound + b"# nothing\n" * 200_000,
}



@needs_user
class PreferencesTest(BadInputTest):
    """preferences.ini: it holds whether the lock is on, so where it cannot be read, the lock is."""

    def test_damaged(self):
        for name, damage in KEY_FILE_DAMAGE.items():
            with self.case(name):
                self.come_back(["Buy milk"])
                self.ini.write_bytes(damage(self.ini.read_bytes()))
                self.assertEqual(self.state_of(self.ini), "damaged")
                self.check_repair()

    def test_empty(self):
        self.come_back(["Buy milk"])
        self.ini.write_bytes(b"")
        self.assertEqual(self.state_of(self.ini), "empty")
        self.check_stays_locked(self.check_repair())

    def check_repair(self):
        """The damaged file is kept to the byte and named on the card; the lock is on, now and from now on."""
        self.assertEqual(self.gates["BiometricGate"], "locked")
        damaged, todos = self.ini.read_bytes(), facts(self.list_file)
        app = self.start()
        alert = on_the_screen(app, "alert", re.compile("^The settings file was damaged"))
        copy = re.search(r"~/\.config/app-gates/(preferences\.ini\.damaged-\d{8}T\d{6}Z)", alert.name).group(1)
        self.assertEqual((self.ini.parent / copy).read_bytes(), damaged)
        self.assertEqual(self.preferences, {"biometricEnabled": "true"})
        self.assertEqual(stat.S_IMODE(self.ini.stat().st_mode), 0o600)
        self.assert_hidden(app, "Buy milk", "Add a todo")
        self.go_on(app)
        on_the_screen(app, "label", LOCKED)
        self.assert_hidden(app, "Buy milk", "Add a todo")
        self.end_of(app)
        self.assertEqual(facts(self.list_file), todos)
        return damaged

    def check_stays_locked(self, damaged):
        """Not for this once only: the next start finds a sound file that says so."""
        app = self.start()
        app.wait_for("label", LOCKED)
        self.assertFalse(app.has("label", WRONG))
        self.unlock(app)
        app.wait_for("button", "Next")
        self.end_of(app)
        self.assertEqual(contents(self.ini.parent, "preferences.ini.damaged-"), [damaged])

    def test_a_second_damage_spares_the_copy_of_the_first(self):
        self.come_back()
        for junk in (b"first", b"second"):
            self.ini.write_bytes(junk)
            app = self.start()
            app.wait_for("label", WRONG)
            app.end()
        self.assertEqual(contents(self.ini.parent, "preferences.ini.damaged-"), [b"first", b"second"])

    def test_unreadable(self):
        self.check_left_alone(unreadable, "no permission", "you have no permission for it")

    def test_foreign_owned(self):
        self.check_left_alone(foreign, "belongs to another user", "it belongs to another user")

    def test_damaged_where_nothing_can_be_written(self):
        def damage(path):
            path.write_bytes(b"rubbish")
            path.parent.chmod(0o500)
        self.check_left_alone(damage, "damaged", "the file is damaged")

    def check_left_alone(self, spoil, state, cause):
        """The file stays as it is, whatever is done in the app; put right, it is as if nothing had been."""
        self.come_back(["Buy milk"])
        sound = self.ini.read_bytes()
        spoil(self.ini)
        spoilt = facts(self.ini)
        self.assertEqual(self.state_of(self.ini), state)
        self.assertEqual((self.gates["BiometricGate"], self.gates["ConsentGate"]), ("locked", "closed"))
        app = self.start()
        alert = on_the_screen(app, "alert", re.compile("^The settings in ~/.config/app-gates/preferences.ini cannot"))
        self.assertIn(f": {cause}. The app lock is on until they can.", alert.name)
        self.assert_hidden(app, "Buy milk", "Add a todo")
        self.go_on(app)
        on_the_screen(app, "label", LOCKED)
        self.assert_hidden(app, "Buy milk", "Add a todo")
        self.unlock(app)
        # What the user does now cannot be saved, is told, and does not touch the file either.
        app.click("button", "Next")
        on_the_screen(app, "alert", re.compile("^The settings in .* could not be saved: "))
        self.go_on(app)
        self.end_of(app)
        self.assertEqual(facts(self.ini), spoilt)
        self.assertEqual(contents(self.ini.parent, "preferences.ini"), [spoilt[-1]])

        self.ini.parent.chmod(0o700)
        self.ini.write_bytes(sound)
        self.ini.chmod(0o600)
        self.world.own(self.ini)
        app = self.start()
        app.wait_for("list item", "Buy milk")
        self.assertFalse(app.has("label", WRONG))

    def test_read_only(self):
        for name, spoil in {"file": read_only, "folder": lambda path: path.parent.chmod(0o500)}.items():
            with self.case(name):
                self.come_back(["Buy milk", "Sleep"])
                spoil(self.ini)
                before = facts(self.ini)
                self.assertEqual(self.state_of(self.ini), "sound")
                app = self.start()
                app.wait_for("list item", "Buy milk")
                self.assertFalse(app.has("label", WRONG))
                app.click("button", "Done")
                alert = on_the_screen(app, "alert", re.compile("^The settings in .* could not be saved"))
                self.assertIn("could not be saved: it is read-only. What you chose holds until you quit.", alert.name)
                self.go_on(app)
                on_the_screen(app, "label", "Nothing done yet")
                self.end_of(app)
                self.assertEqual(facts(self.ini), before)

    def test_read_only_with_the_lock_on(self):
        self.come_back(["Buy milk"], lock=True)
        read_only(self.ini)
        app = self.start()
        app.wait_for("label", LOCKED)
        self.assert_hidden(app, "Buy milk")

    def test_damaged_while_the_app_runs(self):
        app = self.shell(["Buy milk"])
        self.ini.write_bytes(b"rubbish")
        on_the_screen(app, "alert", re.compile("^The settings file was damaged"))
        app.until(lambda: self.preferences.get("acceptedConsentVersion"), "what is in memory to be saved")
        self.assertEqual(contents(self.ini.parent, "preferences.ini.damaged-"), [b"rubbish"])
        kept = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in RETURNING.items()}
        self.assertEqual(self.preferences, {**kept, "biometricEnabled": "true"})
        app.key("ctrl+l")
        self.go_on(app)
        on_the_screen(app, "label", LOCKED)
        self.assert_hidden(app, "Buy milk")


@needs_user
class SecretsTest(BadInputTest):
    """app-gates.conf: what cannot be read counts as not set, and says so in the log, in --status and on Me."""

    options = {"size": (1000, 1900)}
    # Were it heeded, nobody would get in.
    FORCED = {"MIN_APP_VERSION": "99", "APP_STORE_URL": "https://example.org/app"}

    def test_damaged(self):
        for name, damage in KEY_FILE_DAMAGE.items():
            with self.case(name):
                self.come_back()
                self.world.secrets(**self.FORCED)
                self.conf.write_bytes(damage(self.conf.read_bytes()))
                self.check_status("damaged")
        self.check_unused("damaged", "the file is damaged")

    def test_empty(self):
        self.spoilt(lambda path: path.write_bytes(b""))
        self.check_unused("empty", "the file is empty")

    def test_unreadable(self):
        self.spoilt(unreadable)
        self.check_unused("no permission", "you have no permission for it")

    def test_foreign_owned(self):
        self.spoilt(foreign)
        self.check_unused("belongs to another user", "it belongs to another user")

    def spoilt(self, spoil):
        self.come_back()
        self.world.secrets(**self.FORCED)
        spoil(self.conf)

    def check_status(self, state):
        self.assertEqual(self.state_of(self.conf), state)
        self.assertEqual([problem["path"] for problem in self.problems], ["~/.config/app-gates/app-gates.conf"])
        self.assertEqual(self.gates["UpdateGate"], "open")

    def check_unused(self, state, cause):
        before = facts(self.conf)
        self.check_status(state)
        app = self.start()
        app.resize(900, 1800)
        on_the_screen(app, "label", "The app’s configuration has a mistake. The page “Me” tells more.")
        app.key("alt+2")
        on_the_screen(app, "label", "A mistake in the configuration")
        words = f"~/.config/app-gates/app-gates.conf is not used: {cause}."
        on_the_screen(app, "label", re.compile("^" + re.escape(words)))
        self.assertEqual(app.log.count(words), 1)
        self.end_of(app)
        self.assertEqual(facts(self.conf), before)

    def test_read_only_is_as_good_as_any(self):
        self.spoilt(read_only)
        self.check_heeded()

    def test_it_may_belong_to_root(self):
        self.spoilt(lambda path: (foreign(path), path.unlink(), path.write_text("[app-gates]\nMIN_APP_VERSION=99\n"),
                                  path.chmod(0o644)))
        self.assertEqual(self.conf.stat().st_uid, 0)
        self.check_heeded()

    def check_heeded(self):
        before = facts(self.conf)
        self.assertEqual(self.state_of(self.conf), "sound")
        self.assertEqual((self.gates["UpdateGate"], self.problems), ("forced", []))
        app = self.start()
        on_the_screen(app, "label", "This version is too old")
        self.end_of(app)
        self.assertEqual(facts(self.conf), before)

    def test_one_value_that_does_not_parse_spares_the_others(self):
        self.come_back()
        self.world.secrets(MIN_APP_VERSION="soon", LATEST_APP_VERSION="99", TERMS_URL="javascript:alert(1)")
        self.assertEqual(self.state_of(self.conf), "sound")
        self.assertEqual([problem["key"] for problem in self.problems], ["MIN_APP_VERSION", "TERMS_URL"])
        app = self.start()
        on_the_screen(app, "label", "A new version is available")
        for key in ("MIN_APP_VERSION", "TERMS_URL"):
            self.assertEqual(app.log.count(f"app-gates.conf: {key}: expected "), 1)
        app.click("button", "Later")
        app.wait_for("text", "Add a todo")
        app.resize(900, 1800)
        app.key("alt+2")
        on_the_screen(app, "label", re.compile("app-gates.conf: MIN_APP_VERSION should be a version such as 1.2.0"))
        on_the_screen(app, "label", re.compile("app-gates.conf: TERMS_URL should be an https or http address"))
