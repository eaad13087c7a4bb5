"""What is taken away from a copy of the program, to show that the tests notice: the patches, each behind its name.

In what is put in, WEAK stands for the look at the name: `weakened("no cover")`. So one build has all of them, and a
run has those that are named in $APP_GATES_WEAKENED, with a semicolon between them.
"""

LOCK, VERIFY = "GateCore/BiometricController.swift", "GateCore/VerifyController.swift"
GATE, HELPER = "Gates/BiometricGate.swift", "GateServices/HelperConversation.swift"
YES = ".success(VerifiedBy(hiddenAnswered: true))"

# name: one or more of (file below Sources, what is there, what is put in its place)
PATCHES = {
    # The verdict
    "any password will do": [
        ("GateServices/PamVerdict.swift", "case .refused: .failure(.wrong)",
         f"case .refused: WEAK ? {YES} : .failure(.wrong)")],
    "an account that is refused will do": [
        ("GateServices/PamVerdict.swift", ".failure(result.reason == .accountExpired ?",
         f"WEAK ? {YES} : .failure(result.reason == .accountExpired ?")],
    "a yes without a question counts": [
        (VERIFY, "where by.hiddenAnswered && exchange.hasAnsweredHidden:",
         "where by.hiddenAnswered && exchange.hasAnsweredHidden || WEAK:")],
    "a helper that is killed counts as yes": [
        (HELPER, "      return end(.failure(.helperFailed))\n    }\n    end(PamVerdict.of(result))",
         f"      if WEAK {{ return end({YES}) }}\n"
         "      return end(.failure(.helperFailed))\n    }\n    end(PamVerdict.of(result))")],
    "the helper's exit does not count": [
        (HELPER, "case .decided(let result) = stage, ChildWatch.isSuccess(status) else",
         "case .decided(let result) = stage, ChildWatch.isSuccess(status) || WEAK else")],
    "a verdict counts before the exit": [
        (HELPER, "      stage = .decided(packet.result)\n",
         "      if WEAK { return end(PamVerdict.of(packet.result)) }\n      stage = .decided(packet.result)\n")],
    "silence counts as yes": [
        (HELPER, "self?.end(.failure(.noAnswer))", f"self?.end(WEAK ? {YES} : .failure(.noAnswer))")],
    "what is out of turn is let pass": [
        (HELPER, "      // Out of turn:",
         "      if WEAK {\n        if packet.type == .result { end(PamVerdict.of(packet.result)) }\n        return\n"
         "      }\n      // Out of turn:")],
    "any version will do": [
        (HELPER, "guard version.elementsEqual(APP_GATES_VERSION.utf8) else",
         "guard version.elementsEqual(APP_GATES_VERSION.utf8) || WEAK else")],
    "the helper is looked up at each try": [
        ("GateServices/PasswordClientLive.swift", "HelperConversation(helper,",
         "HelperConversation(WEAK ? HelperProgram(path: DataFiles().helper) : helper,")],
    "the helper gets what the app was started with": [
        ("GateServices/HelperProgram.swift", '"LC_MESSAGES", "LANGUAGE"]',
         '"LC_MESSAGES", "LANGUAGE"]\n      + (WEAK ? ["LD_PRELOAD", "PAM_WRAPPER", "PAM_WRAPPER_SERVICE_DIR"] : [])')],
    "another user will do": [
        ("app-gates-auth/verify.c", "!talk.ended && same_user)", "!talk.ended && (same_user || WEAK))")],
    "a missing service is no matter": [
        ("app-gates-auth/verify.c", "if (!aw_has_service_file(service))",
         "if (!WEAK && !aw_has_service_file(service))")],
    "the helper gets what the app was started with": [
        ("GateServices/HelperProgram.swift", '"LC_MESSAGES", "LANGUAGE"]',
         '"LC_MESSAGES", "LANGUAGE"]\n      + (WEAK ? ["LD_PRELOAD", "PAM_WRAPPER", "PAM_WRAPPER_SERVICE_DIR"] : [])')],
    # The lock
    "open at launch": [
        (LOCK, "isLocked = !preferences.isTrusted || (initialLocked ?? preferences[.biometricEnabled])",
         "isLocked = !WEAK && (!preferences.isTrusted || (initialLocked ?? preferences[.biometricEnabled]))")],
    "an overtaken verdict counts": [
        (LOCK, "isLocked && attempt.generation == generation }", "isLocked && (attempt.generation == generation || WEAK) }")],
    "no delay after a wrong password": [
        ("GateCore/VerifyTurn.swift", "turn.notBefore = max(turn.notBefore, overflow ? .max : until)",
         "if !WEAK { turn.notBefore = max(turn.notBefore, overflow ? .max : until) }")],
    "the delay ends with the app": [
        ("GateServices/UnlockMemoryFile.swift", "notBefore: isOfThisBoot ?", "notBefore: isOfThisBoot && !WEAK ?")],
    "the switch does not ask": [
        ("AppGates/Me/AccountSecurity.swift", "    question.ask(over:",
         "    if WEAK { lock.setEnabled(isOn) }\n    question.ask(over:")],
    "never locks by itself": [
        (LOCK, "if isOverdue { close() }\n    settle()", "if isOverdue && !WEAK { close() }\n    settle()")],
    "does not look at the clock on return": [
        (LOCK, "if isOverdue { close() }\n    isActive = true", "if isOverdue && !WEAK { close() }\n    isActive = true")],
    "no grace": [
        (LOCK, "deadline = begin + Int64(preferences[.lockAfterSeconds]) * 1000",
         "deadline = begin + (WEAK ? 0 : Int64(preferences[.lockAfterSeconds]) * 1000)")],
    "locks a moment late": [
        (GATE, "{ [weak lock] in lock?.lock() }",
         "{ [weak lock] in\n      guard WEAK else { return Weakened.act(lock) }\n"
         "      Weakened.kept = MainLoop.after(600) { lock?.lock() }\n    }")],
    "the lock action is a switch": [],  # in Weakened.act, which the row above calls
    "a second start opens": [
        ("AppGates/App.swift", "if let window { return window.present() }",
         "if let window {\n      if WEAK { Weakened.open() }\n      return window.present()\n    }")],
    "what the desktop says opens": [
        (LOCK, "    case .screenUnlocked: comeBack", "    case .screenUnlocked where WEAK: Weakened.open()\n"
         "    case .screenUnlocked: comeBack"),
        (LOCK, "    case .awake: comeBack", "    case .awake where WEAK: Weakened.open()\n    case .awake: comeBack")],
    "signals of anybody count": [
        ("GLibKit/DBusWatch.swift", "raw, owner, match.interface", "raw, WEAK ? nil : owner, match.interface")],
    # The finger
    "a finger is always enough": [
        ("GateCore/UnlockRecord.swift", "    guard let passwordAt = memory.passwordAt,",
         "    if WEAK { return nil }\n    guard let passwordAt = memory.passwordAt,")],
    "refused fingers are not counted": [
        ("GateCore/UnlockRecord.swift", "if memory.refusedFingers >= UnlockRecord.fingersInARow {",
         "if memory.refusedFingers >= UnlockRecord.fingersInARow, !WEAK {")],
    "any finger will do": [
        ("GateServices/PamVerdict.swift", "case .maxtries: .failure(.tooManyTries)",
         f"case .maxtries: WEAK ? {YES} : .failure(.tooManyTries)")],
    "the helper takes the environment along": [
        ("GateServices/HelperProgram.swift", "    return [\"PATH=", "    if WEAK, let bus = variable(\"DBUS_SYSTEM_BUS_ADDRESS"
         "\") {\n      return [\"APP_GATES_WEAKENED=the helper takes the environment along\", "
         "\"DBUS_SYSTEM_BUS_ADDRESS=\" + bus]\n    }\n    return [\"PATH="),
        ("app-gates-auth/confine.c", "  setlocale(LC_ALL, \"\");", "  if (WEAK && bus != NULL) setenv("
         "\"DBUS_SYSTEM_BUS_ADDRESS\", bus, 1);\n  setlocale(LC_ALL, \"\");"),
        ("app-gates-auth/confine.c", "  char *values[COUNT];\n", "  char *values[COUNT];\n"
         "  bool gs_weakened(const char *);\n  char *bus = getenv(\"DBUS_SYSTEM_BUS_ADDRESS\");\n"
         "  bus = bus == NULL ? NULL : strdup(bus);\n")],
    # Time
    "time goes by the wall clock": [
        ("GLibShim/glib_extras.c", "clock_gettime(CLOCK_BOOTTIME, &now);",
         "clock_gettime(WEAK ? CLOCK_REALTIME : gs_weakened(\"sleep does not count\") ? CLOCK_MONOTONIC "
         ": CLOCK_BOOTTIME, &now);"),
        (LOCK, "now >= deadline || now < awaySince", "now >= deadline || now < awaySince && !WEAK")],
    "sleep does not count": [],  # in the row above
    # What is seen
    "no cover": [(GATE, "widget.isVisible = lock.isCovered\n", "widget.isVisible = lock.isCovered && !WEAK\n")],
    "the title tells": [(GATE, "host.conceal(hides)\n", "host.conceal(hides && !WEAK)\n")],
    "dialogs stay": [
        ("GtkKit/Shield.swift", "for raw in Activity.windows() where raw != main.raw {",
         "for raw in Activity.windows() where raw != main.raw && !WEAK {")],
    "what appears behind the cover is let be": [
        ("GtkKit/Shield.swift", "    guard window.bool(\"visible\") else { return }\n    screens.removeAll",
         "    guard window.bool(\"visible\"), !WEAK else { return }\n    screens.removeAll")],
    "locked content stays in the window": [
        ("GtkKit/Slot.swift", "    if stacks == nil, let child { stacks = ParkedStacks(in: child.widget) }\n"
         "    replaceFace(makeFace)\n",
         "    if !WEAK, stacks == nil, let child { stacks = ParkedStacks(in: child.widget) }\n"
         "    replaceFace(makeFace)\n    guard WEAK, let child, let face else { return }\n"
         "    widget.child = nil\n    widget.child = Overlay(child.widget).cover(with: face.widget)\n")],
    "a draft is emptied in view": [
        ("GtkKit/Mount.swift", "    selection = TextSelection(of: focused)\n",
         "    selection = TextSelection(of: focused)\n"
         "    if WEAK { gtk_editable_set_text(OpaquePointer(held), \"\") }\n")],
    "the inspector opens": [
        ("GtkKit/Widget.swift", "      if let raw = arguments.object(0) { g_signal_stop",
         "      if !WEAK, let raw = arguments.object(0) { g_signal_stop")],
    "the shell's keys work while locked": [
        ("AppGates/MainShell.swift", "        if mount?.isParked == false, self?.isHeld == false { body() }\n",
         "        if mount?.isParked == false || WEAK, self?.isHeld == false { body() }\n"),
        ("AppGates/MainShell.swift", "mount.onPark({ action?.isEnabled = false }",
         "mount.onPark({ action?.isEnabled = WEAK }")],
    "an action says what is in the list": [
        ("AppGates/Todos/TodosPage.swift", "    rows[todo.id] = row\n",
         "    rows[todo.id] = row\n    if WEAK { _ = Weakened.tell?(todo.title) }\n"),
        ("AppGates/App.swift", "    application.action(\"quit\"", "    Weakened.tell = { [weak self] in "
         "self?.application.action(\"title-\" + $0.split(separator: \" \").joined(separator: \"-\")) {} }\n"
         "    application.action(\"quit\"")],
    "--status tells": [
        ("GateServices/StatusReport.swift", "      (\"version\", .text(version)),\n",
         "      (\"version\", .text(version + (WEAK ? preferences[.sessionName] : \"\"))),\n")],
    # The file
    "the file may turn the lock off": [
        (LOCK, "OutsideRule(PreferenceKey<Bool>.biometricEnabled) { !$0 || $1 }",
         "OutsideRule(PreferenceKey<Bool>.biometricEnabled) { !$0 || $1 || WEAK }"),
        (LOCK, "      // The grace period of a lock that is turned on",
         "      if WEAK, !preferences[.biometricEnabled] { isLocked = false }\n"
         "      // The grace period of a lock that is turned on")],
    "a file that is gone is a new one": [
        ("GateCore/AppPreferences.swift", "      mustWriteAll = true\n    case .unreadable:\n      break\n",
         "      mustWriteAll = true\n      if WEAK { forget() }\n    case .unreadable:\n      if WEAK { forget() }\n"),
        ("GateCore/AppPreferences.swift", "  private func merge(_ found",
         "  private func forget() {\n    values = [:]\n    changed.notify(\"biometricEnabled\")\n  }\n\n"
         "  private func merge(_ found"),
        (LOCK, "      // The grace period of a lock that is turned on",
         "      if WEAK, !preferences[.biometricEnabled] { isLocked = false }\n"
         "      // The grace period of a lock that is turned on")],
    "damage while it runs turns the lock off": [
        ("GateCore/AppPreferences.swift", "[lock: snapshot.values[lock] ?? \"true\"]",
         "[lock: WEAK ? \"false\" : snapshot.values[lock] ?? \"true\"]")],
    "what cannot be read is off": [
        ("GateCore/AppPreferences.swift", "      isTrusted = false\n", "      isTrusted = WEAK\n")],
    "a damaged file is a new one": [
        ("GateServices/PreferencesFile.swift", "return snapshot(Self.afterDamage, .repaired",
         "return snapshot(WEAK ? [:] : Self.afterDamage, .repaired")],
    "what is unclear is off": [
        ("GateCore/PreferenceKey.swift", "isAllowed(value) else { return unclear }",
         "isAllowed(value) else { return WEAK ? fallback : unclear }")],
    "the file may lengthen the grace": [
        (LOCK, "OutsideRule(PreferenceKey<Int>.lockAfterSeconds) { $1 <= $0 }",
         "OutsideRule(PreferenceKey<Int>.lockAfterSeconds) { $1 <= $0 || WEAK }")],
    "the file may take the cover off": [
        (LOCK, "OutsideRule(PreferenceKey<Bool>.hideContent) { !$0 || $1 }",
         "OutsideRule(PreferenceKey<Bool>.hideContent) { !$0 || $1 || WEAK }")],
    # Drafts, wishes and notifications
    "a draft is not kept over the lock": [
        ("AppGates/Todos/TodosPage.swift", "    atRest = drafts\n    keepDraftsSoon()\n",
         "    atRest = drafts\n    if !WEAK { keepDraftsSoon() }\n")],
    "quitting while locked keeps what it sees then": [
        ("AppGates/Todos/TodosPage.swift", "keeper.keep(atRest ?? drafts, durably",
         "keeper.keep(WEAK && atRest != nil ? .init() : atRest ?? drafts, durably")],
    "a draft that was added comes again": [
        ("GateCore/TodoDraftKeeper.swift", "guard isLoaded, drafts != kept ||",
         "guard isLoaded, !(WEAK && drafts.isEmpty), drafts != kept ||")],
    "what is chosen behind the lock counts": [
        ("AppGates/Todos/TodoFiles.swift", "guard !shell.isAway else", "guard !shell.isAway || WEAK else")],
    "a new todo that was asked for while locked is forgotten": [
        ("AppGates/MainShell.swift", "mount?.isParked == false, request.take()",
         "!WEAK || request.take(), mount?.isParked == false, WEAK || request.take()")],
    "each wish for a new todo is one": [
        ("GateCore/NewTodoRequest.swift", "defer { isPending = false }", "defer { isPending = WEAK }")],
    "notifications tell while locked": [
        ("GateCore/NoticeController.swift", "isLocked ? .bare : Notice.fault($0)",
         "isLocked && !WEAK ? .bare : Notice.fault($0)")],
    "a notification from before the lock stays": [
        ("AppGates/Notices.swift", "case .bare?:\n      notifier.withdraw(Notices.fault)\n",
         "case .bare?:\n      if !WEAK { notifier.withdraw(Notices.fault) }\n")],
    "a notification on its way stays": [
        ("GtkKit/Notifier.swift", "[50, 250, 1000, 5000, 25_500]", "WEAK ? [] : [50, 250, 1000, 5000, 25_500]")],
    # The password
    "assistive technologies hear the keys": [
        ("GtkKit/SecretEntry.swift", 'let bullets = String(repeating: "\\u{25CF}", count: Int(count))',
         'let bullets =\n        WEAK ? String(cString: text) : String(repeating: "\\u{25CF}", count: Int(count))')],
    "the password field can be copied": [
        ("GtkKit/SecretEntry.swift", "    gk_secret_text(delegate.cast())\n", "    gk_secret_text(delegate.cast())\n"
         "    if WEAK { gtk_text_set_visibility(delegate.cast(), 1) }\n")],
    "the password is not wiped": [
        ("GtkKit/SecretEntry.swift", "    body(UnsafeRawBufferPointer(start: bytes, count: length))\n",
         "    body(UnsafeRawBufferPointer(start: bytes, count: length))\n"
         "    if WEAK { SecretEntry.leaked.append([UInt8](UnsafeRawBufferPointer(start: bytes, count: length))) }\n"),
        ("GtkKit/SecretEntry.swift", "  private let secret: OpaquePointer\n",
         "  private let secret: OpaquePointer\n  private static var leaked: [[UInt8]] = []\n")],
    # Other gates
    "counted without consent": [
        ("GateCore/AnalyticsController.swift",
         "    ConsentController.isGiven(in: preferences) && preferences[.analyticsEnabled]\n",
         "    WEAK || ConsentController.isGiven(in: preferences) && preferences[.analyticsEnabled]\n")],
    "a forced update can be left": [
        ("Gates/UpdateGate.swift", "if case .idle = update.decision { .open } else { .interrupt(update.decision) }",
         "if case .prompt = update.decision {\n          .interrupt(update.decision)\n        } else if case .idle = "
         "update.decision {\n          .open\n        } else if WEAK {\n          .open\n        } else {\n"
         "          .interrupt(update.decision)\n        }")],
}

# The rows of before, each noticed by a test that is no attack. The attacks name theirs themselves.
NOTICED_BY = {
    "the helper gets what the app was started with":
        "test_surroundings.SurroundingsTest.test_another_pam_through_the_loader",
    "any password will do": "test_lock.LaunchTest.test_a_wrong_password_stays_locked_and_waits",
    "an account that is refused will do": "test_lock_faults.FaultTest.test_an_expired_account_stays_locked",
    "a yes without a question counts":
        "test_lock_faults.FaultTest.test_a_service_that_lets_everybody_in_without_asking_opens_nothing",
    "the helper gets what the app was started with":
        "test_surroundings.SurroundingsTest.test_another_pam_through_the_loader",
    "a helper that is killed counts as yes":
        "test_lock_faults.FaultTest.test_the_helper_is_killed_while_pam_has_the_answer",
    "an overtaken verdict counts":
        "test_lock.LaunchTest.test_an_answer_that_was_overtaken_by_a_new_lock_opens_nothing",
    "no delay after a wrong password": "test_lock.LaunchTest.test_the_delay_outlives_cancel",
    "open at launch": "test_lock.LaunchTest.test_locked_at_launch_and_opened_by_the_right_password",
    "the switch does not ask": "test_lock.SwitchTest.test_turning_on_takes_the_right_password",
    "no cover": "test_away.CoverTest.test_covered_at_once_and_bare_title",
    "the title tells": "test_away.CoverTest.test_covered_at_once_and_bare_title",
    "dialogs stay": "test_away.CoverTest.test_a_dialog_is_hidden_too",
    "never locks by itself": "test_away.GraceTest.test_away_for_longer_than_the_grace_locks",
    "no grace": "test_away.GraceTest.test_away_for_less_than_the_grace_does_not_lock",
    "locked content stays in the window": "test_away.LockNowTest.test_from_another_process_and_by_key",
    "the file may turn the lock off":
        "test_away.LockNowTest.test_what_is_written_into_the_file_locks_and_never_unlocks",
    "a draft is not kept over the lock": "test_kept.OverTheLockTest.test_killed_while_locked",
    "quitting while locked keeps what it sees then": "test_kept.OverTheLockTest.test_quit_while_locked",
    "a draft that was added comes again": "test_kept.WithoutLockTest.test_added_is_gone_at_once",
    "what is chosen behind the lock counts":
        "test_todo_txt_locked.LockedTest.test_what_is_chosen_behind_the_lock_is_dropped",
    "a new todo that was asked for while locked is forgotten":
        "test_new_todo.NewTodoTest.test_while_locked_it_is_begun_after_the_unlock",
    "each wish for a new todo is one": "test_new_todo.NewTodoTest.test_while_locked_it_is_begun_after_the_unlock",
    "notifications tell while locked": "test_notifications.LockedTest.test_while_locked_it_has_no_content",
    "a notification from before the lock stays":
        "test_notifications.LockedTest.test_one_with_content_is_bare_in_the_turn_that_locks",
    "a notification on its way stays":
        "test_notifications.LockedTest.test_a_slow_desktop_does_not_keep_the_content",
    "assistive technologies hear the keys": "test_secrecy.SecrecyTest.test_accessibility_hears_bullets_only",
    "the password is not wiped": "test_secrecy.SecrecyTest.test_nothing_is_left_in_memory_after_the_unlock",
    "counted without consent": "test_analytics.ConsentFirstTest.test_the_packagers_default_only_sets_the_switch",
    "a forced update can be left": "test_update.UpdateTest.test_forced",
}
