import Testing

@testable import GateCore

/// What the controller does where the reader cannot be had.
@MainActor
struct FingerprintObstacleTests {
  typealias Obstacle = FingerprintController.Obstacle
  let rig = FingerRig()

  @Test(arguments: [ReaderState.noReader, .noService])
  func noWordOfAReaderThatIsNotThere(_ state: ReaderState) {
    rig.unlocking.begin()
    rig.fail(state)
    #expect(rig.phase == .silent)
    rig.timer.advance(3_600_000)
    #expect(rig.helpers.count == 1)
    #expect(rig.looks == 1)
    // fprintd comes, or a reader is plugged in.
    rig.serviceChanges()
    rig.timer.advance(250)
    #expect(rig.helpers.count == 2)
  }

  @Test(arguments: [
    (ReaderState.noneEnrolled, Obstacle.noneEnrolled), (.notSetUp, .notSetUp), (.denied, .other),
  ])
  func saidAtOnce(_ state: ReaderState, _ obstacle: Obstacle) {
    rig.unlocking.begin()
    rig.fail(state)
    #expect(rig.phase == .unavailable(obstacle))
  }

  @Test(arguments: [
    (ReaderState.inUse, Obstacle.inUse), (.ready(fingers: 1), .other),
  ])
  func saidWhenItLasts(_ state: ReaderState, _ obstacle: Obstacle) {
    rig.unlocking.begin()
    rig.fail(state)
    #expect(rig.phase == .silent)
    rig.timer.advance(250)
    #expect(rig.helpers.count == 2)
    rig.fail(state)
    #expect(rig.phase == .unavailable(obstacle))
    rig.timer.advance(500)
    rig.claim()
    #expect(rig.phase == .ready("Touch it"))
  }

  @Test func unpluggedAndBack() {
    rig.unlocking.begin()
    rig.claim()
    rig.fail(.noReader)
    #expect(rig.phase == .unavailable(.unplugged))
    rig.timer.advance(250)
    rig.fail(.noReader)
    rig.serviceChanges()
    rig.timer.advance(250)
    #expect(rig.helpers.count == 3)
    rig.claim()
    #expect(rig.phase == .ready("Touch it"))
  }

  @Test func aServiceThatHangs() {
    rig.unlocking.begin()
    rig.claim()
    rig.state = .noAnswer
    rig.helper.fail(.noAnswer)
    rig.turn()
    #expect(rig.phase == .unavailable(.other))
  }

  @Test func laterAndLater() {
    let pauses = (1...7).map { FingerprintController.pause(after: $0) }
    #expect(pauses == [250, 500, 1000, 2000, 4000, 40_000, 40_000])
    #expect(FingerprintController.pause(after: .max) == 40_000)
    // Whoever holds it may be done at any time.
    #expect(FingerprintController.pause(after: 5, .inUse) == 4_000)
    #expect(FingerprintController.pause(after: .max, .inUse) == 8_000)
    rig.unlocking.begin()
    for failures in 1...20 {
      rig.claim()
      rig.fail(.ready(fingers: 1))
      rig.timer.advance(FingerprintController.pause(after: failures) - 1)
      #expect(rig.helpers.count == failures)
      rig.timer.advance(1)
      #expect(rig.helpers.count == failures + 1)
    }
  }

  @Test func aFingerThatIsRefusedEndsTheRowOfFailures() {
    rig.unlocking.begin()
    rig.claim()
    rig.fail(.ready(fingers: 1))
    rig.timer.advance(250)
    rig.claim()
    rig.refuse()
    rig.claim()
    rig.fail(.ready(fingers: 1))
    rig.timer.advance(250)
    #expect(rig.helpers.count == 4)
  }

  @Test func itCostsNoTryOfThePasswordAndNeverEndsIt() {
    rig.unlocking.begin()
    rig.claim()
    rig.passwords[0].ask()
    let phase = rig.unlocking.password.phase
    for state in [ReaderState.inUse, .noReader, .noService, .noneEnrolled, .noAnswer] {
      rig.fail(state)
      rig.timer.advance(40_000)
    }
    #expect(rig.unlocking.password.phase == phase)
    #expect(rig.passwords.count == 1)
    #expect(!rig.passwords[0].isCancelled)
    #expect(rig.unlocking.password.fault == nil)
    #expect(rig.record.passwordDue == nil)
  }

  @Test func aPasswordThatIsDueIsAskedForWhereTheReaderCannotBeHeld() {
    let rig = FingerRig(UnlockMemory())
    rig.unlocking.begin()
    for count in 1...3 {
      // Held for the password only; and no reader is there.
      #expect(rig.helpers.count == count)
      #expect(rig.passwords.count == count - 1)
      rig.fail(.noReader)
      #expect(rig.helpers.count == count)
      #expect(rig.passwords.count == count)
      rig.passwords[count - 1].ask()
      Array("wrong".utf8).withUnsafeBytes { rig.unlocking.password.answer($0) }
      rig.passwords[count - 1].fail(.wrong)
      rig.turn()
    }
    #expect(rig.phase == .silent)
  }

  @Test func fprintdsEndIsNoNewsWhereThereWasNoReader() {
    rig.unlocking.begin()
    rig.fail(.noReader)
    for _ in 1...10 {
      rig.serviceChanges(hasCome: false)
      rig.timer.advance(60_000)
    }
    #expect(rig.helpers.count == 1)
  }

  @Test func aServiceThatCrashesWhenItIsAskedIsAskedLaterAndLater() {
    rig.unlocking.begin()
    rig.claim()
    rig.state = .noService
    for _ in 1...50 {
      if rig.helpers.last?.isCancelled == false, rig.looks < 1000 { rig.helper.fail(.unavailable) }
      rig.serviceChanges(hasCome: true)
      rig.serviceChanges(hasCome: false)
      rig.turn()
      rig.serviceChanges(hasCome: false)
      rig.timer.advance(1000)
    }
    #expect(rig.helpers.count < 20)
  }
}
