"""Signing in where something is wrong: each time nobody is let in, a sentence says why, and nothing is left of the try."""

import urllib.parse

from sign_in import GO_ON, HERE, METADATA, THERE, SignInTest, certificate, needs_provider, reply, with_claims
from steps import LOCKED, needs_user

NOT_TAKEN = "The provider did not accept this sign-in. Try again."
NOT_OURS = "The provider’s answer is not for this sign-in, and was not used. Try again."
CLOCK = "The provider’s answer does not fit this computer’s clock. Set the clock right, then try again."
UNREACHED = "The server could not be reached. Check the network, then try again."
UNPROVEN = ("The server cannot prove who it is. If this network asks you to sign in, do that first, then try again.")
OTHER_NAME = "The provider calls itself by another name than expected. Tell whoever set the app up."


@needs_provider
class ForgedTest(SignInTest):
    """What comes to the listener from somebody else."""

    def test_forged_state(self):
        self.direct()
        app = self.start()
        address = self.click(app)
        good = self.back(address)
        query = urllib.parse.parse_qs(urllib.parse.urlparse(good).query)
        state, code = query["state"][0], query["code"][0]
        for forged in (good.replace(state, "A" * 43), good.replace("state=", "xstate="), good + "&state=" + state):
            status, page = self.visit(forged)
            self.assertEqual(status, 403)
            self.assertIn("This does not belong to your sign-in", page)
            self.assertNotIn(code, page)
        self.assertEqual(self.visit(good.replace("/cb?", "/?"))[0], 404)
        # It waits on, and lets the right one in.
        self.assertTrue(app.has("alert", GO_ON))
        self.assertEqual(self.visit(good)[0], 200)
        app.wait_for("text", "Add a todo", seconds=20)
        self.assertEqual(app.close(), 0)

    def test_declined_in_the_browser(self):
        self.direct()
        app = self.start()
        address = self.click(app)
        query = urllib.parse.parse_qs(urllib.parse.urlparse(address).query)
        status, page = self.visit(
            query["redirect_uri"][0] + "?" + urllib.parse.urlencode(
                {"error": "access_denied", "error_description": "<b>no</b>", "state": query["state"][0]}))
        self.assertEqual(status, 200)
        self.assertIn("You are not signed in", page)
        self.assert_refused(app, "The sign-in was declined in the browser. Try again if that was not meant.")
        self.assertEqual(app.close(), 0)

    def test_replayed_code(self):
        """A code that was used already, brought back with the right state."""
        self.direct()
        app = self.start()
        self.sign_in(app)
        self.sign_out(app)
        first = self.click(app)
        old = urllib.parse.urlparse(self.back(first))
        query = dict(urllib.parse.parse_qsl(old.query))
        # Somebody else is quicker, and has used it.
        status, _ = self.provider.token(
            grant_type="authorization_code", code=query["code"], code_verifier="y" * 50,
            redirect_uri=f"http://{old.netloc}/cb")
        self.assertEqual(status, 403)
        app.click("button", "Cancel")
        app.wait_for(*THERE)
        address = self.click(app)
        self.provider.register(address)
        new = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(address).query))
        self.visit(new["redirect_uri"] + "?" + urllib.parse.urlencode({"code": query["code"], "state": new["state"]}))
        self.assert_refused(app, NOT_TAKEN)
        self.assertEqual(app.close(), 0)


@needs_provider
class FrontTest(SignInTest):
    """What is changed between the provider and the app."""

    def refused(self, app, words):
        self.visit(self.back(self.click(app)))
        self.assert_refused(app, words)

    def test_wrong_verifier(self):
        front = self.front()
        app = self.start()
        front.change_form = lambda form: {**form, "code_verifier": "x" * 50}
        self.refused(app, NOT_TAKEN)
        front.change_form = None
        self.sign_in(app)
        self.assertEqual(app.close(), 0)

    def test_id_tokens_that_do_not_hold(self):
        front = self.front()
        app = self.start()
        for changes, words in (
                (dict(exp=1000), CLOCK), (dict(iat=1000), CLOCK), (dict(iat=99999999999, exp=999999999999), CLOCK),
                (dict(nonce="of another"), NOT_OURS), (dict(nonce=None), NOT_OURS), (dict(aud="other"), NOT_OURS),
                (dict(aud=["app-gates-test", "other"], azp="other"), NOT_OURS), (dict(sub=""), NOT_OURS),
                (dict(iss="https://evil.example.org"), NOT_OURS)):
            with self.subTest(changes=changes):
                front.change_answer = lambda answer: {**answer, "id_token": with_claims(answer["id_token"], **changes)}
                self.refused(app, words)
        front.change_answer = lambda answer: {name: value for name, value in answer.items() if name != "id_token"}
        self.refused(app, NOT_OURS)
        front.change_answer = None
        self.sign_in(app)
        self.assertEqual(app.close(), 0)

    def test_an_id_token_of_another_sign_in(self):
        """Whole, of the same user at the same provider; only its nonce is of another time."""
        front = self.front()
        app = self.start()
        kept = []
        front.change_answer = lambda answer: kept.append(answer) or answer
        self.sign_in(app)
        self.sign_out(app)
        front.change_answer = lambda answer: kept[0]
        self.refused(app, NOT_OURS)
        self.assertEqual(app.close(), 0)

    def test_metadata_that_is_refused(self):
        front = self.front()
        app = self.start()
        good = dict(front.metadata)
        for changes, words in (
                (dict(issuer=front.issuer + "/"), OTHER_NAME),
                (dict(token_endpoint="http://example.org/token"),
                 "The provider names an address that is not safe. Tell whoever set the app up."),
                (dict(code_challenge_methods_supported=["plain"]),
                 "The provider cannot sign in apps like this one safely. Tell whoever set the app up."),
                (dict(token_endpoint=None), "What the provider answers cannot be understood. Try again later.")):
            front.metadata = {**good, **changes}
            app.click(*THERE)
            self.assert_refused(app, words)
        front.web.answers[METADATA] = reply(503, b"", [("Retry-After", "60")])
        app.click(*THERE)
        self.assert_refused(app, "The provider is busy. Try again in a few minutes.")
        self.assertEqual(self.opened.read_text(), "")
        self.assertEqual(app.close(), 0)

    def test_a_certificate_that_is_not_trusted(self):
        front = self.front(certificate=certificate(self.world.folder))
        app = self.start()
        app.click(*THERE)
        self.assert_refused(app, UNPROVEN)
        self.assertEqual(front.web.requests, [])
        self.assertEqual(self.opened.read_text(), "")
        # The other way is open.
        app.click(*HERE)
        app.wait_for("list item", "Local milk", seconds=20)
        self.assertEqual(app.close(), 0)

    def test_the_provider_is_down(self):
        self.direct()
        self.provider.stop()
        app = self.start()
        app.click(*THERE)
        self.assert_refused(app, UNREACHED)
        self.provider.start()
        self.sign_in(app)
        self.assertEqual(app.close(), 0)

    def test_down_when_the_browser_comes_back(self):
        front = self.front()
        app = self.start()
        redirect = self.back(self.click(app))
        front.fail = reply(502)
        self.visit(redirect)
        self.assert_refused(app, "The provider cannot do that now (status 502). Try again later.")
        front.fail = None
        self.sign_in(app)
        self.assertEqual(app.close(), 0)

    def test_signing_out_revokes(self):
        front = self.front()
        app = self.start()
        self.sign_in(app)
        refresh = self.tokens()["refresh"]
        self.sign_out(app)
        app.until(lambda: front.sent("/oidc/revoke"), "the provider to be told")
        form = dict(urllib.parse.parse_qsl(front.sent("/oidc/revoke")[0].body.decode()))
        self.assertEqual(form, {"token": refresh, "token_type_hint": "refresh_token", "client_id": "app-gates-test"})
        # Where that fails it is said, and one is signed out all the same.
        front.web.answers["/oidc/revoke"] = reply(500)
        self.sign_in(app)
        self.sign_out(app)
        app.wait_for("alert", "You are signed out here, but the provider could not be told. If others use this computer, "
                              "sign out on the provider’s own page too.")
        self.assertFalse(self.key.exists())
        self.assertEqual(app.close(), 0)


@needs_provider
class LockTest(SignInTest):
    @needs_user
    def test_the_lock_in_between(self):
        """The browser takes the user away from the app: it locks, and the sign-in goes on behind the lock."""
        self.direct(lock=True)
        app = self.world.app()
        app.wait_for("label", LOCKED)
        self.unlock(app)
        app.wait_for(*THERE)
        address = self.click(app)
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)
        self.assert_hidden(app, GO_ON, address, "Copy Address")
        self.assertEqual(self.visit(self.back(address))[0], 200)
        app.until(lambda: self.key.exists(), "the session behind the lock", seconds=15)
        self.assertTrue(app.has("label", LOCKED))
        self.assert_hidden(app, "Add a todo", "Bob Example")
        self.unlock(app)
        app.wait_for("text", "Add a todo")
        self.assertEqual(app.close(), 0)

    @needs_user
    def test_cancelled_after_the_lock(self):
        self.direct(lock=True)
        app = self.world.app()
        self.unlock(app)
        app.wait_for(*THERE)
        self.click(app)
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)
        self.unlock(app)
        app.wait_for("alert", GO_ON)
        app.click("button", "Cancel")
        app.wait_for(*THERE)
        self.assert_nothing_left(app)
        self.assertEqual(app.close(), 0)
