"""The real pam_faillock with a tally: what it says, how long it locks, and what ends it.

As an ordinary user the machine's own tally in /var/run/faillock cannot be written, and nothing is counted; so the
tally lies in a folder of the user's. The stack is the second example of pam_faillock(8).
"""

import shutil
import struct
import unittest

from world import PASSWORD, WorldTest

MODULE = "pam_faillock.so dir={tally} deny=3 unlock_time=600"
STACK = """auth {preauth} MODULE preauth
auth sufficient pam_unix.so
auth [default=die] MODULE authfail
auth required pam_deny.so
account required {account}
account required pam_unix.so"""
# struct tally of pam_faillock's faillock.h: source, reserved, status, time.
TALLY = struct.Struct("<52sHHQ")
LOCKED = ["The account is locked due to 3 failed logins.", "(10 minutes left to unlock)"]


class FaillockTest(WorldTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if shutil.which("faillock") is None:
            raise unittest.SkipTest("needs faillock, of the package libpam-modules-bin")
        cls.tally = cls.world.folder / "tally"
        cls.tally.mkdir()

    def setUp(self):
        super().setUp()
        self.user = self.world.user()
        self.tally.chmod(0o1777)
        self.stack()

    def stack(self, preauth="required", account="MODULE"):
        text = STACK.format(preauth=preauth, account=account).replace("MODULE", MODULE.format(tally=self.tally))
        self.world.service(text)

    def play(self, *answers):
        return self.world.play(self.user, answers)

    def fail(self, times):
        for _ in range(times):
            self.assertVerdict(self.play("wrong"), "refused")

    def counted(self):
        """How many failed tries faillock itself knows of."""
        done = self.world.inside(["faillock", "--dir", str(self.tally), "--user", self.user])
        # A heading for the user and one for the columns; then one line a try, "V" where it still counts.
        return sum(line.rstrip().endswith("V") for line in done.stdout.decode().splitlines()[2:])

    def age(self, seconds):
        """Lets the tries lie so far back."""
        file = self.tally / self.user
        tries = [list(TALLY.unpack(part)) for part in map(bytes, zip(*[iter(file.read_bytes())] * TALLY.size))]
        file.write_bytes(b"".join(TALLY.pack(*each[:3], each[3] - seconds) for each in tries))

    def test_each_wrong_password_counts_once(self):
        for number in range(1, 4):
            self.fail(1)
            self.assertEqual(self.counted(), number)

    def test_a_question_that_is_left_does_not_count(self):
        # Cancel closes the channel or ends the helper. An answer that is refused would count, since the module in front
        # has failed then: the app looks at what was typed before it answers.
        for action in ("close", "kill"):
            self.assertNoVerdict(self.world.play(self.user, at={"prompt": action}))
            self.assertEqual(self.counted(), 0)

    def test_locked_it_says_so_and_for_how_long(self):
        self.fail(3)
        outcome = self.play(PASSWORD)
        self.assertVerdict(outcome, "refused")
        self.assertEqual(outcome.texts("info"), LOCKED)
        self.assertEqual(outcome.texts("hidden"), ["Password: "], "preauth is only required here: it asks all the same")
        kinds = [e["type"] for e in outcome.events]
        self.assertLess(kinds.index("info"), kinds.index("hidden"), "the words come before the question")

    def test_locked_without_a_question(self):
        self.stack(preauth="requisite")
        self.fail(3)
        outcome = self.play(PASSWORD)
        self.assertVerdict(outcome, "refused")
        self.assertEqual(outcome.texts("info"), LOCKED)
        self.assertEqual(outcome.of("hidden"), [])
        self.assertFalse(outcome.result["hidden"], "no password was asked for: none was wrong")

    def test_the_time_that_is_left_falls(self):
        self.fail(3)
        self.age(485)
        self.assertEqual(self.play(PASSWORD).texts("info")[1], "(2 minutes left to unlock)")

    def test_unlocked_when_the_time_is_over(self):
        self.fail(3)
        self.age(601)
        outcome = self.play(PASSWORD)
        self.assertVerdict(outcome, "authenticated")
        self.assertEqual(outcome.texts("info"), [])

    def test_reset_by_the_administrator(self):
        self.fail(3)
        self.world.set_up(["faillock", "--dir", str(self.tally), "--user", self.user, "--reset"])
        self.assertVerdict(self.play(PASSWORD), "authenticated")

    def test_success_ends_the_tally_through_the_account_phase(self):
        self.fail(2)
        self.assertVerdict(self.play(PASSWORD), "authenticated")
        self.assertEqual(self.counted(), 0)
        self.fail(2)
        self.assertVerdict(self.play(PASSWORD), "authenticated")

    def test_without_an_account_line_the_tally_survives(self):
        # That it is the account phase which ends it, and not something else on the way.
        self.stack(account="pam_permit.so")
        self.fail(2)
        self.assertVerdict(self.play(PASSWORD), "authenticated")
        self.assertEqual(self.counted(), 2)

    def test_a_tally_that_cannot_be_written_locks_nobody_out(self):
        self.tally.chmod(0o755)
        self.fail(4)
        self.assertVerdict(self.play(PASSWORD), "authenticated")

    def test_one_users_tally_is_not_anothers(self):
        self.fail(3)
        self.assertVerdict(self.world.play(self.world.user(), [PASSWORD]), "authenticated")

    def test_a_finger_does_not_count(self):
        self.fail(2)
        self.world.service("auth required MODULE code=11", "app-gates-fingerprint")
        self.assertVerdict(self.world.play(self.user, service="app-gates-fingerprint"), "maxtries")
        self.assertEqual(self.counted(), 2)
