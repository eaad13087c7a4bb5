"""meson-notes.md does what it says: its files are taken from the text and run, and what they install is compared."""

import filecmp
import os
import pathlib
import re
import tempfile
import unittest

from packaging import BINARIES, ROOT, install, listing, missing, package, run, text

FILES = re.compile(r"^`([\w.]+)`:\n\n```meson\n(.*?)^```$", re.M | re.S)
# dpkg adds these, or packs them; the programs are built with other flags.
DEBIAN = ("/usr/share/doc/", "/usr/share/lintian/")
PROGRAMS = {"/usr/bin/app-gates", "/usr/libexec/app-gates/app-gates-auth", "/usr/libexec/app-gates/app-gates-web"}


def scratch_of_the_suite():
    """The folder that SwiftPM has built the debug programs in, so that they need not be built again."""
    folder = BINARIES.resolve().parent
    # .build/debug leads to .build/<triple>/debug.
    for folder in (folder, folder.parent):
        if (folder / "workspace-state.json").exists():
            return folder
    return None


@unittest.skipIf(missing("meson", "ninja"), f"{missing('meson', 'ninja')}")
class MesonTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if (scratch := scratch_of_the_suite()) is None:
            raise unittest.SkipTest("APP_GATES_BIN is no folder of SwiftPM's, and a build of its own takes minutes")
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.source, cls.build = cls.folder / "wrapper", cls.folder / "build"
        cls.source.mkdir()
        for name, body in FILES.findall(text("meson-notes.md")):
            (cls.source / name).write_text(body)
        kind = "release" if BINARIES.resolve().name == "release" else "debug"
        cls.setup = ["meson", "setup", cls.build, cls.source, "--prefix=/usr", f"--buildtype={kind}",
                     f"-Dcheckout={ROOT}", f"-Dscratch={scratch}", "-Dzsh=share/zsh/vendor-completions"]
        run(*cls.setup)
        run("meson", "compile", "-C", cls.build)

    def meson_install(self, name="destination"):
        destination = self.folder / name
        run("meson", "install", "-C", self.build, env=dict(os.environ, DESTDIR=str(destination)))
        return destination

    def test_both_files_are_in_the_text(self):
        self.assertEqual({name for name, _ in FILES.findall(text("meson-notes.md"))}, {"meson.build", "meson_options.txt"})

    def test_its_tests_pass(self):
        said = run("meson", "test", "-C", self.build).stdout
        self.assertRegex(said, r"Ok: +1\b")

    def test_the_same_files_as_the_installer(self):
        ours = self.folder / "ours"
        install(ours, ZSH="share/zsh/vendor-completions")
        theirs = self.meson_install()
        self.assertEqual(listing(theirs), listing(ours))
        for path in set(listing(ours)) - PROGRAMS:
            self.assertTrue(filecmp.cmp(str(ours) + path, str(theirs) + path, shallow=False), path)

    @unittest.skipIf(package() is None or missing("dpkg-deb"), "there is no package in build/: run make deb")
    def test_the_same_files_as_the_package(self):
        deb = self.folder / "deb"
        run("dpkg-deb", "--extract", package(), deb)
        run("sh", "-c", 'gunzip "$@"', "sh", *(deb / "usr/share/man").rglob("*.gz"))
        packaged = {path: mode for path, mode in listing(deb).items() if not path.startswith(DEBIAN)}
        theirs = self.meson_install()
        self.assertEqual(listing(theirs), packaged)
        for path in set(packaged) - PROGRAMS:
            self.assertTrue(filecmp.cmp(str(deb) + path, str(theirs) + path, shallow=False), path)

    def test_another_prefix_keeps_pam_in_etc(self):
        build = self.folder / "other"
        run(*[build if word == self.build else word for word in self.setup if word != "--prefix=/usr"],
            "--prefix=/opt/x", "--sysconfdir=/etc", "-Dpam=fedora")
        run("meson", "compile", "-C", build)
        destination = self.folder / "other-destination"
        run("meson", "install", "-C", build, env=dict(os.environ, DESTDIR=str(destination)))
        self.assertIn("/opt/x/bin/app-gates", listing(destination))
        self.assertEqual((destination / "etc/pam.d/app-gates").read_text(), text("data/pam.d/fedora/app-gates"))

    def test_a_wrong_checkout_is_named(self):
        wrong = ["-Dcheckout=/nowhere" if str(word).startswith("-Dcheckout") else word for word in self.setup]
        done = run(*[self.folder / "wrong" if word == self.build else word for word in wrong], check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("set -Dcheckout to the sources of App Gates", done.stdout)


if __name__ == "__main__":
    unittest.main()
