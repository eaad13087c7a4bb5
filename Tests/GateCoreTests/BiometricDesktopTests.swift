import Testing

@testable import GateCore

/// The lock and what happens to the desktop's session.
@MainActor
struct BiometricDesktopTests {
  private nonisolated static let away: [DesktopEvent] = [.screenLocked, .switchedAway, .goingToSleep]
  private nonisolated static let back: [DesktopEvent] = [.screenUnlocked, .switchedBack, .awake]

  private func lock(_ world: World, initialLocked: Bool? = false) -> BiometricController {
    let lock = BiometricController(initialLocked: initialLocked, preferences: world.preferences, clock: world.clock)
    lock.setActive(true)
    return lock
  }

  private func world(_ values: [String: String] = [:]) -> World {
    World(["biometricEnabled": "true", "lockAfterSeconds": "300"].merging(values) { $1 })
  }

  @Test(arguments: away + [.lockRequested]) func locksAtOnceAndInTheSameCall(_ event: DesktopEvent) {
    for isActive in [true, false] {
      let lock = lock(world())
      lock.setActive(isActive)
      lock.heard(event)
      #expect(lock.isLocked && !lock.isCovered && lock.deadline == nil)
    }
  }

  @Test(arguments: away + [.lockRequested]) func anAttemptFromBeforeOpensNothing(_ event: DesktopEvent) throws {
    let lock = lock(world(), initialLocked: true)
    let attempt = try #require(lock.beginAttempt())
    #expect(lock.isCurrent(attempt))
    lock.heard(event)
    #expect(!lock.isCurrent(attempt) && !lock.unlock(attempt) && lock.isLocked)
  }

  @Test(arguments: back) func whatBringsTheUserBackOpensAndUncoversNothing(_ event: DesktopEvent) {
    let locked = lock(world(), initialLocked: true)
    locked.heard(event)
    #expect(locked.isLocked)
    for before in Self.away + [.lockRequested] {
      let lock = lock(world())
      lock.heard(before)
      lock.heard(event)
      #expect(lock.isLocked)
    }
    let covered = lock(world())
    covered.setActive(false)
    let deadline = covered.deadline
    covered.heard(event)
    #expect(covered.isCovered && !covered.isLocked && covered.deadline == deadline && deadline != nil)
    let open = lock(world())
    open.heard(event)
    #expect(!open.isLocked)
  }

  @Test(arguments: zip(away, back)) func nobodyIsAskedMeanwhile(_ away: DesktopEvent, _ back: DesktopEvent) {
    let lock = lock(world())
    var asked: [Bool] = []
    let token = lock.changed.listen { asked.append(lock.wantsPrompt) }
    lock.heard(away)
    #expect(!asked.isEmpty && !asked.contains(true), "not for a moment")
    #expect(lock.isPaused)
    // Some desktops say nothing of focus then, others late.
    lock.setActive(false)
    lock.setActive(true)
    #expect(!lock.wantsPrompt)
    for other in Self.back where other != back { lock.heard(other) }
    #expect(!lock.wantsPrompt)
    lock.heard(back)
    #expect(lock.wantsPrompt && !lock.isPaused && asked.last == true)
    withExtendedLifetime(token) {}
  }

  /// The desktop's own lock screen is about to come, and may want the reader.
  @Test func aRequestToLockAsksNobodyUntilTheUserComesOrRequestsIt() {
    let lock = lock(world())
    var asked: [Bool] = []
    let token = lock.changed.listen { asked.append(lock.wantsPrompt) }
    lock.heard(.lockRequested)
    #expect(lock.isLocked && !asked.isEmpty && !asked.contains(true))
    lock.promptRequested()
    #expect(lock.wantsPrompt)
    withExtendedLifetime(token) {}
  }

  /// What is begun on the way to sleep would be cut off by it.
  @Test func notOnTheWayToSleep() {
    let lock = lock(world())
    lock.heard(.screenLocked)
    lock.heard(.goingToSleep)
    lock.promptRequested()
    #expect(!lock.wantsPrompt && lock.isPaused)
    lock.heard(.awake)
    #expect(lock.wantsPrompt && lock.isLocked)
  }

  @Test func whoeverAsksTheUserHearsBeforeTheLockedPageDoes() {
    let lock = lock(world())
    var heard: [String] = []
    let tokens = [
      lock.changed.listen { heard.append("changed") },
      lock.closing.listen { heard.append(lock.isLocked ? "closing" : "early") },
    ]
    lock.lock()
    #expect(heard.first == "closing" && heard.count { $0 == "closing" } == 1)
    withExtendedLifetime(tokens) {}
  }

  @Test(arguments: [DesktopEvent.screenLocked, .switchedAway]) func whoeverRequestsThePromptGetsIt(
    _ event: DesktopEvent
  ) {
    let lock = lock(world())
    lock.heard(event)
    lock.promptRequested()
    #expect(lock.wantsPrompt && lock.isLocked)
  }

  @Test(arguments: away + [.lockRequested]) func onlyWhereTheLockIsOn(_ event: DesktopEvent) {
    let off = lock(World())
    off.heard(event)
    #expect(!off.isLocked && !off.isCovered)
    let unreadable = lock(World(state: .unreadable(.damaged)))
    unreadable.heard(event)
    #expect(unreadable.isLocked)
  }

  @Test func anAttemptIsCurrentUntilItHasOpened() throws {
    let lock = lock(world(), initialLocked: true)
    let attempt = try #require(lock.beginAttempt())
    #expect(lock.isCurrent(attempt))
    #expect(lock.unlock(attempt))
    #expect(!lock.isCurrent(attempt))
  }

  /// Without a lock there may still be a question that holds the reader.
  @Test(arguments: zip(away, back)) func tellsThatNobodyIsHereAlsoWhereThereIsNothingToLock(
    _ away: DesktopEvent, _ back: DesktopEvent
  ) {
    let lock = lock(world(["biometricEnabled": "false"]))
    var told: [Bool] = []
    let token = lock.changed.listen { [unowned lock] in told.append(lock.isHere) }
    lock.heard(away)
    #expect(!lock.isLocked)
    lock.heard(back)
    #expect(told == [false, true])
    withExtendedLifetime(token) {}
  }
}
