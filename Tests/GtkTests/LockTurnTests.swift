import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

/// Changes of the lock that come in the middle of another change: the last one counts, in the same turn.
@MainActor
let lockTurnTests = Suite(
  "LockTurn",
  [
    Test("locks while it opens", locksWhileOpening),
    Test("locks while the content returns", locksWhileReturning),
    Test("opens while its page is being built", opensWhileFaceIsMade),
    Test("opens while the content is being parked", opensWhileParking),
    Test("what is made behind the lock is at rest until it opens", madeBehindLock),
  ])

private let locked = "App Gates is locked"
private let lockOn = ["biometricEnabled": "true"]

@MainActor
private func locksWhileOpening() {
  let content = Content()
  content.whileMade = { $0[BiometricController.self]?.lock() }
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  play.unlock()
  expect(!content.isInWindow && play.shows(locked), "the locked page, and no content")
  content.whileMade = { _ in }
  play.unlock()
  expect(content.isInWindow && content.made == 1, "the content, made once")
  play.end()
}

@MainActor
private func locksWhileReturning() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  play.unlock()
  guard let lock = need(content.context?[BiometricController.self], "the lock") else { return }
  lock.lock()
  content.whileReturning = { lock.lock() }
  play.unlock()
  expect(!content.isInWindow && play.shows(locked), "the locked page, and no content")
  content.whileReturning = {}
  play.unlock()
  expect(content.isInWindow && !play.shows(locked), "the content")
  play.end()
}

@MainActor
private func opensWhileFaceIsMade() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  play.unlock()
  guard let lock = need(content.context?[BiometricController.self], "the lock") else { return }
  play.world.pam.whileBegun = { unlockAtOnce(lock) }
  lock.lock()
  expect(content.isInWindow && !play.shows(locked), "the content, and no page")
  expect(content.made, is: 1, "the children made")
  play.world.pam.whileBegun = {}
  lock.lock()
  expect(!content.isInWindow && play.shows(locked), "the locked page at the next lock")
  play.end()
}

@MainActor
private func opensWhileParking() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  play.unlock()
  guard let lock = need(content.context?[BiometricController.self], "the lock") else { return }
  content.whileParked = { unlockAtOnce(lock) }
  lock.lock()
  content.whileParked = {}
  expect(!lock.isLocked && content.isInWindow, "the content, since the lock is open")
  expect(content.parked, is: content.returned, "the parkings, each with its return,")
  play.end()
}

@MainActor
private func madeBehindLock() {
  let content = Content()
  let world = World(lockOn)
  let play = Play(BiometricGate { AuthGate { content.screen } }, in: world)
  play.unlock()
  play.press("Continue on this computer")
  // The answer of the secret's store comes after the lock.
  world.actions["lock"]?()
  Stage.until("the child made") { content.made == 1 }
  expect(!content.isInWindow && play.shows(locked), "the locked page, and no content")
  expect([content.parked, content.returned], is: [1, 0], "parkings and returns: at rest from the beginning")
  play.unlock()
  expect(content.isInWindow && content.returned == 1, "the content, at work")
  play.end()
}

/// Unlocks behind the page's back, as far as the lock lets itself.
@MainActor
private func unlockAtOnce(_ lock: BiometricController) {
  if let attempt = lock.beginAttempt() { _ = lock.unlock(attempt) }
}
