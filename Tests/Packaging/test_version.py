"""The version is written down once; wherever else it stands, it is the same."""

import re
import unittest
import xml.etree.ElementTree

from packaging import BINARIES, ID, PROGRAMS, ROOT, run, text, version


class VersionTest(unittest.TestCase):
    def test_the_changelog(self):
        self.assertEqual(re.match(r"app-gates \(([^)]+)\) ", text("debian/changelog")).group(1), version())

    def test_the_newest_release_in_appstream(self):
        releases = xml.etree.ElementTree.parse(ROOT / f"data/{ID}.metainfo.xml").findall("releases/release")
        dates = [release.get("date") for release in releases]
        self.assertEqual(dates, sorted(dates, reverse=True), "the newest release comes first")
        self.assertEqual(releases[0].get("version"), version())

    def test_each_program(self):
        for name in PROGRAMS:
            with self.subTest(name):
                self.assertEqual(run(BINARIES / name, "--version").stdout.strip(), f"{name} {version()}")

    def test_about_and_version_take_it_from_the_one_source(self):
        written = [path.relative_to(ROOT) for folder in ("Sources", "Scripts") for path in (ROOT / folder).rglob("*.*")
                   if path.suffix in (".swift", ".c", ".h", ".sh", ".py") and f'"{version()}"' in path.read_text()]
        self.assertEqual([str(path) for path in written], ["Sources/AuthWire/include/AppGatesVersion.h"])
