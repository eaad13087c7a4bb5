"""What Scripts/install.sh puts where, and that the program finds it there."""

import gettext
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from packaging import BINARIES, ID, ROOT, install, listing, missing, run, text


class InstallTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_everything_has_its_place(self):
        install(self.folder)
        found = listing(self.folder)
        for path, mode in {
            "/usr/bin/app-gates": "0o755", "/usr/libexec/app-gates/app-gates-auth": "0o755",
            "/usr/libexec/app-gates/app-gates-web": "0o755",
            "/etc/pam.d/app-gates": "0o644", "/etc/pam.d/app-gates-fingerprint": "0o644",
            "/etc/xdg/app-gates/app-gates.conf": "0o644", f"/usr/share/applications/{ID}.desktop": "0o644",
            f"/usr/share/dbus-1/services/{ID}.service": "0o644", f"/usr/share/metainfo/{ID}.metainfo.xml": "0o644",
            f"/usr/share/icons/hicolor/scalable/apps/{ID}.svg": "0o644",
            f"/usr/share/icons/hicolor/symbolic/apps/{ID}-symbolic.svg": "0o644",
            "/usr/share/man/man1/app-gates.1": "0o644", "/usr/share/man/man8/app-gates-auth.8": "0o644",
            "/usr/share/man/man8/app-gates-web.8": "0o644",
            "/usr/share/man/man5/app-gates.conf.5": "0o644",
        }.items():
            self.assertEqual(found.get(path), mode, path)
        # Whatever the program asks for by name is there; screenshots and what becomes something else are not.
        for path in (ROOT / "data").rglob("*"):
            name = path.relative_to(ROOT / "data")
            if path.is_file() and name.parts[0] in ("legal", "illustrations", "style.css"):
                self.assertIn(f"/usr/share/app-gates/{name}", found)

    def test_every_file_that_the_program_names(self):
        install(self.folder)
        found = listing(self.folder)
        swift = "".join(path.read_text() for path in (ROOT / "Sources").rglob("*.swift"))
        names = set(re.findall(r'"((?:legal|illustrations)/[\w.-]+\.\w+|style\.css)"', swift))
        self.assertIn("style.css", names)
        for name in names:
            self.assertIn(f"/usr/share/app-gates/{name}", found)

    def test_another_prefix(self):
        install(self.folder, "/opt/app-gates")
        found = listing(self.folder)
        self.assertTrue(all(path.startswith("/opt/app-gates/") for path in found), found)
        service = (self.folder / f"opt/app-gates/share/dbus-1/services/{ID}.service").read_text()
        self.assertIn("\nExec=/opt/app-gates/bin/app-gates --gapplication-service\n", service)
        self.assertIn("/opt/app-gates/etc/pam.d/app-gates", found)

    def test_the_settings_of_another_place(self):
        install(self.folder, "/opt/x", SYSCONFDIR="/etc", PAM="fedora")
        self.assertEqual((self.folder / "etc/pam.d/app-gates").read_text(), text("data/pam.d/fedora/app-gates"))

    def test_no_pam_files(self):
        install(self.folder, PAM="none")
        self.assertFalse([path for path in listing(self.folder) if "pam.d" in path])

    def test_refusals_say_what_to_do(self):
        for prefix, environment, words in (
            ("usr", {}, "begins with a slash"), ("/usr", {"PAM": "plan9"}, "set PAM to"),
            ("/usr", {"BUILT": "/nowhere"}, "build it first"),
        ):
            with self.subTest(words):
                env = dict(os.environ, **{"BUILT": str(BINARIES), "PAM": "debian", **environment})
                done = run(ROOT / "Scripts/install.sh", self.folder, prefix, check=False, env=env)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(words, done.stdout)
                self.assertEqual(listing(self.folder), {})

    def test_the_installed_program_finds_its_files(self):
        """It starts from its place, and reads the settings of its own prefix when XDG says so."""
        install(self.folder)
        conf = self.folder / "etc/xdg/app-gates/app-gates.conf"
        conf.write_text(conf.read_text() + "\nLATEST_APP_VERSION=not a version\n")
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "XDG_CONFIG_DIRS": str(self.folder / "etc/xdg")}
        said = subprocess.run([self.folder / "usr/bin/app-gates", "--status"], env=env, capture_output=True, text=True,
                              check=True).stdout
        self.assertIn("LATEST_APP_VERSION", json.dumps(json.loads(said)["problems"]))

    @unittest.skipIf(missing("msgfmt"), f"{missing('msgfmt')}")
    def test_translations_are_compiled(self):
        """A language more, in a copy of what the installer reads; one with an error is refused."""
        copy, target = self.folder / "copy", self.folder / "target"
        for name in ("Scripts", "data"):
            shutil.copytree(ROOT / name, copy / name)
        language = copy / "data/translations/eo.po"
        with open(language.parent / "LINGUAS", "a") as file:
            file.write("eo\n")
        head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        language.write_text(head + 'msgid "Unlock"\nmsgstr "Malŝlosi"\n')
        env = {**os.environ, "BUILT": str(BINARIES), "PAM": "none"}
        run(copy / "Scripts/install.sh", target, "/usr", env=env)
        with open(target / "usr/share/locale/eo/LC_MESSAGES/app-gates.mo", "rb") as file:
            self.assertEqual(gettext.GNUTranslations(file).gettext("Unlock"), "Malŝlosi")
        language.write_text(head + "msgid nonsense\n")
        self.assertNotEqual(run(copy / "Scripts/install.sh", target, "/usr", check=False, env=env).returncode, 0)


if __name__ == "__main__":
    unittest.main()
