"""The words that the program shows, read out of its Swift sources, and the files of translators.

This is not what makes the template (Scripts/translations.sh does, with xgettext), so that the two can be compared.
"""

import ast
import dataclasses
import re

from packaging import ROOT

# Comments and literals, in the order in which they are tried; what is between them is code.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"""\n.*?"""|(#+)".*?"\1|"(?:\\\((?:[^()]|\([^()]*\))*\)|\\.|[^"\\\n])*"', re.S)

# How far back a call may have begun, in characters.
REACH = 600


@dataclasses.dataclass
class Literal:
    """A string literal in the sources; `before` is the code that leads up to it."""

    place: str
    text: str
    before: str

    @property
    def is_first(self):
        """Whether it is the first argument of tr."""
        return bool(re.search(r"(?<![\w.])tr\(\s*$", self.before))

    def is_within(self, call):
        """Whether it is somewhere in the parentheses that this pattern ends with."""
        for match in re.finditer(call, self.before):
            rest = TOKEN.sub("", self.before[match.end():])
            if rest.count("(") >= rest.count(")"):
                return True
        return False


def swift_files():
    """All but the one that says what tr is."""
    return sorted(path for path in (ROOT / "Sources").rglob("*.swift") if path.name != "Translation.swift")


def literals(path):
    """All string literals of a file, those within an interpolation too."""
    source = path.read_text()

    def within(text, offset):
        for match in TOKEN.finditer(text):
            token = match.group()
            if token.startswith('"'):
                start = offset + match.start()
                line = source.count("\n", 0, start) + 1
                before = source[max(0, start - REACH):start]
                yield Literal(f"{path.relative_to(ROOT)}:{line}", token.strip('"'), before)
                for inner in re.finditer(r"\\\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)", token):
                    yield from within(inner.group(1), start + inner.start(1))

    yield from within(source, 0)


def asked():
    """{(words, words for many or ""): place} of each call of tr in the sources; the second of tr(one, many, count:)."""
    found, one = {}, None
    for path in swift_files():
        for literal in literals(path):
            if literal.is_first:
                one = unescaped(literal.text)
                found[one, ""] = literal.place
            elif one and re.search(r"(?<![\w.])tr\(\s*\"[^\"]*\",\s*$", literal.before):
                rest = path.read_text().split(f'"{literal.text}"', 1)[1]
                if re.match(r",\s*count:", rest):
                    del found[one, ""]
                    found[one, unescaped(literal.text)] = literal.place
    return found


def calls():
    """How many calls of tr there are, counted without a look at what they are given."""
    def code(path):
        return TOKEN.sub(lambda m: "" if m.group().startswith("/") else m.group(), path.read_text())
    return sum(len(re.findall(r"(?<![\w.])tr\(", code(path))) for path in swift_files())


def unescaped(text):
    return ast.literal_eval('"' + re.sub(r"\\u\{(\w+)\}", lambda m: chr(int(m[1], 16)), text) + '"')


@dataclasses.dataclass
class Message:
    """One message of a translators' file."""

    one: str = ""
    many: str = ""
    forms: list = dataclasses.field(default_factory=list)
    flags: set = dataclasses.field(default_factory=set)


def messages(path):
    """The messages of a .po or .pot file but for its header and what is not used any more."""
    for block in path.read_text().split("\n\n"):
        message, into = Message(), None
        values = {"msgid": "", "msgid_plural": ""}
        for line in block.splitlines():
            if line.startswith("#,"):
                message.flags |= set(line[2:].replace(",", " ").split())
            if line.startswith("#") or not line.strip():
                continue
            keyword, _, rest = line.partition(" ") if not line.startswith('"') else (into, "", line)
            into = keyword
            values[keyword] = values.get(keyword, "") + ast.literal_eval(rest)
        message.one, message.many = values["msgid"], values["msgid_plural"]
        message.forms = [value for key, value in values.items() if key.startswith("msgstr")]
        if message.one:
            yield message
