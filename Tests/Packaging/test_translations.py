"""The words in other languages: each is in the template, each language is whole, and the files are well formed."""

import gettext
import pathlib
import re
import tempfile
import unittest

import words
from packaging import ID, ROOT, install, missing, run

LANGUAGES = sorted((ROOT / "data/translations").glob("*.po"))
TOOLS = missing("xgettext", "msgfmt", "msgmerge")
# What reads like a sentence. In the log, which is in English, it may go without.
PROSE = re.compile(r"^[A-Z“][^%]*[a-z]+ [a-z]+ |\w \w.*[a-z]\.$")
HANDED = r"(?<![\w.])tr\(|Log\.\w+\(|fatalError\(|(?:assert|precondition)\w*\("
# The one that is put together before it goes there.
LOG_LINE = "var line: String {"
ENDS = (".", "?", "…", ":", ";")


def some(found):
    return "\n  ".join(["", *sorted(found)])


def template():
    """{(words, words for many or "")} of the template, made anew."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "app-gates.pot"
        run(ROOT / "Scripts/translations.sh", file)
        return {(message.one, message.many) for message in words.messages(file)}


@unittest.skipIf(TOOLS, f"{TOOLS}")
class TemplateTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.template = template()

    def test_every_call_is_read(self):
        """A call whose words are no plain literal cannot be translated."""
        places = [literal for path in words.swift_files() for literal in words.literals(path)
                  if literal.is_first]
        self.assertGreater(len(places), 200)
        self.assertEqual(len(places), words.calls(), "give tr( its words as a literal")

    def test_every_word_is_in_it(self):
        asked = words.asked()
        lost = {f"{place}: {pair[0]}" for pair, place in asked.items() if pair not in self.template}
        self.assertFalse(lost, "xgettext misses these, or takes a value for a plural: give values to tr( as names, not "
                               "as literals" + some(lost))

    def test_nothing_else_is_in_it(self):
        files = "".join((ROOT / f"data/{ID}.{kind}").read_text() for kind in ("desktop", "metainfo.xml"))
        files = re.sub(r"\s+", " ", files)
        asked = words.asked()
        other = {one for one, many in self.template if (one, many) not in asked and one not in files}
        self.assertFalse(other, f"in the template, and in no source: {some(other)}")

    def test_no_sentence_on_a_screen_goes_without(self):
        """A literal that reads like a sentence, in the rooms that show something, is handed to tr."""
        for path in words.swift_files():
            if path.parts[len(ROOT.parts) + 1] not in ("Gates", "AppGates", "GtkKit"):
                continue
            for literal in words.literals(path):
                if not PROSE.search(literal.text) or "\n" in literal.text:
                    continue
                self.assertTrue(literal.is_within(HANDED) or LOG_LINE in literal.before,
                                f"{literal.place}: {literal.text}")


@unittest.skipIf(TOOLS, f"{TOOLS}")
class LanguageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.template = template()

    def each(self):
        for path in LANGUAGES:
            for message in words.messages(path):
                yield path.name, message

    def test_they_are_listed(self):
        """And each is in the list of those that are installed."""
        listed = (ROOT / "data/translations/LINGUAS").read_text().splitlines()
        self.assertEqual([line for line in listed if not line.startswith("#")], [path.stem for path in LANGUAGES])
        self.assertIn("de.po", [path.name for path in LANGUAGES])

    def test_well_formed(self):
        for path in LANGUAGES:
            with self.subTest(path.name):
                run("msgfmt", "--check", "--check-accelerators=_", "--output-file=/dev/null", path)

    def test_whole(self):
        for path in LANGUAGES:
            there = {(m.one, m.many): m for m in words.messages(path)}
            lost = {one for one, many in self.template if (one, many) not in there or
                    not all(there[one, many].forms) or "fuzzy" in there[one, many].flags}
            with self.subTest(path.name):
                self.assertFalse(lost, f"{path.name} lacks {len(lost)} of {len(self.template)}; run make translations, "
                                       f"and translate in that file: {some(lost)}")

    def test_as_many_values(self):
        for name, message in self.each():
            for form in filter(None, message.forms):
                with self.subTest(name, words=message.one):
                    # One of something may go without its number.
                    shown = {text.count("%s") for text in (message.one, message.many or message.one)}
                    self.assertIn(form.count("%s"), shown)
                    self.assertEqual(re.findall("%[^s]", form), re.findall("%[^s]", message.one))
            if message.many:
                with self.subTest(name, words=message.many):
                    self.assertEqual(message.forms[-1].count("%s"), message.many.count("%s"))

    def test_as_many_sentences(self):
        """A period, a question mark or a letter to press with Alt that was there is there still."""
        for name, message in self.each():
            for form in filter(None, message.forms):
                with self.subTest(name, words=message.one):
                    for end in ENDS:
                        self.assertEqual(form.endswith(end), message.one.endswith(end))
                    self.assertEqual(len(re.findall(r"_\w", form)), len(re.findall(r"_\w", message.one)))

    def test_installed(self):
        """The program's words, the desktop entry and the metadata; the last two still valid."""
        with tempfile.TemporaryDirectory() as folder:
            install(folder)
            share = pathlib.Path(folder) / "usr/share"
            entry = (share / f"applications/{ID}.desktop").read_text()
            data = (share / f"metainfo/{ID}.metainfo.xml").read_text()
            for path in LANGUAGES:
                with self.subTest(path.name):
                    with open(share / f"locale/{path.stem}/LC_MESSAGES/app-gates.mo", "rb") as file:
                        catalogue = gettext.GNUTranslations(file)
                    for text in ("App Gates is locked", "_Unlock", "Keep todos behind a lock of your own"):
                        self.assertNotEqual(catalogue.gettext(text), text)
                    for key in ("GenericName", "Comment", "Keywords", "Name"):
                        self.assertRegex(entry, rf"(?m)^{key}\[{path.stem}\]=.")
                    self.assertEqual(entry.count(f"\nName[{path.stem}]="), entry.count("\nName="))
                    self.assertIn(f'<summary xml:lang="{path.stem}">', data)
                    self.assertIn(f'<caption xml:lang="{path.stem}">', data)
            for tool, *argv in (("desktop-file-validate", share / f"applications/{ID}.desktop"),
                                ("appstreamcli", "validate", "--strict", "--no-net",
                                 share / f"metainfo/{ID}.metainfo.xml")):
                if not missing(tool):
                    run(tool, *argv)


if __name__ == "__main__":
    unittest.main()
