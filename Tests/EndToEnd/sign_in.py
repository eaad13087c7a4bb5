"""What the tests of sign-in begin with: a real provider, what may stand before it, and whoever plays the browser."""

import base64
import json
import pathlib
import re
import sys
import unittest
import urllib.parse

from Rig import Provider, why_no_provider

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Fakes"))

from fake_web import FakeWeb, certificate, reply
from steps import WorldTest

CLIENT = "app-gates-test"
HERE = ("button", "Continue on this computer")
THERE = ("button", "Sign in with 127.0.0.1")
GO_ON = "Go on in your browser. This page waits for you."
CLOSE = "You can close this window"
METADATA = "/oidc/.well-known/openid-configuration"

needs_provider = unittest.skipIf(why_no_provider(), f"{why_no_provider()}")


def claims(token):
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def with_claims(token, **changes):
    """The token with other claims; those that are None are taken out."""
    head, _, mark = token.split(".")
    new = {name: value for name, value in {**claims(token), **changes}.items() if value is not None}
    return ".".join([head, base64.urlsafe_b64encode(json.dumps(new).encode()).rstrip(b"=").decode(), mark])


class Front:
    """A server before the provider: what goes to and comes from its token endpoint can be changed.

    change_form(form) and change_answer(status, answer) return what goes on instead; `fail` answers in the provider's place.
    """

    def __init__(self, certificate=None, **options):
        self.web = FakeWeb(certificate)
        self.issuer = self.web.address("/oidc")
        self.provider = Provider(issuer=self.issuer, **options)
        self.change_form = self.change_answer = self.fail = None
        self.forms = []
        self.metadata = {
            "issuer": self.issuer, "authorization_endpoint": f"{self.provider.api}/oidc/auth",
            "token_endpoint": self.web.address("/oidc/token"), "revocation_endpoint": self.web.address("/oidc/revoke"),
            "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]}
        self.web.answers[METADATA] = lambda *call: reply(200, json.dumps(self.metadata).encode())(*call)
        self.web.answers["/oidc/token"] = self.token
        self.web.answers["/oidc/revoke"] = reply(200)

    def token(self, connection, request):
        form = dict(urllib.parse.parse_qsl(request.body.decode()))
        self.forms.append(form)
        if self.fail:
            return self.fail(connection, request)
        if self.change_form:
            form = self.change_form(form)
        status, answer = self.provider.token(**form)
        if self.change_answer and status == 200:
            answer = self.change_answer(answer)
        body = json.dumps(answer).encode() if isinstance(answer, dict) else answer
        reply(status, body, [("Content-Type", "application/json")])(connection, request)

    def sent(self, path):
        return [request for request in self.web.requests if request.path == path]

    def close(self):
        self.web.close()
        self.provider.close()


class SignInTest(WorldTest):
    """A user who has everything behind them but signing in, with a provider set."""

    def front(self, lock=False, **options):
        front = Front(**options)
        self.addCleanup(front.close)
        self.provider = front.provider
        self.begin(front.issuer, lock)
        return front

    def direct(self, lock=False, **options):
        """The provider with nothing before it."""
        self.provider = Provider(**options)
        self.addCleanup(self.provider.close)
        self.begin(self.provider.issuer, lock)

    def begin(self, issuer, lock):
        self.browser = self.provider.browser()
        self.opened = self.world.program("xdg-open", 'for word; do echo "$# $word" >>"$LOG"; done')
        self.world.secrets(OIDC_ISSUER=issuer, OIDC_CLIENT_ID=CLIENT)
        self.come_back(["Local milk"], lock, sessionName="", sessionStore="", sessionStarted=0)
        self.key.unlink()

    @property
    def key(self):
        return self.world.data / "app-gates/session.key"

    def tokens(self):
        """What the key file holds, or nothing where it is not there."""
        try:
            version, _, line = self.key.read_text().rstrip("\n").partition(" ")
        except FileNotFoundError:
            return None
        self.assertEqual(version, "openid-1")
        return dict(urllib.parse.parse_qsl(line))

    def start(self):
        app = self.world.app()
        app.wait_for(*THERE)
        return app

    def click(self, app):
        """The address that the browser is given after the click."""
        self.opened.write_text("")
        app.click(*THERE)
        return self.wait_opened(app)

    def wait_opened(self, app):
        app.until(lambda: self.opened.read_text().endswith("\n"), "xdg-open to be given an address", seconds=15)
        count, _, address = self.opened.read_text().splitlines()[-1].partition(" ")
        self.assertEqual(count, "1")
        app.wait_for("alert", GO_ON)
        return address

    def back(self, address):
        """Plays the user at the provider; the address that the browser is sent back to, not visited yet."""
        self.provider.register(address)
        return self.browser.authorize(address)

    def visit(self, address):
        """(status, page) of an address of the app's."""
        status, headers, body = self.browser.send("GET", address)
        self.page_headers = headers
        return status, body.decode()

    def sign_in(self, app):
        """All of it; the address that the browser was given."""
        address = self.click(app)
        status, page = self.visit(self.back(address))
        self.assertEqual(status, 200)
        self.assertIn(CLOSE, page)
        app.wait_for("text", "Add a todo", seconds=20)
        return address

    def assert_refused(self, app, words):
        """Back on the sign-in page with these words, and nothing left of the try."""
        app.wait_for("alert", words, seconds=20)
        app.wait_for(*THERE)
        self.assert_nothing_left(app)

    def assert_nothing_left(self, app):
        app.until(lambda: not app.children(), "every program of the app's to end")
        self.assertFalse(self.key.exists())
        self.assertEqual(self.preferences["sessionStore"], "")

    def sign_out(self, app):
        self.open_me(app)
        app.click("button", "Sign Out")
        app.wait_for("label", "Sign Out?")
        [node for node in app.find_all("button", re.compile("Sign Out$")) if node.is_on_screen][-1].click()
        app.wait_for(*HERE)
