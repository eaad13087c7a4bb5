"""A session with a provider over time: renewed while the app is unlocked, kept where the provider cannot be reached, and
ended by the provider's own word alone."""

import re
import threading
import time
import urllib.parse

from sign_in import HERE, THERE, SignInTest, needs_provider, reply
from steps import LOCKED, needs_user

ENDED = "The provider has ended your session. Sign in again: your todos are still here, and belong to your account."
OFFLINE = re.compile("Offline: the provider cannot be reached, and your session stays. It is tried again by itself.")
CONFIRMED = re.compile("The provider has confirmed your session.")
# Renewed a second before its end; the first pause after a fault is 30 seconds.
SHORT, PATIENCE = 5, 60


@needs_provider
class RenewalTest(SignInTest):
    def signed_in(self):
        app = self.start()
        self.sign_in(app)
        app.set_text("text", "Add a todo", "Bob's bread")
        app.key("Return")
        app.wait_for("list item", "Bob's bread")
        return app

    def wait_renewed(self, app, old):
        app.until(lambda: self.tokens()["refresh"] != old["refresh"], "new tokens", seconds=PATIENCE)
        return self.tokens()

    def test_renewed_again_and_again(self):
        self.direct(access=SHORT)
        app = self.signed_in()
        tokens = self.tokens()
        for _ in range(3):
            new = self.wait_renewed(app, tokens)
            self.assertNotEqual(new["access"], tokens["access"])
            tokens = new
        self.open_me(app)
        app.wait_for("label", CONFIRMED)
        self.assertEqual(app.close(), 0)
        # What is stored is what the next run goes on with.
        app = self.world.app()
        app.wait_for("list item", "Bob's bread")
        self.wait_renewed(app, tokens)
        self.assertEqual(app.close(), 0)

    def test_the_end_waits_for_a_renewal_under_way(self):
        front = self.front(access=SHORT)
        app = self.signed_in()
        rolled, go = threading.Event(), threading.Event()
        self.addCleanup(go.set)

        def slowly(answer):
            rolled.set()
            go.wait(PATIENCE)
            return answer

        front.change_answer = slowly
        # The provider has taken the old token back, and its answer is on its way.
        app.until(rolled.is_set, "a renewal", seconds=PATIENCE)
        tokens = self.tokens()
        app.key("ctrl+q")
        app.until(lambda: not app.windows(), "the window to go")
        go.set()
        self.assertEqual(app.wait(), 0)
        self.assertNotEqual(self.tokens()["refresh"], tokens["refresh"])
        front.change_answer = None
        app = self.world.app()
        app.wait_for("list item", "Bob's bread")
        self.wait_renewed(app, self.tokens())
        # One that never comes holds nothing up for long.
        front.fail = lambda connection, request: (rolled.set(), go.clear(), go.wait(PATIENCE))
        rolled.clear()
        app.until(rolled.is_set, "one more", seconds=PATIENCE)
        self.assertEqual(app.close(), 0)

    def test_renewed_in_the_keyring(self):
        keyring = self.world.keyring()
        front = self.front(access=SHORT)
        app = self.signed_in()
        self.assertFalse(self.key.exists())
        self.assertEqual(self.preferences["sessionStore"], "keyring")

        def stored():
            line = re.search(r"secret = openid-1 (\S+)\n", keyring.search(app="app-gates")).group(1)
            return dict(urllib.parse.parse_qsl(line))

        old = stored()
        app.until(lambda: stored()["refresh"] != old["refresh"], "new tokens in the keyring", seconds=PATIENCE)
        # Locked, nothing new can be written there, so that nothing is asked for either.
        self.assertEqual(app.close(), 0)
        keyring.restart_locked()
        front.forms.clear()
        app = self.world.app()
        app.wait_for("list item", "Bob's bread")
        self.open_me(app)
        app.wait_for("label", re.compile("Your keyring is locked"))
        self.assertEqual(front.forms, [])
        self.assertEqual(app.close(), 0)

    def test_revoked_by_the_user_at_the_provider(self):
        self.direct(access=SHORT)
        app = self.signed_in()
        self.provider.revoke_all(self.browser)
        app.wait_for("alert", ENDED, seconds=PATIENCE)
        self.assert_hidden(app, "Bob's bread")
        app.until(lambda: not self.key.exists(), "the secret to be removed")
        self.sign_in(app)
        app.wait_for("list item", "Bob's bread")
        self.assertEqual(app.close(), 0)

    def test_ended_by_the_providers_word(self):
        front = self.front(access=SHORT)
        app = self.signed_in()
        front.fail = reply(400, b'{"error":"invalid_grant"}')
        app.wait_for("alert", ENDED, seconds=PATIENCE)
        self.assertEqual(app.close(), 0)
        app = self.world.app()
        app.wait_for(*THERE)
        self.assertTrue(app.has(*HERE))
        self.assertEqual(app.close(), 0)

    def test_down_for_a_while(self):
        self.direct(access=SHORT)
        app = self.signed_in()
        self.provider.stop()
        self.open_me(app)
        app.wait_for("label", OFFLINE, seconds=PATIENCE)
        tokens = self.tokens()
        self.assertEqual(app.close(), 0)
        # A start without it: the list is there, and nothing is asked of the user.
        app = self.world.app()
        app.wait_for("list item", "Bob's bread")
        self.open_me(app)
        app.wait_for("label", OFFLINE, seconds=PATIENCE)
        self.assertEqual(self.tokens(), tokens)
        self.provider.start()
        app.wait_for("label", CONFIRMED, seconds=PATIENCE)
        self.assertNotEqual(self.tokens(), tokens)
        self.assertEqual(app.close(), 0)

    def test_faults_of_the_server_end_nothing(self):
        front = self.front(access=SHORT)
        app = self.signed_in()
        front.fail = reply(500, b'{"error":"invalid_grant"}')
        front.forms.clear()
        self.open_me(app)
        app.wait_for("label", OFFLINE, seconds=PATIENCE)
        self.assertEqual(front.forms[0]["grant_type"], "refresh_token")
        front.fail = None
        app.wait_for("label", CONFIRMED, seconds=PATIENCE)
        self.assertEqual(app.close(), 0)

    def test_tried_again_on_a_click_where_it_is_not_by_itself(self):
        front = self.front(access=SHORT)
        app = self.signed_in()
        front.fail = reply(400, b'{"error":"invalid_client"}')
        self.open_me(app)
        app.wait_for("label", re.compile("The session cannot be renewed"), seconds=PATIENCE)
        asked = len(front.forms)
        front.fail = None
        app.click("button", "Try Again")
        # At once, and not after the pause of half a minute and more.
        app.wait_for("label", CONFIRMED, seconds=15)
        self.assertGreater(len(front.forms), asked)
        app.wait_gone("label", "Renew the Session")
        self.assertEqual(app.close(), 0)

    @needs_user
    def test_nothing_is_asked_while_locked(self):
        front = self.front(lock=True, access=SHORT)
        app = self.world.app()
        self.unlock(app)
        app.wait_for(*THERE)
        self.sign_in(app)
        self.wait_renewed(app, self.tokens())
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)
        before = len(front.forms)
        # Past its end, and past the ten seconds that lie between two renewals at least: what would have been asked for
        # has had its time.
        app.until(lambda: time.time() > int(self.tokens()["issued"]) + 13, "the token's end", seconds=PATIENCE)
        self.assertLessEqual(len(front.forms), before + 1)  # one may have been on its way
        during = len(front.forms)
        tokens = self.tokens()
        self.unlock(app)
        self.wait_renewed(app, tokens)
        self.assertGreater(len(front.forms), during)
        self.assertEqual(app.close(), 0)
