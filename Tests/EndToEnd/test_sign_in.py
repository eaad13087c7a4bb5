"""Signing in with a real provider: from the click to the list, and whose list that is."""

import urllib.parse

from sign_in import CLIENT, HERE, THERE, SignInTest, needs_provider


@needs_provider
class WayTest(SignInTest):
    def test_in_and_out_and_in_again(self):
        self.direct()
        app = self.start()
        self.assertTrue(app.has(*HERE))
        address = self.sign_in(app)
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(address).query))
        self.assertEqual((query["client_id"], query["response_type"], query["code_challenge_method"]),
                         (CLIENT, "code", "S256"))
        self.assertRegex(query["redirect_uri"], r"^http://127\.0\.0\.1:[0-9]+/cb$")
        for name in ("state", "nonce", "code_challenge"):
            self.assertRegex(query[name], "^[A-Za-z0-9_-]{43}$")
        self.assertEqual(self.page_headers["Referrer-Policy"], "no-referrer")
        self.assertEqual(self.page_headers["Cache-Control"], "no-store")
        app.until(lambda: not app.children(), "the listener to end")
        tokens = self.tokens()
        self.assertEqual((tokens["issuer"], tokens["client"]), (self.provider.issuer, CLIENT))
        self.assertEqual(self.preferences["sessionName"], "Bob Example")
        self.assertEqual(self.preferences["sessionIssuer"], self.provider.issuer)
        self.assertNotIn(tokens["refresh"], app.log)

        # The list is the account's own, and stays with it.
        self.assert_hidden(app, "Local milk")
        app.set_text("text", "Add a todo", "Bob's bread")
        app.key("Return")
        app.wait_for("list item", "Bob's bread")
        self.sign_out(app)
        self.assertFalse(self.key.exists())
        self.assert_hidden(app, "Bob's bread")
        app.click(*HERE)
        app.wait_for("list item", "Local milk", seconds=20)
        self.assert_hidden(app, "Bob's bread")
        self.sign_out(app)
        self.sign_in(app)
        app.wait_for("list item", "Bob's bread")
        self.assert_hidden(app, "Local milk")
        self.assertEqual(app.close(), 0)

        # The next start falls straight through to the same list.
        app = self.world.app()
        app.wait_for("list item", "Bob's bread")
        self.assertEqual(app.close(), 0)

    def test_without_a_provider_there_is_one_way(self):
        self.direct()
        self.world.secrets()
        app = self.world.app()
        app.wait_for(*HERE)
        self.assertFalse(app.has(*THERE))
        self.assertEqual(app.close(), 0)

    def test_given_up_in_the_browser(self):
        """Nothing comes back; Cancel, and nothing is left. The other way is open at once."""
        self.direct()
        app = self.start()
        address = self.click(app)
        listener = app.children()
        self.assertEqual(len(listener), 1)
        app.click("button", "Cancel")
        app.wait_for(*THERE)
        self.assert_nothing_left(app)
        redirect = self.back(address)
        with self.assertRaises(OSError):
            self.visit(redirect)
        self.sign_in(app)
        self.assertEqual(app.close(), 0)

    def test_by_keyboard_alone(self):
        self.direct()
        app = self.start()
        app.wait_for(*THERE, states=("focused",))
        app.key("Return")
        address = self.wait_opened(app)
        app.wait_for("button", "Cancel", states=("focused",))
        self.opened.write_text("")
        app.key("alt+o")
        self.assertEqual(self.wait_opened(app), address)
        self.visit(self.back(address))
        app.wait_for("text", "Add a todo", seconds=20)
        self.assertEqual(app.close(), 0)

    def test_asks_for_attention_when_the_browser_is_done(self):
        self.direct()
        app = self.start()
        address = self.click(app)
        with self.world.display.other_window():
            app.until(lambda: not app.is_active, "the browser in front")
            self.visit(self.back(address))
            app.until(lambda: app.is_active or "_NET_WM_STATE_DEMANDS_ATTENTION" in self.state(app), "the app to ask")
        self.assertEqual(app.close(), 0)

    def state(self, app):
        return self.world.run(["xprop", "-id", str(app.window), "_NET_WM_STATE"]).stdout.decode()

    def test_no_browser(self):
        self.direct()
        app = self.start()
        for script, words in (
                ("exit 3", "No browser could be opened. Copy the address into one."),
                ("exit 0", "")):
            self.world.program("xdg-open", 'echo "$# $1" >>"$LOG"; ' + script)
            address = self.click(app)
            if words:
                app.wait_for("alert", words)
            app.click("button", "Copy Address")
            app.wait_for("alert", "Copied. Paste it into your browser; this page waits for you.")
            app.click("button", "Cancel")
            app.wait_for(*THERE)
        self.assertEqual(app.close(), 0)

    def test_the_app_ends_while_the_browser_is_out(self):
        self.direct()
        for end in ("close", "kill"):
            app = self.start()
            address = self.click(app)
            getattr(app, end)()
            redirect = urllib.parse.parse_qs(urllib.parse.urlparse(address).query)["redirect_uri"][0]
            app.until(lambda: self.is_deaf(redirect), "nobody to listen any more")

    def is_deaf(self, address):
        try:
            self.visit(address)
        except OSError:
            return True
        return False
