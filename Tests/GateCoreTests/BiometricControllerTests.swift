import Testing

@testable import GateCore

@MainActor
struct BiometricControllerTests {
  private let on = ["biometricEnabled": "true"]

  private func lock(_ world: World, initialLocked: Bool? = nil) -> BiometricController {
    BiometricController(initialLocked: initialLocked, preferences: world.preferences, clock: world.clock)
  }

  /// An unlocked app with the lock on, and the user in it.
  private func unlocked(_ values: [String: String] = [:]) -> (World, BiometricController) {
    let world = World(on.merging(values) { $1 })
    let lock = lock(world, initialLocked: false)
    lock.setActive(true)
    return (world, lock)
  }

  // MARK: At launch

  @Test(
    arguments: [
      (nil, "true", true), (nil, "false", false), (nil, nil, false), (nil, "nonsense", true), (true, "false", true),
      (false, "true", false),
    ] as [(Bool?, String?, Bool)])
  func launch(_ initialLocked: Bool?, _ enabled: String?, _ isLocked: Bool) {
    let world = World(enabled.map { ["biometricEnabled": $0] } ?? [:])
    #expect(lock(world, initialLocked: initialLocked).isLocked == isLocked)
  }

  @Test(arguments: [nil, false, true]) func unreadablePreferencesLock(_ initialLocked: Bool?) {
    let lock = lock(World(state: .unreadable(.damaged)), initialLocked: initialLocked)
    #expect(lock.isLocked && lock.isEnabled)
    lock.setActive(true)
    lock.setEnabled(false)
    #expect(lock.isEnabled)
  }

  @Test func nothingIsCoveredBeforeTheFirstWordButInactiveCoversThen() {
    let lock = lock(World())
    #expect(!lock.isCovered)
    lock.setActive(false)
    #expect(lock.isCovered)
  }

  // MARK: The cover

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func coversInTheSameCall(_ isEnabled: Bool, _ hides: Bool) {
    let world = World(["biometricEnabled": isEnabled ? "true" : "false", "hideContent": hides ? "true" : "false"])
    let lock = lock(world, initialLocked: false)
    lock.setActive(true)
    lock.setActive(false)
    #expect(lock.isCovered == hides)
    #expect((lock.deadline != nil) == isEnabled)
    lock.setActive(true)
    #expect(!lock.isCovered && lock.deadline == nil && !lock.isLocked)
  }

  @Test func locksBeforeTheCoverGoes() {
    let (world, lock) = unlocked()
    var seen: [String] = []
    let token = lock.changed.listen {
      seen.append("\(lock.isLocked ? "locked" : "open")\(lock.isCovered ? "+cover" : "")")
    }
    lock.setActive(false)
    world.hands.boot += 1000
    lock.setActive(true)
    #expect(seen == ["open+cover", "locked+cover", "locked"])
    withExtendedLifetime(token) {}
  }

  @Test func coversBeforeAnUnlockWhileTheUserIsAway() throws {
    let world = World(on)
    let lock = lock(world)
    lock.setActive(true)
    let attempt = try #require(lock.beginAttempt())
    lock.setActive(false)
    world.hands.boot += 60_000
    var seen: [String] = []
    let token = lock.changed.listen {
      seen.append("\(lock.isLocked ? "locked" : "open")\(lock.isCovered ? "+cover" : "")")
    }
    #expect(lock.unlock(attempt))
    #expect(seen == ["locked+cover", "open+cover"])
    // A grace period begins, and no more than that.
    #expect(lock.deadline == world.hands.boot + 1000)
    withExtendedLifetime(token) {}
  }

  // MARK: The deadline

  @Test(arguments: [(1, 999, false), (1, 1000, true), (15, 14_999, false), (15, 15_000, true), (300, 86_400_000, true)])
  func graceByTheBootClock(_ grace: Int, _ away: Int64, _ isLocked: Bool) {
    let (world, lock) = unlocked(["lockAfterSeconds": String(grace)])
    lock.setActive(false)
    #expect(lock.deadline == world.hands.boot + Int64(grace) * 1000)
    world.hands.boot += away
    // Set back, set forward: no matter.
    world.hands.wall -= 1_000_000
    lock.setActive(true)
    #expect(lock.isLocked == isLocked)
    #expect(lock.deadline == nil)
  }

  @Test func aBlipDoesNotLockAndDoesNotAddUp() {
    let (world, lock) = unlocked()
    for _ in 0..<100 {
      lock.setActive(false)
      world.hands.boot += 900
      lock.setActive(true)
    }
    #expect(!lock.isLocked)
  }

  @Test func wordThatNothingChangedDoesNotPutTheDeadlineOff() {
    let (world, lock) = unlocked()
    lock.setActive(false)
    let deadline = lock.deadline
    world.hands.boot += 900
    lock.setActive(false)
    #expect(lock.deadline == deadline)
  }

  @Test func anEarlyTimerIsSetAgainAndALateOneLocks() {
    let (world, lock) = unlocked()
    lock.deadlineReached()
    #expect(!lock.isLocked)
    lock.setActive(false)
    let heard = Heard(lock.changed)
    world.hands.boot += 999
    lock.deadlineReached()
    #expect(!lock.isLocked && lock.deadline != nil && heard.count == 1)
    world.hands.boot += 5000
    lock.deadlineReached()
    #expect(lock.isLocked && !lock.isCovered && lock.deadline == nil)
  }

  @Test func aClockThatRunsBackwardsLocks() {
    for asksTimer in [true, false] {
      let (world, lock) = unlocked()
      lock.setActive(false)
      world.hands.boot -= 1
      if asksTimer { lock.deadlineReached() } else { lock.setActive(true) }
      #expect(lock.isLocked)
    }
  }

  // MARK: Prompt and attempt

  @Test func promptsWhenTheUserIsHereUntilCancelled() {
    let world = World(on)
    let lock = lock(world)
    #expect(!lock.wantsPrompt)
    lock.setActive(true)
    #expect(lock.wantsPrompt)
    lock.promptCancelled()
    #expect(!lock.wantsPrompt)
    lock.promptRequested()
    #expect(lock.wantsPrompt)
    lock.promptCancelled()
    // A key of a virtual keyboard.
    lock.setActive(false)
    world.hands.boot += UnlockController.blip - 1
    lock.setActive(true)
    #expect(!lock.wantsPrompt)
    lock.setActive(false)
    world.hands.boot += UnlockController.blip
    lock.setActive(true)
    #expect(lock.wantsPrompt)
  }

  @Test func anAttemptCountsOnceAndOnlyUntilTheNextLock() throws {
    let world = World(on)
    let lock = lock(world)
    lock.setActive(true)
    let first = try #require(lock.beginAttempt())
    lock.lock()
    #expect(!lock.unlock(first) && lock.isLocked)
    let second = try #require(lock.beginAttempt())
    #expect(lock.unlock(second) && !lock.isLocked)
    #expect(lock.beginAttempt() == nil)
    lock.lock()
    #expect(!lock.unlock(second) && !lock.unlock(first) && lock.isLocked)
  }

  @Test func lockLocksOnlyWhereItIsOn() {
    let off = lock(World())
    off.setActive(true)
    off.lock()
    #expect(!off.isLocked)
    let (_, on) = unlocked()
    on.lock()
    #expect(on.isLocked && on.wantsPrompt)
  }

  // MARK: Turning it on and off

  @Test func cannotBeTurnedOffWhileLocked() throws {
    let world = World(on)
    let lock = lock(world)
    lock.setActive(true)
    lock.setEnabled(false)
    #expect(lock.isEnabled && lock.isLocked && world.file.writes.isEmpty)
    #expect(lock.unlock(try #require(lock.beginAttempt())))
    lock.setEnabled(false)
    #expect(!lock.isEnabled && world.file.values["biometricEnabled"] == "false")
    lock.setActive(false)
    world.hands.boot += 1_000_000
    lock.setActive(true)
    #expect(!lock.isLocked)
  }

  @Test func turnedOnByOthersWhileAwayBeginsAGrace() {
    let world = World()
    let lock = lock(world)
    lock.setActive(true)
    lock.setActive(false)
    world.hands.boot += 60_000
    world.file.change("biometricEnabled", to: "true")
    #expect(lock.deadline == world.hands.boot + 1000)
    world.file.change("biometricEnabled", to: "false")
    #expect(lock.isEnabled && lock.deadline == world.hands.boot + 1000)
  }

  @Test func aShorterGraceFromOutsideCountsAtOnce() {
    let (world, lock) = unlocked(["lockAfterSeconds": "300"])
    lock.setActive(false)
    let begin = world.hands.boot
    world.file.change("lockAfterSeconds", to: "15")
    #expect(lock.deadline == begin + 15_000)
    world.file.change("lockAfterSeconds", to: "300")
    #expect(lock.deadline == begin + 15_000)
  }
}
