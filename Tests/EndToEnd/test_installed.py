"""What only an installed app can show: its translations, and that it goes on while its files are replaced."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from installed import install
from steps import LOCKED, WorldTest, needs_user


class InstalledTest(WorldTest):
    def setUp(self):
        super().setUp()
        self.prefix = install(self.world)
        self.program = self.prefix / "bin/app-gates"

    def start(self, **preferences):
        self.come_back(["Buy milk"], **preferences)
        return self.world.app(program=self.program)


def why_no_german():
    if not pathlib.Path("/usr/share/i18n/locales/de_DE").exists() or shutil.which("localedef") is None:
        return "needs the package locales, to build a German locale"
    return None


@needs_user
@unittest.skipIf(why_no_german(), why_no_german())
class GermanTest(InstalledTest):
    options = {**InstalledTest.options, "language": "de_DE.UTF-8"}

    def setUp(self):
        super().setUp()
        locales = self.world.folder / "locales"
        locales.mkdir()
        # localedef ends with 1 where it only warns.
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", locales / "de_DE.UTF-8"], capture_output=True)
        self.world.env["LOCPATH"] = str(locales)

    def test_the_lock_speaks_german(self):
        app = self.start(lock=True)
        app.wait_for("label", "App Gates ist gesperrt")
        app.wait_for("button", "Entsperren")
        self.assertNotIn(LOCKED, app.dump())
        app.wait_for("password text", states=("focused", "editable"))
        app.type("something else")
        app.key("Return")
        app.wait_for("alert", "Das war nicht richtig. Versuchen Sie es noch einmal.")
        app.wait_for("password text", states=("focused", "editable"), seconds=15)
        app.type(self.world.user.password)
        app.key("Return")
        app.wait_for("text", "Aufgabe hinzufügen")
        app.wait_for("frame", "Aufgaben – App Gates")
        self.assertEqual(app.close(), 0)

    def test_the_command_line_speaks_german(self):
        said = self.world.run([self.program, "--help"]).stdout.decode()
        self.assertIn("Aufruf: app-gates", said)
        self.assertIn("  --lock      die laufende App sperren\n", said)
        self.assertIn("~/.config/app-gates/preferences.ini", said)
        done = self.world.run([self.program, "--lock"], check=False)
        self.assertIn("app-gates: Es gibt nichts zu sperren: Die App läuft nicht", done.stderr.decode())

    def test_a_language_that_is_not_there_leaves_english(self):
        said = self.world.run([self.program, "--help"], env={"LANGUAGE": "eo"}).stdout.decode()
        self.assertIn("Usage: app-gates", said)


@needs_user
class UpgradeTest(InstalledTest):
    """A new version is put in the place of the one that runs."""

    def replace_all(self):
        """Every file under its name anew, as dpkg does it; the programs are such as can do nothing."""
        for path in sorted(self.prefix.rglob("*")):
            if path.is_file():
                new = path.with_name(path.name + ".dpkg-new")
                shutil.copy2("/bin/false" if os.access(path, os.X_OK) else path, new)
                if path.suffix == ".md":
                    new.write_text("# Of the new version\n\nOther words.\n")
                new.replace(path)

    def lock(self, app):
        """By a program that has not been replaced."""
        self.world.run([self.world.binaries / "app-gates", "--lock"])
        app.wait_for("label", LOCKED)
        self.assertNotIn("Buy milk", app.dump())

    def replaced(self, app):
        self.assertTrue(os.readlink(f"/proc/{app.pid}/exe").endswith(" (deleted)"))
        self.assertNotEqual(self.world.run([self.program], check=False).returncode, 0)

    def test_unlocked_before_and_after(self):
        app = self.start(lock=True)
        self.unlock(app)
        app.wait_for("list item", "Buy milk")
        self.replace_all()
        self.replaced(app)
        self.lock(app)
        app.wait_for("password text", states=("focused", "editable"))
        app.type("something else")
        app.key("Return")
        app.wait_for("alert", "That was not right. Try again.")
        self.unlock(app)
        app.wait_for("list item", "Buy milk")
        app.click("text", "Add a todo")
        app.type("After the upgrade")
        app.key("Return")
        app.wait_for("list item", "After the upgrade")
        self.assertEqual(app.close(), 0)
        self.assertIn("After the upgrade", self.todos())

    def test_locked_meanwhile(self):
        """The first conversation of all comes after the upgrade: the helper was opened at the start."""
        app = self.start(lock=True)
        app.wait_for("label", LOCKED)
        self.replace_all()
        self.replaced(app)
        self.unlock(app)
        app.wait_for("list item", "Buy milk")

    def test_texts_of_the_new_version(self):
        app = self.start()
        app.wait_for("list item", "Buy milk")
        self.replace_all()
        self.open_me(app)
        app.click("list item", "Terms of Use")
        app.wait_for("label", "Other words.")

    def test_removed_meanwhile(self):
        app = self.start(lock=True)
        self.unlock(app)
        shutil.rmtree(self.prefix)
        self.lock(app)
        self.unlock(app)
        app.wait_for("list item", "Buy milk")
        self.open_me(app)
        app.click("list item", "Terms of Use")
        app.wait_for("label", "This text is missing from the installation. Install the app’s package again.")


if __name__ == "__main__":
    unittest.main()
