"""Attacks by way of the helper and of PAM: whatever becomes of the check, only a right password opens."""

import os
import shutil
import signal

from attacks import SLOW_REFUSAL, AttackTest, attack, open_folder, put_false_helper
from steps import BINARIES

UNASKED = "a yes without a question counts"
KILLED = "a helper that is killed counts as yes"
OVERTAKEN = "an overtaken verdict counts"
# A module that takes its time between question and verdict.
SLOW = ("auth [success=ok default=die] pam_unix.so\nauth required pam_exec.so quiet /usr/bin/sleep 600\n"
        "account required pam_unix.so")


class FalseHelper:
    """Another program in the helper's place: it speaks the protocol, takes any answer, and breaks one rule."""

    makes_world = False

    def attack_with(self, way):
        folder = self.enterContext(open_folder())
        shutil.copy(BINARIES / "app-gates", folder)
        put_false_helper(folder, way)
        self.make_world(binaries=folder)
        self.come_back_locked()
        app = self.world.app()
        self.try_in(app, "right")
        self.assert_kept(app)
        return app

    @attack("a verdict counts before the exit")
    def test_it_says_yes_and_then_hangs(self):
        self.attack_with("hang-after-success")

    @attack("a verdict counts before the exit")
    def test_it_says_yes_and_closes_the_channel_and_stays(self):
        self.attack_with("close-then-hang")

    @attack("silence counts as yes", UNASKED)
    def test_it_never_says_a_word(self):
        self.attack_with("hang-at-start")

    @attack(KILLED)
    def test_it_exits_with_0_and_no_word(self):
        self.attack_with("die-after-answer")

    @attack(KILLED)
    def test_it_crashes_with_the_answer(self):
        self.attack_with("crash-after-answer")

    @attack(UNASKED)
    def test_it_says_yes_without_asking(self):
        self.attack_with("result-at-once")

    @attack("the helper's exit does not count")
    def test_it_says_yes_and_fails(self):
        self.attack_with("fail-after-success")

    @attack("the helper's exit does not count")
    def test_it_says_yes_and_is_killed(self):
        self.attack_with("killed-after-success")

    @attack("what is out of turn is let pass")
    def test_it_says_more_after_the_yes(self):
        self.attack_with("more-after-success")

    @attack("what is out of turn is let pass", UNASKED)
    def test_it_says_yes_while_it_asks(self):
        self.attack_with("success-while-asking")

    @attack("any version will do")
    def test_it_is_of_another_version(self):
        self.attack_with("wrong-version")

    @attack(UNASKED)
    def test_its_yes_rests_on_no_hidden_answer(self):
        self.attack_with("not-hidden")

    @attack("the helper is looked up at each try")
    def test_it_takes_the_helpers_place_while_the_app_runs(self):
        folder = self.enterContext(open_folder())
        shutil.copy(BINARIES / "app-gates", folder)
        shutil.copy(BINARIES / "app-gates-auth", folder)
        self.make_world(binaries=folder)
        app = self.shut()
        put_false_helper(folder, "honest")
        app.key("Escape")
        app.click("button", "Unlock")
        self.answer(app, "right")
        self.assert_kept(app)


class Helper:
    """The real helper, disturbed at each step."""

    @attack(KILLED, UNASKED)
    def test_killed_while_it_asks(self):
        app = self.shut()
        os.kill(self.helper(app), signal.SIGKILL)
        self.settle(app)
        self.assert_kept(app)
        self.assert_right_password_still_opens(app)

    @attack(KILLED)
    def test_killed_while_pam_has_the_answer(self):
        self.slow_service()
        app = self.checking(self.world.user.password)
        os.kill(self.helper(app), signal.SIGKILL)
        self.settle(app)
        self.assert_kept(app)

    @attack(KILLED)
    def test_ended_by_sigterm_while_pam_has_the_answer(self):
        self.slow_service()
        app = self.checking(self.world.user.password)
        os.kill(self.helper(app), signal.SIGTERM)
        self.settle(app)
        self.assert_kept(app)

    @attack("any password will do")
    def test_stopped_while_it_asks_and_continued_with_a_wrong_answer(self):
        app = self.shut()
        helper = self.helper(app)
        os.kill(helper, signal.SIGSTOP)
        app.type("wrong")
        app.key("Return")
        app.wait_for("password text")
        self.assert_kept(app)
        os.kill(helper, signal.SIGCONT)
        self.settle(app)
        self.assert_kept(app)

    @attack(OVERTAKEN)
    def test_stopped_with_the_right_answer_locked_again_and_continued(self):
        app = self.shut()
        helper = self.helper(app)
        os.kill(helper, signal.SIGSTOP)
        app.type(self.world.user.password)
        app.key("Return")
        app.look_until(lambda: app.find("password text", states=("editable",)) is None, "the answer to be given", 5)
        self.lock_by_command()
        os.kill(helper, signal.SIGCONT)
        app.until(lambda: helper not in app.children(), "the helper's end")
        self.round_trip(app)
        self.assert_kept(app)

    @attack(KILLED)
    def test_stopped_with_the_right_answer_and_killed(self):
        self.slow_service()
        app = self.checking(self.world.user.password)
        helper = self.helper(app)
        os.kill(helper, signal.SIGSTOP)
        os.kill(helper, signal.SIGKILL)
        self.settle(app)
        self.assert_kept(app)

    def slow_service(self):
        self.world.etc.service("app-gates", SLOW)

    def checking(self, password):
        """Locked, the answer given, and PAM at it."""
        app = self.shut()
        helper = self.helper(app)
        app.type(password)
        app.key("Return")
        app.until(lambda: self.world.run(["ps", "--ppid", helper, "-o", "pid="], check=False).stdout.strip(),
                  "the module that sleeps")
        return app


class Pam:
    """What is configured below the app."""

    @attack("any password will do")
    def test_a_wrong_password(self):
        app = self.shut()
        self.answer(app, "wrong")
        self.assert_kept(app)

    @attack("another user will do")
    def test_a_module_that_puts_another_user_in_place(self):
        module = self.world.pam_module()
        # The other user's right password is as good as ours to PAM: here any answer is.
        self.world.etc.service("app-gates", f"auth required {module} stubborn\nauth required {module} user=root\n"
                               "account required pam_permit.so")
        app = self.shut(asks="Secret")
        self.answer(app, "right")
        self.assert_kept(app)

    @attack("a missing service is no matter")
    def test_the_service_is_missing_and_other_takes_any_answer(self):
        module = self.world.pam_module()
        self.world.etc.service("app-gates", None)
        self.world.etc.service("other", f"auth required {module} stubborn\naccount required pam_permit.so")
        self.come_back_locked()
        app = self.world.app()
        self.try_in(app, "right")
        self.assert_kept(app)

    @attack(UNASKED)
    def test_a_service_that_lets_everybody_in_without_asking(self):
        self.world.etc.service("app-gates", "auth required pam_permit.so\naccount required pam_permit.so")
        self.come_back_locked()
        app = self.world.app()
        self.try_in(app, "right")
        self.assert_kept(app)

    @attack("an account that is refused will do")
    def test_the_right_password_of_an_account_that_has_expired(self):
        self.world.user.change("chage", "-E", "0")
        app = self.shut()
        self.answer(app, self.world.user.password)
        self.assert_kept(app)

    @attack("no delay after a wrong password")
    def test_cancel_and_retry_spare_no_delay(self):
        self.world.etc.service("app-gates", SLOW_REFUSAL)
        app = self.shut()
        self.answer(app, "wrong")
        app.key("Escape")
        app.click("button", "Unlock")
        self.assert_waits(app)


class FalseHelperOnX11(FalseHelper, AttackTest):
    pass


class FalseHelperOnWayland(FalseHelper, AttackTest):
    display = "wayland"


class HelperOnX11(Helper, AttackTest):
    pass


class HelperOnWayland(Helper, AttackTest):
    display = "wayland"


class PamOnX11(Pam, AttackTest):
    pass


class PamOnWayland(Pam, AttackTest):
    display = "wayland"
