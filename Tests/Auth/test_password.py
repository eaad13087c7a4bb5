"""The password service of data/pam.d/debian with the machine's own PAM stack, as an ordinary user."""

from world import PASSWORD, WorldTest


class PasswordTest(WorldTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.user = cls.world.user()

    def test_right(self):
        outcome = self.world.play(self.user, [PASSWORD])
        self.assertVerdict(outcome, "authenticated")
        self.assertEqual((outcome.result["pam"], outcome.result["account"]), (0, 0))
        self.assertTrue(outcome.result["hidden"])
        self.assertFalse(outcome.result["newPassword"] or outcome.result["unchecked"])
        self.assertEqual(outcome.texts("hidden"), ["Password: "])
        self.assertEqual(outcome.of("delay"), [])

    def test_wrong_says_the_delay_and_does_not_sleep(self):
        outcome = self.world.play(self.user, ["wrong"])
        self.assertVerdict(outcome, "refused")
        self.assertTrue(outcome.result["hidden"])
        (delay,) = outcome.of("delay")
        self.assertGreater(delay["us"], 500_000)
        self.assertLess(delay["us"], 5_000_000)
        (prompt,) = outcome.of("hidden")
        self.assertLess(outcome.result["ms"] - prompt["ms"], 1000)

    def test_another_users_password(self):
        self.world.user("somebody else's")
        self.assertVerdict(self.world.play(self.user, ["somebody else's"]), "refused")

    def test_non_ascii(self):
        for secret in ("Grüße, 世界 🔑".encode(), "grüße".encode("latin-1"), b"\x01\x7f tab\t\xff"):
            user = self.world.user(secret)
            self.assertVerdict(self.world.play(user, [secret]), "authenticated")
            self.assertVerdict(self.world.play(user, [secret + b" "]), "refused")

    def test_composed_and_decomposed_are_two(self):
        user = self.world.user("\u00e9t\u00e9")
        self.assertVerdict(self.world.play(user, ["e\u0301te\u0301"]), "refused")
        self.assertVerdict(self.world.play(user, ["\u00e9t\u00e9"]), "authenticated")

    def test_longest(self):
        # libcrypt takes 512 bytes with their NUL: the limit on the wire is PAM's own.
        user = self.world.user("x" * 511)
        self.assertVerdict(self.world.play(user, ["x" * 511]), "authenticated")
        self.assertVerdict(self.world.play(user, ["x" * 510]), "refused")

    def test_what_pam_must_not_see(self):
        for bad in (b"", b"x" * 512, b"x" * 4096, PASSWORD.encode() + b"\0", b"\0" + PASSWORD.encode()):
            outcome = self.world.play(self.user, [bad])
            self.assertVerdict(outcome, "conversation-ended")
            self.assertEqual(outcome.of("delay"), [], "PAM counted it as a try")
            self.assertFalse(outcome.result["hidden"])

    def test_user_without_a_password(self):
        user = self.world.user("", ["passwd", "-d"])
        self.assertVerdict(self.world.play(user, ["x"]), "refused")

    def test_no_new_privs_is_not_wrong(self):
        for secret in (PASSWORD, "wrong"):
            outcome = self.world.play(self.user, [secret], bars=["--no-new-privs"])
            self.assertVerdict(outcome, "unavailable", "no-new-privs")

    def test_language_of_the_user(self):
        # Without the translation installed the prompt is English: what must not happen is that it breaks.
        outcome = self.world.play(self.user, [PASSWORD], environment={"LANG": "C.UTF-8", "LANGUAGE": "de"})
        self.assertVerdict(outcome, "authenticated")


class AccountTest(WorldTest):
    def test_expired(self):
        user = self.world.user(PASSWORD, ["chage", "-E", "1"])
        self.world.service("auth required pam_unix.so\naccount required pam_unix.so")
        outcome = self.world.play(user, [PASSWORD])
        self.assertVerdict(outcome, "account-refused", "account-expired")
        self.assertEqual((outcome.result["pam"], outcome.result["account"]), (0, 13))

    def test_expired_behind_the_stack_of_the_machine(self):
        # Debian's common-account closes with pam_deny, which turns 13 into 7: PAM's own words say what it is.
        user = self.world.user(PASSWORD, ["chage", "-E", "1"])
        outcome = self.world.play(user, [PASSWORD])
        self.assertIn(outcome.verdict, [("account-refused", "account-denied"), ("account-refused", "account-expired")])
        self.assertEqual(outcome.exit, 0)
        self.assertTrue(outcome.of("error"), "PAM's own words are not passed on")

    def test_expired_and_wrong_says_wrong(self):
        user = self.world.user(PASSWORD, ["chage", "-E", "1"])
        self.assertVerdict(self.world.play(user, ["wrong"]), "refused")

    def test_inactive_after_expiry_of_the_password(self):
        user = self.world.user(PASSWORD, ["chage", "-d", "2000-01-01", "-M", "1", "-I", "1"])
        outcome = self.world.play(user, [PASSWORD])
        self.assertEqual(outcome.result["status"], "account-refused", outcome)

    def test_locked(self):
        user = self.world.user(PASSWORD, ["usermod", "-L"])
        self.assertVerdict(self.world.play(user, [PASSWORD]), "refused")

    def test_forced_change_unlocks_with_a_notice(self):
        user = self.world.user(PASSWORD, ["chage", "-d", "0"])
        outcome = self.world.play(user, [PASSWORD])
        self.assertVerdict(outcome, "authenticated")
        self.assertTrue(outcome.result["newPassword"])
        self.assertEqual(outcome.result["account"], 12)
        self.assertEqual(len(outcome.of("hidden")), 1, "a change was attempted")

    def test_codes_of_the_account_phase(self):
        user = self.world.user()
        for code, verdict in (
            (0, ("authenticated", None)), (9, ("authenticated", None)), (12, ("authenticated", None)),
            (13, ("account-refused", "account-expired")), (6, ("account-refused", "account-denied")),
            (7, ("account-refused", "account-denied")), (28, ("account-refused", "account-denied")),
        ):
            self.world.service(f"auth required MODULE prompt\naccount required MODULE code={code}")
            outcome = self.world.play(user, ["one"])
            self.assertVerdict(outcome, *verdict)
            self.assertEqual(outcome.result["unchecked"], code == 9)
            self.assertEqual(outcome.result["newPassword"], code == 12)

    def test_the_account_is_not_asked_after_a_failure(self):
        self.world.service("auth required MODULE code=7\naccount required MODULE exit")
        self.assertVerdict(self.world.play(self.world.user()), "refused")
