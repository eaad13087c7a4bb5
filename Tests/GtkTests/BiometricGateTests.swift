import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

@MainActor
let biometricGateTests = Suite(
  "BiometricGate",
  [
    Test("locked at launch: no child is made before the password", lockedAtLaunch),
    Test("open at launch where the lock is off", openAtLaunch),
    Test("the content leaves the window at the deadline", leavesAtDeadline),
    Test("the deadline comes by itself", deadlineByTimer),
    Test("back in time: no lock, and the draft is there", backInTime),
    Test("back late: no content in between", backLate),
    Test("unlocking brings the content back, draft and focus", unlockReturns),
    Test("wrong, cancelled and broken stay locked", staysLocked),
    Test("an unlock that a newer lock overtook opens nothing", overtaken),
    Test("Escape cancels, and asks again when the user comes", cancels),
    Test("the password is wiped from the field when the user leaves", fieldWiped),
    Test("a prompt in view does not leave the field open for the next", fieldClosed),
    Test("an Enter from before a newer lock opens nothing", enterForgotten),
    Test("behind the error card nobody is asked", notBehindTheCard),
  ])

private let locked = "App Gates is locked"
private let lockOn = ["biometricEnabled": "true"]

@MainActor
private func lockedAtLaunch() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  expect(play.shows(locked), "the locked page")
  expect(content.made, is: 0, "the children made")
  expect(play.world.pam.begun, is: 1, "the password checks begun without a click")
  play.unlock()
  expect(content.isInWindow && !play.shows(locked), "the child in this same turn")
  play.end()
}

@MainActor
private func openAtLaunch() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World())
  expect(content.isInWindow && !play.isCovered, "the child, not covered")
  expect(play.world.pam.begun, is: 0, "the password checks")
  play.end()
  let other = Content()
  let forced = Play(BiometricGate(initialLocked: true) { other.screen }, in: World())
  expect(forced.shows(locked) && other.made == 0, "the locked page where the caller asks for it")
  forced.end()
}

@MainActor
private func leavesAtDeadline() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  play.unlock()
  guard let lock = need(content.context?[BiometricController.self], "the lock") else { return }
  play.world.host.setActive(false)
  expect(content.isInWindow && play.holds(Content.draft), "the content below the cover")
  play.world.hands.boot += 999
  lock.deadlineReached()
  expect(content.isInWindow, "the content before the deadline")
  play.world.hands.boot += 1
  lock.deadlineReached()
  expect(!content.isInWindow && !play.holds(Content.draft), "the content out of the window in this same turn")
  expect(play.shows(locked) && !play.isCovered, "the locked page, which needs no cover")
  expect(play.window.title, is: "App Gates", "the title")
  expect([content.parked, content.ended], is: [1, 0], "parkings and ends")
  play.end()
}

@MainActor
private func deadlineByTimer() {
  let content = Content()
  let world = World(lockOn)
  let play = Play(BiometricGate { content.screen }, in: world, context: world.context(live: true))
  play.unlock()
  let began = milliseconds()
  play.world.host.setActive(false)
  Stage.until("the content out of the window") { !content.isInWindow }
  let passed = milliseconds() - began
  expect(passed >= 990 && passed < 1500, "a lock after a second, not \(passed) ms")
  expect(play.world.pam.begun, is: 1, "the password checks while away")
  play.end()
}

@MainActor
private func backInTime() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  play.unlock()
  play.world.host.setActive(false)
  play.world.hands.boot += 900
  play.world.host.setActive(true)
  expect(content.isInWindow && !play.isCovered && content.parked == 0, "the content as it was")
  play.end()
}

@MainActor
private func backLate() {
  let content = Content()
  let world = World(lockOn)
  let context = world.context()
  let play = Play(BiometricGate { content.screen }, in: world, context: context)
  play.unlock()
  guard let lock = need(content.context?[BiometricController.self], "the lock") else { return }
  var moments = 0
  var exposed = 0
  let look: @MainActor () -> Void = {
    moments += 1
    if content.isInWindow, !play.isCovered { exposed += 1 }
    if play.window.title.has("Secret") { exposed += 1 }
  }
  play.world.host.setActive(false)
  // The timer was late or the computer slept: no turn of the loop between the deadline and the return.
  play.world.hands.boot += 60_000
  let after = lock.changed.listen { _ in look() }
  let early = world.host.activity.listen { _ in look() }
  play.world.host.setActive(true)
  expect(moments >= 2, "moments to look at")
  expect(exposed, is: 0, "the moments at which the content could be seen")
  expect(!content.isInWindow && play.shows(locked), "the locked page")
  withExtendedLifetime((after, early)) {}
  play.end()
}

@MainActor
private func unlockReturns() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  play.unlock()
  content.entry?.text = "half a thought"
  content.entry?.grabFocus()
  content.entry?.cursor = 5
  content.context?[BiometricController.self]?.lock()
  expect(!content.isInWindow, "the content out of the window")
  expect(!play.holds("half") && !play.holds("Behind"), "nothing of the content in the window")
  play.unlock()
  expect(content.isInWindow, "the content back in this same turn")
  expect(content.entry?.text ?? "", is: "half a thought", "the draft")
  expect(content.entry?.cursor ?? -1, is: 5, "the cursor")
  expect(content.entry?.isFocused ?? false, "the field with the keyboard")
  expect([content.made, content.parked, content.returned, content.ended], is: [1, 1, 1, 0], "the child's life")
  play.end()
}

@MainActor
private func staysLocked() {
  let faults: [VerifyFault] = [
    .wrong, .accountExpired, .accountRefused, .serviceMissing, .helperMissing, .helperFailed, .noAnswer, .unavailable,
    .tooManyTries, .versionMismatch, .runsAsRoot, .notSelf, .noNewPrivileges,
  ]
  for fault in faults {
    let content = Content()
    let play = Play(BiometricGate { content.screen }, in: World(lockOn), shown: false)
    play.world.pam.last?.say(.finished(.failure(fault)))
    Stage.drain()
    expect(content.made == 0 && play.shows(locked), "the locked page after \(fault)")
    expect(play.words.contains { $0.count > 20 }, "a sentence for \(fault)")
    play.end()
  }
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn), shown: false)
  // Success without a hidden prompt of ours is no password.
  play.world.pam.succeed()
  expect(content.made, is: 0, "the children made without an answer")
  play.end()
}

@MainActor
private func overtaken() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  let first = play.world.pam.last
  first?.say(.prompt(text: "Password: ", hidden: true))
  play.world.host.setActive(false)
  play.world.actions["lock"]?()
  guard let field = need(Tree.find("GtkPasswordEntry", in: play.root).first, "the field") else { return }
  var place: gint = 0
  gtk_editable_insert_text(gk_editable(field), "late", -1, &place)
  if let inner = Tree.find("GtkText", in: field).first { Tree.emit("activate", of: inner) }
  play.world.actions["lock"]?()
  first?.say(.finished(.success(VerifiedBy(hiddenAnswered: true))))
  expect(content.made == 0 && play.shows(locked), "the locked page: the lock came after the attempt began")
  play.end()
}

@MainActor
private func cancels() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  let first = play.world.pam.last
  first?.say(.prompt(text: "Password: ", hidden: true))
  play.press("Cancel")
  expect(first?.isCancelled ?? false, "the check ended")
  expect(Tree.button("Cancel", in: play.root) == nil, "no prompt any more")
  play.press("Unlock")
  expect(play.world.pam.begun, is: 2, "the checks begun")
  play.press("Cancel")
  play.world.host.setActive(false)
  expect(play.world.pam.begun, is: 2, "the checks begun while away")
  play.world.hands.boot += UnlockController.blip
  play.world.host.setActive(true)
  expect(play.world.pam.begun, is: 3, "the checks begun after the return")
  expect(content.made, is: 0, "the children made")
  play.end()
}

@MainActor
private func fieldWiped() {
  let content = Content()
  let play = Play(ErrorBoundary { BiometricGate { content.screen } }, in: World(lockOn))
  play.world.pam.last?.say(.prompt(text: "Password: ", hidden: true))
  guard let field = need(Tree.find("GtkPasswordEntry", in: play.root).first, "the field") else { return }
  var place: gint = 0
  gtk_editable_insert_text(gk_editable(field), "half a passw", -1, &place)
  play.world.bus.post(.todosNotSaved(.noSpace))
  Stage.until("the card") { play.shows("Something went wrong") }
  expect(String(cString: gtk_editable_get_text(gk_editable(field))), is: "", "what the parked field holds")
  play.end()
}

@MainActor
private func fieldClosed() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  guard let field = need(Tree.find("GtkPasswordEntry", in: play.root).first, "the field") else { return }
  func type(_ text: String) -> String {
    var place: gint = 0
    gtk_editable_insert_text(gk_editable(field), text, -1, &place)
    return String(cString: gtk_editable_get_text(gk_editable(field)))
  }
  play.world.pam.last?.say(.prompt(text: "Code: ", hidden: false))
  expect(type("123"), is: "123", "the code, which PAM wants in view")
  play.press("Cancel")
  play.press("Unlock")
  expect(play.world.pam.begun, is: 2, "the checks begun")
  expect(type("secret"), is: "●●●●●●", "what is typed before the next prompt")
  play.end()
}

@MainActor
private func enterForgotten() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  guard let field = need(Tree.find("GtkPasswordEntry", in: play.root).first, "the field") else { return }
  var place: gint = 0
  gtk_editable_insert_text(gk_editable(field), "secret", -1, &place)
  if let inner = Tree.find("GtkText", in: field).first { Tree.emit("activate", of: inner) }
  play.world.actions["lock"]?()
  let check = play.world.pam.last
  check?.say(.prompt(text: "Password: ", hidden: true))
  Stage.drain()
  expect(check?.answers.count ?? -1, is: 0, "the answers given by themselves")
  play.end()
}

@MainActor
private func notBehindTheCard() {
  let content = Content()
  let play = Play(ErrorBoundary { BiometricGate { content.screen } }, in: World(lockOn))
  play.world.bus.post(.todosNotSaved(.noSpace))
  Stage.until("the card") { play.shows("Something went wrong") }
  let begun = play.world.pam.begun
  play.world.host.setActive(false)
  play.world.hands.boot += 1000
  play.world.host.setActive(true)
  expect(play.world.pam.begun, is: begun, "the checks begun behind the card")
  play.end()
}
