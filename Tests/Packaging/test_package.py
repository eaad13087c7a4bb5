"""What stands in the package that `make deb` left in build/, beside its programs."""

import pathlib
import re
import tempfile
import unittest

from packaging import missing, package, run, text

DOC = "usr/share/doc/app-gates"


@unittest.skipIf(package() is None or missing("dpkg-deb"), "there is no package in build/: run make deb")
class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        run("dpkg-deb", "--extract", package(), cls.folder)

    def test_the_toolchain_is_named(self):
        named = (self.folder / DOC / "toolchain").read_text()
        self.assertRegex(named, r"(?m)^Swift version \d+\.\d+.* \(swift-.*\)$")
        self.assertRegex(named, r"(?m)^Target: \w+-unknown-linux-gnu$")
        self.assertIn(f"/{DOC}/toolchain", (self.folder / DOC / "copyright").read_text())

    @unittest.skipIf(package(debug=True) is None or missing("readelf"), "there are no debug symbols in build/")
    def test_it_is_the_one_that_built_it(self):
        """Every module says in its debug symbols which compiler made it; the runtime is that one's."""
        named = re.search(r"Swift version .*", (self.folder / DOC / "toolchain").read_text()).group()
        symbols = self.folder / "symbols"
        run("dpkg-deb", "--extract", package(debug=True), symbols)
        said = "".join(run("readelf", "--decompress", "--string-dump=.debug_str", path, errors="replace").stdout
                       for path in symbols.rglob("*.debug"))
        self.assertEqual(set(re.findall(r"\]\s+(Swift version .*)", said)), {named})

    @unittest.skipIf(package(debug=True) is None or missing("nm"), "there are no debug symbols in build/")
    def test_what_a_start_runs_is_known(self):
        """Other sources and other toolchains have other names; where few are left, the list is worth nothing."""
        listed = {line for line in text("Scripts/start-order.txt").splitlines() if not line.startswith("#")}
        symbols = self.folder / "symbols"
        run("dpkg-deb", "--extract", package(debug=True), symbols)
        there = {line.split()[-1] for path in symbols.rglob("*.debug") for line in run("nm", path).stdout.splitlines()}
        self.assertGreater(len(listed & there), len(listed) * 0.7, "make the list anew with Tests/Bench/order.py")

    def test_no_path_of_the_build_is_left(self):
        """Neither in a program nor in a text: all that was mapped away is below /usr/src."""
        paths = re.compile(rb"/(?:build|home|root|tmp)/[\w./+-]*(?:\.build|Sources|app-gates-\d)")
        for path in self.folder.rglob("*"):
            if path.is_file() and not path.is_relative_to(self.folder / "symbols"):
                with self.subTest(path.relative_to(self.folder)):
                    self.assertIsNone(paths.search(path.read_bytes()))


if __name__ == "__main__":
    unittest.main()
