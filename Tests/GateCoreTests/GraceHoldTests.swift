import Testing

@testable import GateCore

/// The grace period, put off while the keyring asks on the app's behalf.
@MainActor
struct GraceHoldTests {
  private func opened(_ values: [String: String] = [:]) -> (World, BiometricController) {
    let world = World(["biometricEnabled": "true"].merging(values) { $1 })
    let lock = BiometricController(initialLocked: false, preferences: world.preferences, clock: world.clock)
    lock.setActive(true)
    return (world, lock)
  }

  @Test func coversButDoesNotLockUntilTheHoldEnds() {
    let (world, lock) = opened()
    var hold = lock.holdGrace()
    lock.setActive(false)
    #expect(lock.isCovered)
    world.hands.boot += 30_000
    lock.deadlineReached()
    #expect(!lock.isLocked && lock.isCovered)
    hold = nil
    #expect(hold == nil && !lock.isLocked && lock.deadline == world.hands.boot + 1000)
    world.hands.boot += 1000
    lock.deadlineReached()
    #expect(lock.isLocked)
  }

  @Test func backWhileItIsHeldIsAsIfNothingHadBeen() {
    let (world, lock) = opened()
    var hold = lock.holdGrace()
    lock.setActive(false)
    world.hands.boot += 30_000
    lock.setActive(true)
    #expect(hold != nil && !lock.isLocked && !lock.isCovered && lock.deadline == nil)
    hold = nil
    lock.setActive(false)
    #expect(lock.deadline == world.hands.boot + 1000)
  }

  @Test func countsForAMinuteAndNoLonger() {
    let (world, lock) = opened()
    let hold = lock.holdGrace()
    let began = world.hands.boot
    world.hands.boot += 20_000
    lock.setActive(false)
    #expect(lock.deadline == began + 61_000)
    world.hands.boot = began + 60_999
    lock.deadlineReached()
    #expect(!lock.isLocked)
    world.hands.boot += 1
    lock.deadlineReached()
    #expect(lock.isLocked)
    withExtendedLifetime(hold) {}
  }

  @Test func anEndAfterTheMinuteDoesNotBeginAPeriodAnew() {
    for late in [60_500, 61_000, 500_000] as [Int64] {
      let (world, lock) = opened()
      var hold = lock.holdGrace()
      let began = world.hands.boot
      lock.setActive(false)
      // The timer was late.
      world.hands.boot += late
      hold = nil
      #expect(hold == nil && lock.isLocked == (late >= 61_000))
      #expect(lock.deadline == (late >= 61_000 ? nil : began + 61_000))
    }
  }

  @Test func severalEndWithTheLastAndTheFirstBeginsTheMinute() {
    let (world, lock) = opened()
    var first = lock.holdGrace()
    let began = world.hands.boot
    world.hands.boot += 10_000
    var second = lock.holdGrace()
    lock.setActive(false)
    first = nil
    #expect(first == nil && second != nil && lock.deadline == began + 61_000)
    second = nil
    #expect(lock.deadline == world.hands.boot + 1000)
  }

  @Test func noneWhereTheUserIsAwayOrTheAppLocked() {
    let (world, lock) = opened(["lockAfterSeconds": "15"])
    lock.setActive(false)
    #expect(lock.holdGrace() == nil)
    world.hands.boot += 15_000
    lock.setActive(true)
    #expect(lock.isLocked && lock.holdGrace() == nil)
  }

  @Test(arguments: [DesktopEvent.lockRequested, .screenLocked, .switchedAway, .goingToSleep])
  func nothingElseThatLocksWaitsForIt(_ event: DesktopEvent) {
    let (_, lock) = opened()
    let hold = lock.holdGrace()
    lock.setActive(false)
    lock.heard(event)
    #expect(lock.isLocked)
    withExtendedLifetime(hold) {}
    #expect(lock.isLocked)
  }

  @Test func aClockThatRunsBackwardsLocks() {
    let (world, lock) = opened()
    let hold = lock.holdGrace()
    lock.setActive(false)
    world.hands.boot -= 1
    lock.setActive(true)
    #expect(lock.isLocked)
    withExtendedLifetime(hold) {}
  }

  @Test func theSessionsQuestionsAreKnown() async {
    let (world, secrets) = (World(), FakeSecrets())
    let auth = AuthController(
      client: secrets.client, preferences: world.preferences, clock: world.clock, bus: world.bus)
    var seen: [Bool] = []
    let token = auth.changed.listen { if seen.last != auth.mayBeAsking { seen.append(auth.mayBeAsking) } }
    auth.verify()
    #expect(!auth.mayBeAsking)
    auth.signIn()
    #expect(auth.mayBeAsking)
    await secrets.arrived(1)
    secrets.letGo()
    for _ in 0..<1000 where auth.mayBeAsking { await Task.yield() }
    #expect(auth.state != .signedOut && seen == [true, false])
    auth.verify()
    #expect(!auth.mayBeAsking, "to look for the secret asks nothing")
    auth.signOut()
    #expect(auth.mayBeAsking)
    withExtendedLifetime(token) {}
  }
}
