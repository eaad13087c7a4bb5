"""pam_matrix, the module that pam_wrapper's own tests are made with: passwords from a file, in under a millisecond.

It calls the conversation without a place for answers where it only informs, which has crashed careless programs.
"""

import pathlib
import unittest

from world import PASSWORD, WorldTest

WRAPPER = "libpam_wrapper.so"
STACK = """auth required {matrix} passdb={passwords} {options}
account required {matrix} passdb={passwords} {options}"""


def matrix():
    return next(pathlib.Path("/usr/lib").glob("*/pam_wrapper/pam_matrix.so"), None)


class MatrixTest(WorldTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if matrix() is None:
            raise unittest.SkipTest("needs pam_matrix, of the package libpam-wrapper")
        cls.user, cls.other = cls.world.user(), cls.world.user()
        cls.passwords = cls.world.folder / "passwords"
        cls.passwords.write_text(f"{cls.user}:{PASSWORD}:app-gates\n{cls.other}:{PASSWORD}:login\n")

    def play(self, *answers, options="", user=None, passwords=None):
        self.world.service(STACK.format(matrix=matrix(), passwords=passwords or self.passwords, options=options))
        return self.world.play(user or self.user, answers)

    def test_right_and_wrong(self):
        right = self.play(PASSWORD)
        self.assertVerdict(right, "authenticated")
        self.assertTrue(right.result["hidden"])
        for wrong in ("wrong", PASSWORD + " ", PASSWORD[:-1], PASSWORD.upper(), "x" * 511):
            self.assertVerdict(self.play(wrong), "refused")

    def test_what_pam_must_not_see(self):
        for bad in (b"", b"x" * 512, PASSWORD.encode() + b"\0", PASSWORD.encode() + b"\0x"):
            self.assertVerdict(self.play(bad), "conversation-ended")

    def test_words_without_a_place_for_answers(self):
        right = self.play(PASSWORD, options="verbose")
        self.assertVerdict(right, "authenticated")
        self.assertEqual(right.texts("info"), ["Authentication succeeded"])
        wrong = self.play("wrong", options="verbose")
        self.assertVerdict(wrong, "refused")
        self.assertEqual(wrong.texts("error"), ["Authentication failed"])

    def test_an_answer_that_is_shown_is_no_password(self):
        outcome = self.play(PASSWORD, options="echo")
        self.assertVerdict(outcome, "authenticated")
        self.assertEqual((len(outcome.of("visible")), outcome.of("hidden")), (1, []))
        self.assertFalse(outcome.result["hidden"])

    def test_right_password_for_another_service(self):
        self.assertEqual(self.play(PASSWORD, user=self.other).result["status"], "account-refused")

    def test_unknown_user_and_no_file(self):
        for outcome in (self.play(PASSWORD, user=self.world.user()),
                        self.play(PASSWORD, passwords="/nonexistent")):
            self.assertNotEqual(outcome.result["status"], "authenticated", outcome)
            self.assertEqual(outcome.exit, 0)

    def test_through_pam_wrapper(self):
        # The loader obeys LD_PRELOAD before the helper's first line can run. So nothing but the environment that the
        # app builds for it stands between the helper and another PAM; here it is what makes a test without root.
        library = next(pathlib.Path("/usr/lib").glob(f"*/{WRAPPER}"))
        services = self.world.folder / "wrapped"
        services.mkdir()
        services.chmod(0o755)
        (services / "app-gates").write_text(STACK.format(matrix=matrix(), passwords=self.passwords, options="") + "\n")
        self.world.service("auth required pam_deny.so\naccount required pam_deny.so")
        wrapped = {"LD_PRELOAD": str(library), "PAM_WRAPPER": "1", "PAM_WRAPPER_SERVICE_DIR": str(services)}
        for answer, status in ((PASSWORD, "authenticated"), ("wrong", "refused"), (b"", "conversation-ended")):
            outcome = self.world.play(self.user, [answer], environment=wrapped)
            self.assertVerdict(outcome, status)
            self.assertVerdict(self.world.play(self.user, [answer]), "refused")
