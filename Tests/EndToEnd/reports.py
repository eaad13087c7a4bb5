"""Steps of tests that send reports, besides those of the journey."""

import configparser
import sys

from steps import ROOT

sys.path.append(str(ROOT / "Tests/Fakes"))
from fake_web import FakeWeb, reply  # noqa: E402

CARD = ("label", "Something went wrong")
PATH = "/below/api/42/envelope/"
WORDS = "Es ging schief: äöü"


class Reports:
    """What the tests have in common; `world` is theirs."""

    def serve(self, answer=reply(200, b"{}")):
        web = FakeWeb()
        self.addCleanup(web.close)
        web.answers[PATH] = answer
        return web

    def address(self, web):
        return f"http://public:secret@127.0.0.1:{web.port}/below/42"

    @property
    def folder(self):
        return self.world.state / "app-gates/reports"

    def kept(self):
        """{file's name: {key: value}}"""
        found = {}
        for path in self.folder.glob("*.ini"):
            parser = configparser.ConfigParser(interpolation=None, delimiters="=", comment_prefixes=())
            parser.optionxform = str
            try:
                parser.read(path)
            except configparser.Error:
                continue  # just being replaced
            found[path.stem] = dict(parser[parser.sections()[0]]) if parser.sections() else {}
        return found

    def states(self):
        return sorted(keys.get("state", "") for name, keys in self.kept().items() if name != "limits")

    def see(self, app, name):
        """Waits until a label is on the screen: pages that are not shown are in the tree as well."""
        app.look_until(lambda: any(node.is_on_screen for node in app.find_all("label", name)), f"{name} on the screen", 10)

    def write_report(self, app, role_name="What happened", words=WORDS):
        app.wait_for("text", role_name, states=("focused",))
        app.set_text("text", role_name, words)
        app.look_until(lambda: app.find("text", role_name).text == words, "the words", 5)
