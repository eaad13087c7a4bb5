"""PAM modules that are awkward, broken or hostile."""

import signal

import wire
from world import WorldTest


class ModuleTest(WorldTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.user = cls.world.user()

    def play(self, *lines, answers=(), **plan):
        stack = "".join(f"auth required MODULE {line}\n" for line in lines)
        self.world.service(stack + "account required pam_permit.so")
        return self.world.play(self.user, answers, **plan)

    def test_two_prompts_each_with_fresh_input(self):
        outcome = self.play("two", answers=["one", "two"])
        self.assertVerdict(outcome, "authenticated")
        self.assertEqual([(e["type"], e["text"]) for e in outcome.events[1:3]],
                         [("hidden", "First: "), ("visible", "Second: ")])
        self.assertVerdict(self.play("two", answers=["one", "one"]), "refused")
        self.assertVerdict(self.play("two", answers=["two", "one"]), "refused")

    def test_several_messages_in_one_call(self):
        outcome = self.play("together", answers=["one", "two"])
        self.assertVerdict(outcome, "authenticated")
        self.assertEqual([e["type"] for e in outcome.events[:5]], ["hello", "visible", "info", "hidden", "result"])
        self.assertEqual(outcome.texts("hidden"), [""])
        self.assertVerdict(self.play("together", answers=["one", "x"]), "refused")

    def test_a_bad_second_answer_of_one_call(self):
        self.assertVerdict(self.play("together", answers=["one", b""]), "conversation-ended")

    def test_an_answer_before_its_question_is_none(self):
        early = [wire.answer(b"one").hex()]
        self.assertVerdict(self.play("prompt", answers=["one"], early=early), "conversation-ended")
        two = [wire.answer(b"two")]
        outcome = self.play("two", early=[], raw=[wire.answer(b"one")] + two)
        self.assertVerdict(outcome, "authenticated")

    def test_success_after_a_broken_conversation_is_none(self):
        for bad in (b"", b"x" * 600, b"a\0b"):
            self.assertVerdict(self.play("stubborn", answers=[bad]), "conversation-ended")
        self.assertVerdict(self.play("stubborn", raw=[wire.packet(99, b"x")]), "conversation-ended")
        self.assertVerdict(self.play("stubborn", raw=[wire.hello("1", "app-gates")]), "conversation-ended")
        self.assertVerdict(self.play("stubborn", raw=[b"\x02"]), "conversation-ended")
        self.assertVerdict(self.play("stubborn", raw=[b"\x02\x00\x08\x00abc"]), "conversation-ended")

    def test_the_delay_is_for_tries_only(self):
        wrong = self.play("slow", answers=["two"])
        self.assertVerdict(wrong, "refused")
        self.assertEqual(len(wrong.of("delay")), 1)
        for answer, status in (("one", "authenticated"), (b"", "conversation-ended"), (b"a\0b", "conversation-ended")):
            outcome = self.play("slow", answers=[answer])
            self.assertVerdict(outcome, status)
            self.assertEqual(outcome.of("delay"), [])

    def test_prompts_that_cannot_be_answered(self):
        self.assertVerdict(self.play("nowhere"), "conversation-ended")
        self.assertVerdict(self.play("binary"), "conversation-ended")

    def test_exit_without_a_verdict(self):
        outcome = self.play("exit")
        self.assertNoVerdict(outcome)
        self.assertEqual(outcome.exit, 0)

    def test_crash(self):
        outcome = self.play("crash")
        self.assertNoVerdict(outcome)
        self.assertEqual(outcome.exit, -signal.SIGSEGV)

    def test_hang_is_ended_by_a_kill(self):
        outcome = self.play("hang", at={"hanging": "kill"})
        self.assertNoVerdict(outcome)
        self.assertEqual(outcome.exit, -signal.SIGKILL)

    def test_hang_is_ended_by_closing_the_channel(self):
        outcome = self.play("hang", at={"hanging": "close"})
        self.assertNoVerdict(outcome)
        self.assertEqual(outcome.exit, 1)
        (told,), (gone,) = outcome.of("info"), outcome.of("gone")
        self.assertLess(gone["ms"] - told["ms"], 1000)

    def test_deaf_is_ended_by_a_kill_only(self):
        # It has blocked the signal that the end of the channel gives: the app must not rely on that alone.
        outcome = self.play("deaf", at={"deaf": "close"}, patience=1)
        self.assertNoVerdict(outcome)
        self.assertEqual((len(outcome.of("deadline")), outcome.exit), (1, -signal.SIGKILL))

    def test_stopped_it_says_nothing_and_can_be_killed(self):
        outcome = self.play("prompt", "stop", answers=["one"], patience=1)
        self.assertNoVerdict(outcome)
        self.assertEqual(outcome.texts("info"), ["stopping"])
        self.assertEqual((len(outcome.of("deadline")), outcome.exit), (1, -signal.SIGKILL))

    def test_late(self):
        outcome = self.play("prompt", "late=300", answers=["one"])
        self.assertVerdict(outcome, "authenticated")
        (told,) = outcome.of("info")
        self.assertGreaterEqual(outcome.result["ms"] - told["ms"], 299)

    def test_too_late_for_an_app_that_has_gone_on(self):
        outcome = self.play("prompt", "late=5000", answers=["one"], at={"answering late": "close"})
        self.assertNoVerdict(outcome)
        self.assertEqual(outcome.exit, 1)
        self.assertLess(outcome.events[-1]["ms"], 5000, "the module was waited for")

    def test_flood_is_bounded(self):
        outcome = self.play("flood")
        self.assertVerdict(outcome, "conversation-ended")
        self.assertEqual(len(outcome.of("info")), 64)

    def test_changed_user(self):
        other = self.world.user()
        self.assertVerdict(self.play(f"user={other}"), "unavailable", "user-changed")
        self.assertVerdict(self.play("prompt", "user=root", answers=["one"]), "unavailable", "user-changed")
        self.assertVerdict(self.play("prompt", f"user={self.user}", answers=["one"]), "authenticated")

    def test_changed_user_in_the_account_phase(self):
        self.world.service("auth required MODULE prompt\naccount required MODULE user=root")
        self.assertVerdict(self.world.play(self.user, ["one"]), "unavailable", "user-changed")

    def test_long_text_is_cut(self):
        outcome = self.play("long-text")
        self.assertVerdict(outcome, "authenticated")
        self.assertEqual([len(t) for t in outcome.texts("info")], [4096])

    def test_bytes_that_are_no_utf8(self):
        outcome = self.play("broken-text", "prompt", answers=["one"])
        self.assertVerdict(outcome, "authenticated")
        self.assertEqual(outcome.texts("error"), ["caf\xe9 \xc3 \xff\x1b[31m"])

    def test_child_that_keeps_the_channel(self):
        outcome = self.play("child", "prompt", answers=["one"])
        self.assertVerdict(outcome, "authenticated")
        self.assertLess(outcome.events[-1]["ms"], 5000)

    def test_hang_after_the_verdict(self):
        outcome = self.play("hang-at-end", "prompt", answers=["one"], patience=1)
        self.assertEqual(outcome.verdict, ("authenticated", None))
        self.assertEqual(outcome.texts("info"), [], "something was said after the verdict")
        self.assertEqual(outcome.exit, -signal.SIGKILL, "it ended by itself: not the case that is tested")

    def test_exit_after_the_verdict(self):
        outcome = self.play("exit-at-end", "prompt", answers=["one"])
        self.assertEqual(outcome.exit, 9)
