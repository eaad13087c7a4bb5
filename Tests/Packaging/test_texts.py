"""Manual pages, settings, completions, and the files for the desktop: well formed, and in step with the program."""

import pathlib
import re
import tempfile
import unittest

from packaging import BINARIES, ID, ROOT, missing, run, text

# What --help lists is what there is.
OPTION = re.compile(r"^  (--[a-z-]+) ", re.M)
KEY = re.compile(r"^#([A-Z][A-Z_]+)=", re.M)


def options():
    return set(OPTION.findall(run(BINARIES / "app-gates", "--help").stdout))


class ManualTest(unittest.TestCase):
    @unittest.skipIf(missing("man"), f"{missing('man')}")
    def test_no_warnings(self):
        for page in sorted((ROOT / "data/man").iterdir()):
            with self.subTest(page.name):
                # The page itself is of no interest, and what else is said is a warning.
                command = ["sh", "-c", 'exec man --warnings --local-file -Tutf8 -Z "$1" 3>&1 >/dev/null 2>&3', "sh", page]
                said = run(*command, env={"LC_ALL": "C.UTF-8", "MANWIDTH": "80", "PATH": "/usr/bin:/bin"}).stdout
                self.assertEqual(said, "")

    def test_each_option(self):
        page = text("data/man/app-gates.1").replace("\\-", "-")
        for option in options():
            self.assertIn(option, page)

    def test_each_key_of_the_settings(self):
        page = text("data/man/app-gates.conf.5")
        program = "".join(path.read_text() for path in (ROOT / "Sources/GateCore").glob("*.swift"))
        shown = set(KEY.findall(text("data/app-gates.conf")))
        documented = {key for line in page.splitlines() if re.match(r"\.BR? [A-Z]", line)
                      for key in re.findall(r"[A-Z]+(?:_[A-Z]+)+", line) if not key.startswith("XDG_")}
        read = set(re.findall(r'reader\.\w+\("([A-Z_]+)"', program))
        self.assertTrue(shown)
        self.assertEqual(shown, documented)
        self.assertEqual(read - shown, set(), "the program reads a key that nobody can know of")
        # Each says what its gate does without it, and a key that nothing reads says so.
        for entry in re.split(r"^\.TP$", page, flags=re.M)[1:]:
            keys = re.findall(r"[A-Z]+(?:_[A-Z]+)+", entry.strip().splitlines()[0])
            if not set(keys) & documented:
                continue
            with self.subTest(keys):
                if keys != ["MIN_APP_VERSION"]:
                    self.assertIn("Unset:", entry)
                if not set(keys) & read:
                    self.assertIn("Reserved", entry)


class CompletionTest(unittest.TestCase):
    @unittest.skipIf(missing("bash"), f"{missing('bash')}")
    def test_bash(self):
        script = f"""source {ROOT}/data/completions/app-gates.bash
            COMP_WORDS=(app-gates --) COMP_CWORD=1; _app_gates; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=(app-gates --lock --) COMP_CWORD=2 COMPREPLY=(); _app_gates || true; echo "${{COMPREPLY[@]}}" """
        self.assertEqual(set(run("bash", "-ec", script).stdout.split()), options())

    @unittest.skipIf(missing("fish"), f"{missing('fish')}")
    def test_fish(self):
        with tempfile.TemporaryDirectory() as home:
            env = {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "PATH": "/usr/bin:/bin"}
            script = f"source {ROOT}/data/completions/app-gates.fish; complete -C 'app-gates --'"
            said = run("fish", "--no-config", "-c", script, env=env).stdout
            self.assertEqual({line.split()[0] for line in said.splitlines() if line.startswith("--")}, options())
            self.assertEqual(run("fish", "--no-config", "-c", script.replace("--'", "--lock --'"), env=env).stdout, "")

    @unittest.skipIf(missing("zsh"), f"{missing('zsh')}")
    def test_zsh(self):
        # The real completion wants a terminal; here the function is run, and hands its table to one of ours.
        script = f"""_arguments() {{ for line in "$@"; do print -r -- "$line"; done }}
            source {ROOT}/data/completions/app-gates.zsh"""
        said = run("zsh", "-f", "-c", script).stdout
        self.assertEqual(set(re.findall(r"\)(--[a-z-]+)\[", said)), options())
        self.assertTrue(text("data/completions/app-gates.zsh").startswith("#compdef app-gates\n"))


class DesktopTest(unittest.TestCase):
    @unittest.skipIf(missing("desktop-file-validate"), f"{missing('desktop-file-validate')}")
    def test_desktop_entry(self):
        self.assertEqual(run("desktop-file-validate", ROOT / f"data/{ID}.desktop").stdout, "")

    def test_its_actions_are_options(self):
        commands = re.findall(r"^Exec=app-gates ?(.*)$", text(f"data/{ID}.desktop"), re.M)
        self.assertEqual(commands, ["", "--new-todo", "--lock"])
        self.assertLessEqual(set(commands[1:]), options())

    @unittest.skipIf(missing("appstreamcli"), f"{missing('appstreamcli')}")
    def test_appstream(self):
        run("appstreamcli", "validate", "--strict", "--no-net", ROOT / f"data/{ID}.metainfo.xml")

    def test_screenshots_are_there(self):
        for name in re.findall(r"/screenshots/([^<]+)</image>", text(f"data/{ID}.metainfo.xml")):
            self.assertTrue((ROOT / "data/screenshots" / name).exists(), name)


class SaidOnceTest(unittest.TestCase):
    def test_build_dependencies(self):
        """debian/control asks for what packages-build.txt installs, without build-essential's own."""
        lines = [line.split("#")[0].strip() for line in text("Scripts/packages-build.txt").splitlines()]
        listed = {line for line in lines if line}
        control = text("debian/control")
        field = re.search(r"^Build-Depends:((?:\n .*)+)", control, re.M).group(1)
        asked = set(re.findall(r"^ ([a-z0-9.+-]+)", field, re.M)) - {"debhelper-compat"}
        runtime = {name for name in listed if re.search(rf"^ {re.escape(name)},?$", control.split("\nPackage:")[1], re.M)}
        self.assertEqual(asked, listed - runtime - {"binutils", "g++", "libc6-dev"})

    def test_where_we_are_found(self):
        """The metadata says the address; whoever publishes under another changes it there, and is told of the rest."""
        metadata = text(f"data/{ID}.metainfo.xml")
        home = re.search(r'<url type="homepage">([^<]+)</url>', metadata).group(1)
        self.assertRegex(home, r"^https://.+/$")
        self.assertEqual(re.search(r"^Homepage: (.+)$", text("debian/control"), re.M).group(1), home)
        self.assertEqual(re.search(r"^Source: (.+)$", text("debian/copyright"), re.M).group(1), home)
        for image in re.findall(r"<image [^>]*>([^<]+)</image>", metadata):
            self.assertTrue(image.startswith(home + "screenshots/"), image)
        written = [str(path.relative_to(ROOT)) for folder in ("Sources", "Scripts", "data", "debian")
                   for path in (ROOT / folder).rglob("*") if path.is_file() and ".build" not in path.parts
                   and home.split("/")[2].encode() in path.read_bytes()]
        self.assertEqual(set(written), {f"data/{ID}.metainfo.xml", "debian/control", "debian/copyright",
                                        "debian/README.source"})

    def test_who_packages(self):
        maintainer = re.search(r"^Maintainer: (.+)$", text("debian/control"), re.M).group(1)
        self.assertIn(f"\n -- {maintainer}  ", text("debian/changelog"))


if __name__ == "__main__":
    unittest.main()
