"""Which service, which user, which version: what the helper looks at before PAM, and how it reads PAM's codes."""

import wire
import world
from world import PASSWORD, WorldTest


class ServiceTest(WorldTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.user = cls.world.user()

    def test_missing_file_does_not_fall_to_other(self):
        for name in ("app-gates", "app-gates-fingerprint"):
            self.world.service(None, name)
            self.world.service("auth required pam_permit.so\naccount required pam_permit.so", "other")
            outcome = self.world.play(self.user, [PASSWORD], service=name)
            self.assertVerdict(outcome, "unavailable", "service-missing")
            self.assertEqual(outcome.result["pam"], -1)

    def test_unreadable_file_counts_as_missing(self):
        self.world.service("auth required MODULE code=0")
        (self.world.etc / "pam.d/app-gates").chmod(0o600)
        self.assertVerdict(self.world.play(self.user), "unavailable", "service-missing")
        (self.world.etc / "pam.d/app-gates").unlink()
        (self.world.etc / "pam.d/app-gates").mkdir()
        self.assertVerdict(self.world.play(self.user), "unavailable", "service-missing")
        (self.world.etc / "pam.d/app-gates").rmdir()

    def test_only_our_two_services(self):
        for name in ("su", "login", "other", "app-gates-", "app-gate", "../pam.d/app-gates", "APP-GATES"):
            outcome = self.world.play(self.user, [PASSWORD], service=name)
            self.assertVerdict(outcome, "unavailable", "service-unknown")

    def test_other_version(self):
        for version in ("0.0.9", world.version() + ".1", world.version()[:-1] or "x"):
            outcome = self.world.play(self.user, first=wire.hello(version, "app-gates").hex())
            self.assertVerdict(outcome, "unavailable", "version-mismatch")
            self.assertEqual(outcome.texts("hello"), [world.version()])

    def test_root(self):
        outcome = self.world.play("root", ids=["--reuid=0"])
        self.assertVerdict(outcome, "unavailable", "root")

    def test_real_and_effective_user_differ(self):
        number = next(l.split(":")[2] for l in (self.world.etc / "passwd").read_text().splitlines()
                      if l.startswith(self.user + ":"))
        # The channel is checked first: it is the real user's. What is left of the mix is refused by sentence.
        for ids in (["--ruid=0", f"--euid={number}"], [f"--ruid={number}", "--euid=0"]):
            outcome = self.world.play(self.user, ids=ids)
            self.assertTrue(outcome.verdict is None or outcome.verdict == ("unavailable", "not-self"), outcome)

    def test_user_without_an_entry(self):
        outcome = self.world.play(None, ids=["--reuid=59999", "--clear-groups"])
        self.assertVerdict(outcome, "unavailable", "no-user")

    def test_codes(self):
        for code, verdict in (
            (7, ("refused", None)), (6, ("refused", None)), (8, ("unavailable", "authinfo-unavail")),
            (9, ("unavailable", "authinfo-unavail")), (10, ("unavailable", "user-unknown")), (11, ("maxtries", None)),
            (13, ("account-refused", "account-expired")), (3, ("unavailable", "pam-error")),
            (4, ("unavailable", "pam-error")), (19, ("conversation-ended", None)),
        ):
            self.world.service(f"auth requisite MODULE code={code}\naccount required MODULE exit")
            outcome = self.world.play(self.user)
            self.assertVerdict(outcome, *verdict)
            self.assertEqual(outcome.result["account"], -1)

    def test_module_that_is_not_there(self):
        self.world.service("auth required pam_no_such_module.so\naccount required pam_permit.so")
        self.assertVerdict(self.world.play(self.user), "unavailable", "pam-error")

    def test_null_passwords_are_barred(self):
        self.world.service("auth required MODULE prompt null-barred\naccount required MODULE code=0 null-barred")
        self.assertVerdict(self.world.play(self.user, ["one"]), "authenticated")

    def test_success_without_a_prompt_says_so(self):
        for line in ("code=0", "visible"):
            self.world.service(f"auth required MODULE {line}\naccount required pam_permit.so")
            outcome = self.world.play(self.user, ["one"])
            self.assertVerdict(outcome, "authenticated")
            self.assertFalse(outcome.result["hidden"])

    def test_a_prompt_of_the_account_phase_is_no_password(self):
        self.world.service("auth required MODULE code=0\naccount required MODULE prompt")
        outcome = self.world.play(self.user, ["one"])
        self.assertVerdict(outcome, "authenticated")
        self.assertFalse(outcome.result["hidden"])

    def test_neither_credentials_nor_session(self):
        self.world.service("auth required MODULE prompt\naccount required MODULE code=0\nsession required MODULE x")
        self.assertEqual(self.world.play(self.user, ["one"]).texts("info"), [])


class FingerprintTest(WorldTest):
    NAME = "app-gates-fingerprint"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.user = cls.world.user()

    def play(self, text, **plan):
        self.world.service(text, self.NAME)
        return self.world.play(self.user, service=self.NAME, **plan)

    def test_match(self):
        outcome = self.play("auth required MODULE code=0")
        self.assertVerdict(outcome, "authenticated")
        self.assertFalse(outcome.result["hidden"])

    def test_the_account_is_never_asked(self):
        outcome = self.play("auth required MODULE code=0\naccount required MODULE exit")
        self.assertVerdict(outcome, "authenticated")
        self.assertEqual(outcome.result["account"], -1)

    def test_the_finger_of_somebody_else(self):
        other = self.world.user()
        outcome = self.play(f"auth required MODULE user={other}")
        self.assertVerdict(outcome, "unavailable", "user-changed")

    def test_no_reader_and_no_match_are_two(self):
        self.assertVerdict(self.play("auth required MODULE code=9"), "unavailable", "authinfo-unavail")
        self.assertVerdict(self.play("auth required MODULE code=11"), "maxtries")
        self.assertVerdict(self.play("auth required MODULE code=7"), "refused")

    def test_no_new_privs_does_not_matter(self):
        outcome = self.play("auth required MODULE code=9", bars=["--no-new-privs"])
        self.assertVerdict(outcome, "unavailable", "authinfo-unavail")

    def test_a_prompt_means_that_the_file_is_not_ours(self):
        for line in ("prompt", "visible", "two", "together", "stubborn"):
            outcome = self.play(f"auth required MODULE {line}")
            self.assertVerdict(outcome, "unavailable", "service-asks")
            self.assertEqual(outcome.of("hidden") + outcome.of("visible"), [], "the prompt was passed on")

    def test_a_file_without_an_auth_line_asks_as_other_does(self):
        # PAM fills the gap from "other", which here asks for a password.
        outcome = self.play("# nothing")
        self.assertVerdict(outcome, "unavailable", "service-asks")
        self.assertEqual(outcome.of("delay"), [])

    def test_messages_are_passed_on(self):
        outcome = self.play("auth required MODULE broken-text")
        self.assertVerdict(outcome, "authenticated")
        self.assertEqual(outcome.texts("error"), ["caf\xe9 \xc3 \xff\x1b[31m"])
        self.assertEqual(outcome.texts("info"), [""])


class FilesTest(WorldTest):
    """The files of data/pam.d as they are shipped, read by PAM itself."""

    def test_every_file_is_taken_by_pam(self):
        user = self.world.user()
        for distribution in ("fedora", "arch", "opensuse"):
            for file in (world.ROOT / "data/pam.d" / distribution).iterdir():
                self.world.service(file.read_text(), file.name)
            # What these files include exists there and not here: Debian's own stack stands in.
            for name in ("system-auth", "password-auth"):
                self.world.service("auth required pam_unix.so\naccount required pam_unix.so", name)
            self.assertVerdict(self.world.play(user, [PASSWORD]), "authenticated")
            self.assertVerdict(self.world.play(user, ["wrong"]), "refused")

    def test_fingerprint_files_hold_one_line(self):
        for file in (world.ROOT / "data/pam.d").glob("*/app-gates-fingerprint"):
            lines = [l for l in file.read_text().splitlines() if l and not l.startswith("#")]
            self.assertEqual(len(lines), 1, file)
            self.assertTrue(lines[0].startswith("auth required pam_fprintd.so "), file)
