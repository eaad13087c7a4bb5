"""The fingerprint service with the real pam_fprintd and the real fprintd: each of its answers, and what the helper
makes of it. Times are printed and not asserted: the machine may be busy."""

import pathlib
import signal

from reader import ASKS, LINE, WRONG, ReaderTest
from Rig.etc import TestUser


class MatchTest(ReaderTest):
    def test_match(self):
        outcome = self.scan(self.begin())
        self.assertVerdict(outcome, "authenticated")
        self.assertEqual((outcome.result["pam"], outcome.result["account"], outcome.result["hidden"]), (0, -1, False))
        self.assertEqual(self.told(outcome), [ASKS])

    def test_one_wrong_finger_ends_the_service_as_it_is_shipped(self):
        # A try for each start of the helper: the app counts them, and decides when there is another.
        outcome = self.scan(self.begin(), "other")
        self.assertVerdict(outcome, "maxtries")
        self.assertEqual(self.told(outcome), [ASKS, WRONG])

    def test_no_match_until_the_tries_are_used_up(self):
        for tries in (1, 3):
            self.service(f"{LINE} max-tries={tries} timeout=30")
            play = self.begin()
            for _ in range(tries - 1):
                self.scan_and_wait("other")
            outcome = self.scan(play, "other")
            self.assertVerdict(outcome, "maxtries")
            self.assertEqual(outcome.result["pam"], 11)
            self.assertEqual(self.told(outcome), [ASKS, WRONG] * tries)

    def test_right_after_wrong(self):
        self.service(f"{LINE} max-tries=3 timeout=30")
        play = self.begin()
        self.scan_and_wait("other")
        outcome = self.scan(play)
        self.assertVerdict(outcome, "authenticated")
        self.assertEqual(self.told(outcome), [ASKS, WRONG, ASKS])

    def test_a_finger_that_was_put_badly_is_no_try(self):
        self.service(f"{LINE} max-tries=1 timeout=30")
        play = self.begin()
        for number in range(4):
            self.fingers.client.forget()
            self.fingers.retry(number)
            self.fingers.client.wait_for(self.fingers.statuses, "told to try again")
        outcome = self.scan(play)
        self.assertVerdict(outcome, "authenticated")
        first, *again = self.told(outcome)
        self.assertEqual(first, ASKS)
        self.assertEqual([style for style, _ in again], ["error"] * 4)

    def test_somebody_elses_finger(self):
        other = TestUser(self.world.etc, "/nonexistent")
        self.fingers.enroll(print="theirs", user=other.name)
        self.service(f"{LINE} max-tries=1")
        self.assertVerdict(self.scan(self.begin(), "theirs"), "maxtries")

    def test_without_new_privileges(self):
        # Flatpak sets it: the password cannot be verified there, the finger can.
        self.assertVerdict(self.scan(self.begin(bars=["--no-new-privs"])), "authenticated")

    def test_the_bus_is_not_chosen_by_the_environment(self):
        play = self.begin(environment={"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"})
        self.assertVerdict(self.scan(play), "authenticated")

    def scan_and_wait(self, print):
        self.fingers.client.forget()
        self.fingers.scan(print)
        self.fingers.client.wait_for(self.fingers.statuses, "the scan judged")


class UnavailableTest(ReaderTest):
    """What is no failed try, and must never count or read as one. Each ends with a finger that is taken."""

    def test_errors_of_the_reader(self):
        for number in range(7):
            play = self.begin()
            self.fingers.error(number)
            outcome = play.outcome()
            self.assertUnavailable(outcome, f"ERROR {number}")
            self.assertEqual(self.told(outcome), [ASKS])
        self.assertMatches()

    def test_no_scan(self):
        self.service(f"{LINE} max-tries=3 timeout=3")
        outcome = self.play()
        self.assertUnavailable(outcome, "no scan, timeout=3")
        self.assertEqual(self.told(outcome), [ASKS, ("info", "Verification timed out")])
        self.assertMatches()

    def test_claimed_elsewhere(self):
        for verify in (False, True):
            with self.fingers.claim_elsewhere(verify=verify):
                outcome = self.play()
                self.assertUnavailable(outcome, "claimed elsewhere")
                self.assertEqual(self.told(outcome), [])
            self.fingers.wait_released()
            self.assertMatches()

    def test_no_finger_enrolled(self):
        self.fingers.forget()
        self.addCleanup(self.fingers.enroll)
        outcome = self.play()
        self.assertUnavailable(outcome, "none enrolled")
        self.assertEqual(self.told(outcome), [])

    def test_polkit_denies(self):
        self.fingers.deny()
        self.addCleanup(self.fingers.allow)
        outcome = self.play()
        self.assertUnavailable(outcome, "polkit denies")
        self.assertEqual(self.told(outcome), [])

    def test_polkit_allows_verification_only(self):
        self.fingers.deny("net.reactivated.fprint.device.verify")
        self.addCleanup(self.fingers.allow)
        self.assertMatches()

    def test_unplugged_and_back(self):
        play = self.begin_waiting()
        self.fingers.unplug()
        self.assertUnavailable(play.outcome(), "unplugged in mid-verify")
        self.assertUnavailable(self.play(), "no devices")
        self.fingers.restart()
        self.assertMatches()

    def test_fprintd_ends_and_comes_back(self):
        for number in (signal.SIGKILL, signal.SIGTERM):
            play = self.begin_waiting()
            self.fingers.end_daemon(number)
            self.assertUnavailable(play.outcome(), f"fprintd ended by {number.name} in mid-verify")
            self.assertUnavailable(self.play(), "no fprintd")
            self.fingers.restart()
            self.assertMatches()

    def test_no_bus(self):
        path = pathlib.Path(self.world.folder / "system/system_bus_socket")
        hidden = path.with_name("hidden")
        path.rename(hidden)
        self.addCleanup(lambda: hidden.exists() and hidden.rename(path))
        self.assertUnavailable(self.play(), "no bus")
        hidden.rename(path)
        self.assertMatches()

    def test_frozen_before(self):
        # sd-bus gives up after 25 s: what ends it sooner is the app's own deadline.
        self.fingers.freeze()
        self.addCleanup(self.fingers.thaw)
        outcome = self.play()
        self.assertUnavailable(outcome, "fprintd frozen before")
        self.assertEqual(self.told(outcome), [])
        self.fingers.thaw()
        self.assertMatches()


class ReaderlessTest(ReaderTest):
    reader = False

    def test_no_reader(self):
        outcome = self.play()
        self.assertUnavailable(outcome, "no reader")
        self.assertEqual(self.told(outcome), [])

    def test_a_stack_that_closes_with_deny_cannot_tell(self):
        # Why app-gates-fingerprint holds one line: behind pam_deny a reader that is not there looks like a wrong finger.
        self.service("auth sufficient pam_fprintd.so\nauth required pam_deny.so")
        self.assertVerdict(self.play(), "refused")
