"""How the programs were linked: those of the package in build/ where there is one, otherwise of a release build.

A debug build is none that anybody ships: it has no FORTIFY, and the Swift runtime is not in it.
"""

import pathlib
import re
import tempfile
import unittest

from packaging import BINARIES, PROGRAMS, missing, package, run

# Debian's own, and nothing of a toolchain's.
LIBRARIES = re.compile(r"lib(adwaita-1|cairo|cairo-gobject|c|gcc_s|gdk_pixbuf-2\.0|gio-2\.0|glib-2\.0|gobject-2\.0|"
                       r"gmodule-2\.0|graphene-1\.0|gtk-4|harfbuzz|json-glib-1\.0|m|pam|pango-1\.0|pangocairo-1\.0|secret-1|"
                       r"soup-3\.0|sqlite3|stdc\+\+)\.so\.[0-9]+|ld-linux.*\.so\.[0-9]+")
IN_PACKAGE = {"app-gates": "usr/bin/app-gates", "app-gates-auth": "usr/libexec/app-gates/app-gates-auth",
              "app-gates-web": "usr/libexec/app-gates/app-gates-web"}


def release():
    """({name: path}, the folder to remove); nothing where there is no release to look at."""
    deb = package()
    if deb and not missing("dpkg-deb"):
        scratch = tempfile.TemporaryDirectory()
        run("dpkg-deb", "--extract", deb, scratch.name)
        return {name: pathlib.Path(scratch.name) / path for name, path in IN_PACKAGE.items()}, scratch
    if "libswiftCore.so" in run("readelf", "--dynamic", BINARIES / "app-gates").stdout:
        return None, None
    return {name: BINARIES / name for name in PROGRAMS}, None


@unittest.skipIf(missing("readelf"), f"{missing('readelf')}")
class HardeningTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs, cls.scratch = release()
        if cls.programs is None:
            raise unittest.SkipTest("needs a release: run make deb, or give one with APP_GATES_BIN")
        cls.is_package = cls.scratch is not None

    @classmethod
    def tearDownClass(cls):
        if cls.scratch:
            cls.scratch.cleanup()

    def each(self, *options):
        """[(name, what readelf says of it)]."""
        return [(name, f"{name}: " + run("readelf", "--wide", *options, path).stdout)
                for name, path in self.programs.items()]

    def test_position_independent(self):
        for _, said in self.each("--file-header", "--dynamic"):
            self.assertRegex(said, r"Type: +DYN")
            self.assertRegex(said, r"FLAGS_1.*\bPIE\b")

    def test_relro_and_bound_at_the_start(self):
        for _, said in self.each("--program-headers", "--dynamic"):
            self.assertIn("GNU_RELRO", said)
            self.assertRegex(said, r"FLAGS_1.*\bNOW\b")

    def test_the_stack_is_not_executable(self):
        for _, said in self.each("--program-headers"):
            self.assertRegex(said, r"GNU_STACK +(0x0+ +){5}RW  ")

    def test_stack_protector_and_fortify(self):
        # Of the dynamic symbols, since the package's programs are stripped of the others.
        for _, said in self.each("--dyn-syms"):
            self.assertIn("__stack_chk_fail", said)
            self.assertRegex(said, r"__\w+_chk@")

    def test_it_exports_nothing(self):
        """No library looks a name up in the program: that would cost memory, and keep what nobody calls."""
        said = run("readelf", "--wide", "--dyn-syms", self.programs["app-gates"]).stdout
        self.assertRegex(said, r" FUNC .* UND \S+")
        self.assertNotRegex(said, r" FUNC .* [0-9]+ \S+\n")

    def test_no_engine_for_regular_expressions(self):
        """One `replacing` for a character of a name links it: more than a megabyte, at each start."""
        self.assertNotIn(b"_RegexParser", self.programs["app-gates"].read_bytes())

    def test_no_path_for_libraries(self):
        for name, said in self.each("--dynamic"):
            if self.is_package:
                self.assertNotRegex(said, r"\((RPATH|RUNPATH)\)")
            else:
                # A build in a checkout may look beside itself, and nowhere else.
                for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", said):
                    self.assertEqual(set(path.split(":")) - {"$ORIGIN"}, set(), name)

    def test_libraries_are_the_systems(self):
        for _, said in self.each("--dynamic"):
            for library in re.findall(r"\(NEEDED\).*\[(.*)\]", said):
                self.assertRegex(library, f"^({LIBRARIES.pattern})$")

    def test_a_c_library_that_is_too_old_is_kept_out(self):
        """Packed relocations take glibc 2.36, and nothing but the package's own field says so."""
        said = run("readelf", "--wide", "--dynamic", self.programs["app-gates"]).stdout
        if self.is_package and "(RELR)" in said:
            self.assertIn("libc6 (>= 2.36)", run("dpkg-deb", "--field", package(), "Depends").stdout)

    def test_the_helpers_hold_no_runtime(self):
        for name in ("app-gates-auth", "app-gates-web"):
            said = run("readelf", "--wide", "--dyn-syms", self.programs[name]).stdout
            self.assertNotRegex(said, r"swift_|_ZN|dispatch_")

    def test_one_program_alone_speaks_to_servers(self):
        for name, said in self.each("--dynamic"):
            self.assertEqual("libsoup-3.0" in said, name == "app-gates-web", name)

    def test_no_rights_of_another(self):
        for name, path in self.programs.items():
            self.assertEqual(path.stat().st_mode & 0o7022, 0, name)
        if self.is_package:
            for line in run("dpkg-deb", "--contents", package()).stdout.splitlines():
                self.assertRegex(line, r"^[-dl][rwx-]{2}[rx-][r-]-[x-][r-]-[x-] root/root ")


if __name__ == "__main__":
    unittest.main()
