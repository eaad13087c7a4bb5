#!/usr/bin/python3
"""weakened.py [name …]: weakens a copy of the program, one way at a time, and shows that the tests notice.

Each row says where, what is taken away, and which test must fail then. It builds in a folder of its own, which stays
($WEAKENED_BUILD, or a new one below /tmp); the checkout is not touched. Ends with 0 where every weakening was noticed.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOCK, VERIFY = "GateCore/BiometricController.swift", "GateCore/VerifyController.swift"

# name: (file below Sources, what is there, what is put in its place, the test that must fail)
WEAKENINGS = {
    "any password will do": (
        "GateServices/PamVerdict.swift", "case .refused: .failure(.wrong)",
        "case .refused: .success(VerifiedBy(hiddenAnswered: true, newPasswordRequired: false, accountUnchecked: false))",
        "test_lock.LaunchTest.test_a_wrong_password_stays_locked_and_waits"),
    "an account that is refused will do": (
        "GateServices/PamVerdict.swift",
        ".failure(result.reason == .accountExpired ? .accountExpired : .accountRefused)",
        ".success(VerifiedBy(hiddenAnswered: true, newPasswordRequired: false, accountUnchecked: false))",
        "test_lock_faults.FaultTest.test_an_expired_account_stays_locked"),
    "a yes without a question counts": (
        VERIFY, "case .success(let by) where by.hiddenAnswered && exchange.hasAnsweredHidden:",
        "case .success(let by) where by.hiddenAnswered || !exchange.hasAnsweredHidden:",
        "test_lock_faults.FaultTest.test_a_service_that_lets_everybody_in_without_asking_opens_nothing"),
    "a helper that is killed counts as yes": (
        "GateServices/HelperConversation.swift",
        "guard case .decided(let result) = stage, ChildWatch.isSuccess(status) else {\n      return end(.failure("
        ".helperFailed))",
        "guard case .decided(let result) = stage, ChildWatch.isSuccess(status) else {\n      return end(.success("
        "VerifiedBy(hiddenAnswered: true, newPasswordRequired: false, accountUnchecked: false)))",
        "test_lock_faults.FaultTest.test_the_helper_is_killed_while_pam_has_the_answer"),
    "an overtaken verdict counts": (
        LOCK, "guard isLocked, attempt.generation == generation else", "guard isLocked else",
        "test_lock.LaunchTest.test_an_answer_that_was_overtaken_by_a_new_lock_opens_nothing"),
    "no delay after a wrong password": (
        "GateCore/VerifyTurn.swift", "turn.notBefore = max(turn.notBefore, overflow ? .max : until)",
        "_ = overflow ? .max : until",
        "test_lock.LaunchTest.test_the_delay_outlives_cancel"),
    "open at launch": (
        LOCK, "isLocked = !preferences.isTrusted || (initialLocked ?? preferences[.biometricEnabled])",
        "isLocked = initialLocked ?? false",
        "test_lock.LaunchTest.test_locked_at_launch_and_opened_by_the_right_password"),
    "the switch does not ask": (
        "AppGates/Me/AccountSecurity.swift", "    question.ask(over:",
        "    lock.setEnabled(isOn)\n    question.ask(over:",
        "test_lock.SwitchTest.test_turning_on_takes_the_right_password"),
    "no cover": (
        "Gates/BiometricGate.swift", "widget.isVisible = lock.isCovered", "widget.isVisible = false",
        "test_away.CoverTest.test_covered_at_once_and_bare_title"),
    "the title tells": (
        "Gates/BiometricGate.swift", "    host.conceal(hides)\n", "",
        "test_away.CoverTest.test_covered_at_once_and_bare_title"),
    "dialogs stay": (
        "GtkKit/Activity.swift", "      gtk_widget_set_visible(window.cast(), 0)\n", "",
        "test_away.CoverTest.test_a_dialog_is_hidden_too"),
    "never locks by itself": (
        LOCK, "    if isOverdue { close() }\n    settle()", "    settle()",
        "test_away.GraceTest.test_away_for_longer_than_the_grace_locks"),
    "no grace": (
        LOCK, "deadline = awaySince + Int64(preferences[.lockAfterSeconds]) * 1000", "deadline = awaySince",
        "test_away.GraceTest.test_away_for_less_than_the_grace_does_not_lock"),
    "locked content stays in the window": (
        "GtkKit/Slot.swift",
        "    widget.child = nil\n    replaceFace(makeFace)\n  }\n\n  /// Shows a screen in the child's place, and drops",
        "    widget.child = nil\n    replaceFace(makeFace)\n    guard let child, let face else { return }\n"
        "    widget.child = nil\n    widget.child = Overlay(child.widget).cover(with: face.widget)\n  }\n\n"
        "  /// Shows a screen in the child's place, and drops",
        "test_away.LockNowTest.test_from_another_process_and_by_key"),
    "the file may turn the lock off": (
        LOCK, "OutsideRule(PreferenceKey<Bool>.biometricEnabled) { !$0 || $1 }",
        "OutsideRule(PreferenceKey<Bool>.biometricEnabled) { _, _ in true }",
        "test_away.LockNowTest.test_what_is_written_into_the_file_locks_and_never_unlocks"),
    "a draft is not kept over the lock": (
        "AppGates/Todos/TodosPage.swift", "    atRest = drafts\n    keepDraftsSoon()\n", "    atRest = drafts\n",
        "test_kept.OverTheLockTest.test_killed_while_locked"),
    "quitting while locked keeps what it sees then": (
        "AppGates/Todos/TodosPage.swift", "keeper.keep(atRest ?? drafts)",
        "keeper.keep(atRest == nil ? drafts : .init())",
        "test_kept.OverTheLockTest.test_quit_while_locked"),
    "a draft that was added comes again": (
        "GateCore/TodoDraftKeeper.swift", "guard isLoaded, drafts != kept else",
        "guard isLoaded, drafts != kept, !drafts.isEmpty else",
        "test_kept.WithoutLockTest.test_added_is_gone_at_once"),
    "a new todo that was asked for while locked is forgotten": (
        "AppGates/MainShell.swift", "mount?.isParked == false, request.take()",
        "request.take(), mount?.isParked == false",
        "test_new_todo.NewTodoTest.test_while_locked_it_is_begun_after_the_unlock"),
    "each wish for a new todo is one": (
        "GateCore/NewTodoRequest.swift", "defer { isPending = false }", "defer { isPending = true }",
        "test_new_todo.NewTodoTest.test_while_locked_it_is_begun_after_the_unlock"),
    "notifications tell while locked": (
        "GateCore/NoticeController.swift", "isLocked ? .bare : Notice.fault($0)", "Notice.fault($0)",
        "test_notifications.LockedTest.test_while_locked_it_has_no_content"),
    "a notification from before the lock stays": (
        "AppGates/Notices.swift", "case .bare?:\n      notifier.withdraw(Notices.fault)\n", "case .bare?:\n",
        "test_notifications.LockedTest.test_one_with_content_is_bare_in_the_turn_that_locks"),
    "a notification on its way stays": (
        "GtkKit/Notifier.swift", "[50, 250, 1000, 5000, 25_500]", "[]",
        "test_notifications.LockedTest.test_a_slow_desktop_does_not_keep_the_content"),
    "assistive technologies hear the keys": (
        "GtkKit/SecretEntry.swift", 'let bullets = String(repeating: "\\u{25CF}", count: Int(count))',
        "let bullets = String(cString: text) + (count > 1 ? \" \" : \"\")",
        "test_secrecy.SecrecyTest.test_accessibility_hears_bullets_only"),
    "the password is not wiped": (
        "GtkKit/SecretEntry.swift", "    body(UnsafeRawBufferPointer(start: bytes, count: length))\n",
        "    body(UnsafeRawBufferPointer(start: bytes, count: length))\n"
        "    SecretEntry.leaked.append([UInt8](UnsafeRawBufferPointer(start: bytes, count: length)))\n",
        "test_secrecy.SecrecyTest.test_nothing_is_left_in_memory_after_the_unlock"),
    "counted without consent": (
        "GateCore/AnalyticsController.swift", "!waiting.isEmpty, consent() else", "!waiting.isEmpty else",
        "test_consent.AnalyticsTest.test_counted_once_and_only_after_acceptance"),
    "a forced update can be left": (
        "Gates/UpdateGate.swift", "if case .idle = update.decision { .open } else { .interrupt(update.decision) }",
        "if case .prompt = update.decision { .interrupt(update.decision) } else { .open }",
        "test_update.UpdateTest.test_forced"),
}
# What a weakening needs besides.
ALSO = {
    "the password is not wiped": (
        "GtkKit/SecretEntry.swift", "  private let secret: OpaquePointer\n",
        "  private let secret: OpaquePointer\n  private static var leaked: [[UInt8]] = []\n"),
}


def replace(folder, file, old, new):
    path = folder / "Sources" / file
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{file} has changed: “{old.strip()}” is in it {text.count(old)} times. Bring weakened.py up to date.")
    path.write_text(text.replace(old, new))


def build(source, scratch):
    for product in ("app-gates", "app-gates-auth"):
        argv = ["swift", "build", "--package-path", source, "--scratch-path", scratch, "--product", product]
        done = subprocess.run(list(map(str, argv)), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("The weakened program does not build:\n" + done.stdout[-3000:])


def test(binaries, name):
    """Whether the test passes against these binaries."""
    env = dict(os.environ, APP_GATES_BIN=str(binaries), PYTHONPATH="Tests", PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run(["/usr/bin/python3", "Scripts/unittests.py", "Tests/EndToEnd", name], cwd=ROOT, env=env,
                          capture_output=True, text=True)
    if "skipped" in done.stdout.splitlines()[-1] and done.stdout.splitlines()[-1].startswith("0 passed, 0 failed"):
        sys.exit(f"{name} was skipped here, so it shows nothing.")
    return done.returncode == 0


def main(wanted):
    unknown = set(wanted) - set(WEAKENINGS)
    if unknown:
        sys.exit(f"There is no weakening “{unknown.pop()}”: choose from " + "; ".join(WEAKENINGS))
    folder = pathlib.Path(os.environ.get("WEAKENED_BUILD") or tempfile.mkdtemp(prefix="app-gates-weakened-"))
    source, scratch = folder / "source", folder / "build"
    unnoticed = []
    for name in wanted or WEAKENINGS:
        file, old, new, case = WEAKENINGS[name]
        for part in ("Package.swift", "Sources", "Tests", "data"):
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, source / part, dirs_exist_ok=True)
            else:
                source.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / part, source / part)
        replace(source, file, old, new)
        if name in ALSO:
            replace(source, *ALSO[name])
        build(source, scratch)
        is_noticed = not test(scratch / "debug", case)
        unnoticed += [] if is_noticed else [name]
        print(f"{'noticed' if is_noticed else 'NOT NOTICED'}: {name} ({case})", flush=True)
    sys.exit(1 if unnoticed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
