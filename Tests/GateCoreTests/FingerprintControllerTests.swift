import Testing

@testable import GateCore

@MainActor
struct FingerprintControllerTests {
  let rig = FingerRig()

  @Test func aFingerThatIsKnown() {
    rig.unlocking.begin()
    #expect(rig.phase == .silent)
    #expect(rig.helpers.count == 1)
    rig.claim()
    #expect(rig.phase == .ready("Touch it"))
    rig.helper.say(.error("Again"))
    #expect(rig.phase == .again("Again"))
    rig.helper.succeed(hiddenAnswered: false)
    #expect(rig.verified == [.fingerprint])
  }

  @Test func thePasswordStartsWhenTheReaderIsClaimed() {
    rig.unlocking.begin()
    #expect(rig.passwords.isEmpty)
    #expect(rig.unlocking.password.phase == .starting)
    rig.claim()
    #expect(rig.passwords.count == 1)
  }

  @Test func orWhenTheFingerHelperHasEnded() {
    rig.unlocking.begin()
    rig.helper.fail(.unavailable)
    #expect(rig.passwords.count == 1)
  }

  @Test func orAfterADeadline() {
    rig.unlocking.begin()
    rig.timer.advance(FingerprintController.longestStart)
    #expect(rig.helper.isCancelled)
    #expect(rig.passwords.count == 1)
  }

  @Test func orWhereFingersAreNotAskedForAtAll() {
    let rig = FingerRig(hasReader: false)
    rig.unlocking.begin()
    #expect(rig.passwords.count == 1)
  }

  /// What is in the password's stack may take the reader that was let go of.
  @Test func notWhileTheUserIsAway() {
    rig.unlocking.isActive = false
    rig.unlocking.begin()
    #expect(rig.helpers.isEmpty && rig.passwords.isEmpty)
    rig.unlocking.isActive = true
    #expect(rig.helpers.count == 1 && rig.passwords.isEmpty)
    rig.claim()
    #expect(rig.passwords.count == 1)
  }

  @Test func aWaitThatEndsWhileTheUserIsAwayBeginsNothing() {
    rig.unlocking.begin()
    rig.claim()
    rig.passwords[0].ask()
    Array("wrong".utf8).withUnsafeBytes { rig.unlocking.password.answer($0) }
    rig.passwords[0].fail(.wrong, delay: 2000)
    rig.unlocking.isActive = false
    rig.timer.advance(10_000)
    #expect(rig.passwords.count == 1)
    rig.unlocking.isActive = true
    rig.claim()
    #expect(rig.passwords.count == 2)
  }

  @Test func atEachTryOfThePassword() {
    rig.unlocking.begin()
    rig.claim()
    rig.passwords[0].ask()
    Array("wrong".utf8).withUnsafeBytes { rig.unlocking.password.answer($0) }
    // A finger is refused in the same moment: its next conversation is on its way to the reader.
    rig.helper.fail(.tooManyTries)
    rig.passwords[0].fail(.wrong)
    rig.turn()
    #expect(rig.helpers.count == 2)
    #expect(rig.passwords.count == 1)
    rig.claim()
    #expect(rig.passwords.count == 2)
  }

  @Test func aFingerThatIsNotKnownIsAskedForAnew() {
    rig.unlocking.begin()
    rig.claim()
    rig.helper.say(.error("No match"))
    rig.helper.fail(.tooManyTries)
    #expect(rig.helpers.count == 1)
    rig.turn()
    #expect(rig.helpers.count == 2)
    rig.claim()
    #expect(rig.phase == .again("No match"))
    #expect(rig.finger.isRefused)
    rig.helper.say(.error("Too short"))
    #expect(!rig.finger.isRefused)
    #expect(rig.verified.isEmpty)
  }

  @Test func afterFiveThePasswordIsDue() {
    rig.unlocking.begin()
    rig.claim()
    rig.passwords[0].ask()
    for _ in 1...4 {
      rig.refuse()
      rig.claim()
    }
    #expect(rig.helpers.count == 5)
    rig.refuse()
    #expect(rig.phase == .passwordDue(.refusedFingers))
    #expect(rig.helpers.count == 5)
    rig.timer.advance(60_000)
    rig.serviceChanges()
    rig.timer.advance(60_000)
    #expect(rig.helpers.count == 5)
  }

  @Test func whereThePasswordIsDueTheReaderIsOnlyHeldForIt() {
    let rig = FingerRig(UnlockMemory())
    rig.state = .ready(fingers: 1)
    rig.unlocking.begin()
    #expect(rig.helpers.count == 1)
    #expect(rig.passwords.isEmpty)
    rig.claim()
    #expect(rig.passwords.count == 1)
    rig.turn()
    #expect(rig.phase == .passwordDue(.first))
    rig.helper.succeed(hiddenAnswered: false)
    #expect(rig.verified.isEmpty)
    #expect(rig.helpers.count == 1)
  }

  @Test func heldOnlyUntilThePasswordAsks() {
    let rig = FingerRig(UnlockMemory())
    rig.unlocking.begin()
    rig.claim()
    #expect(!rig.helper.isCancelled)
    rig.passwords[0].ask()
    #expect(rig.helper.isCancelled)
  }

  @Test func aReaderThatCannotBeHeldIsAskedForOnceForEachTry() {
    let rig = FingerRig(UnlockMemory())
    rig.unlocking.begin()
    rig.helper.fail(.unavailable)
    #expect(rig.helpers.count == 1)
    #expect(rig.passwords.count == 1)
    rig.passwords[0].ask()
    Array("wrong".utf8).withUnsafeBytes { rig.unlocking.password.answer($0) }
    rig.passwords[0].fail(.wrong)
    rig.turn()
    #expect(rig.helpers.count == 2)
    rig.helper.fail(.unavailable)
    #expect(rig.helpers.count == 2)
    #expect(rig.passwords.count == 2)
  }

  @Test func thePasswordComesDueWhileTheReaderWaits() {
    rig.unlocking.begin()
    rig.claim()
    rig.hands.wall += 86_400
    rig.helper.succeed(hiddenAnswered: false)
    #expect(rig.verified.isEmpty)
    #expect(rig.phase == .passwordDue(.period))
  }

  @Test func aWaitThatPamGivesUpIsNoFailure() {
    rig.unlocking.begin()
    for count in 1...20 {
      #expect(rig.helpers.count == count)
      rig.claim()
      rig.timer.advance(30_000)
      rig.helper.say(.info("Timed out"))
      #expect(rig.phase == .ready("Touch it"))
      rig.helper.fail(.unavailable)
      rig.turn()
    }
    #expect(rig.looks == 0)
  }

  @Test func aFingerThatWasLaidOnBeforeARestartIsWorthNothing() {
    rig.unlocking.begin()
    rig.claim()
    rig.timer.advance(1000)
    let old = rig.helper
    rig.finger.restart()
    #expect(old.isCancelled)
    #expect(rig.begun == 2)
    old.succeed(hiddenAnswered: false)
    #expect(rig.verified.isEmpty)
    rig.claim()
    rig.helper.succeed(hiddenAnswered: false)
    #expect(rig.verified == [.fingerprint])
  }

  @Test func aKeyThatIsHeldDownDoesNotStartAHelperEachTime() {
    rig.unlocking.begin()
    rig.claim()
    for _ in 1...30 {
      rig.finger.restart()
      rig.timer.advance(33)
    }
    #expect(rig.helpers.count <= 6)
    rig.timer.advance(250)
    rig.claim()
    #expect(rig.phase == .ready("Touch it"))
  }

  @Test func aRestartLeavesAReaderAloneThatIsHeldForThePassword() {
    let rig = FingerRig(UnlockMemory())
    rig.unlocking.begin()
    rig.finger.restart()
    #expect(!rig.helper.isCancelled)
    #expect(rig.begun == 0)
    rig.claim()
    #expect(rig.passwords.count == 1)
  }

  @Test func aBlipLetsGoOfNothing() {
    rig.unlocking.begin()
    rig.claim()
    rig.unlocking.isActive = false
    rig.timer.advance(UnlockController.blip - 1)
    rig.unlocking.isActive = true
    rig.timer.advance(1000)
    #expect(!rig.helper.isCancelled)
    #expect(rig.helpers.count == 1)
  }

  @Test func theDesktopsOwnLockScreenDoesNotWaitForABlip() {
    rig.unlocking.begin()
    rig.claim()
    rig.passwords[0].ask()
    rig.unlocking.leaveAtOnce()
    rig.unlocking.leaveAtOnce()
    #expect(rig.helper.isCancelled)
    #expect(rig.phase == .silent)
    rig.timer.advance(1000)
    rig.unlocking.isActive = true
    #expect(rig.helpers.count == 2)
  }

  @Test func awayLetsGoAndBackAsksAgain() {
    rig.unlocking.begin()
    rig.claim()
    rig.passwords[0].ask()
    rig.unlocking.isActive = false
    rig.timer.advance(UnlockController.blip)
    #expect(rig.helper.isCancelled)
    #expect(rig.phase == .silent)
    #expect(!rig.isWatched)
    #expect(rig.passwords.last?.isCancelled == false)
    rig.unlocking.isActive = true
    #expect(rig.helpers.count == 2)
    rig.unlocking.cancel()
    #expect(rig.helper.isCancelled)
    rig.unlocking.isActive = false
    rig.unlocking.isActive = true
    #expect(rig.helpers.count == 2)
  }

  @Test func aPasswordHelperThatHasNotAskedGoesWithTheUser() {
    rig.unlocking.begin()
    rig.claim()
    #expect(rig.passwords.count == 1)
    rig.unlocking.isActive = false
    rig.timer.advance(UnlockController.blip)
    #expect(rig.passwords[0].isCancelled)
    rig.unlocking.isActive = true
    rig.claim()
    #expect(rig.passwords.count == 2)
  }

  @Test func droppingEndsIt() {
    rig.unlocking.begin()
    rig.claim()
    let (finger, password) = (rig.helper, rig.passwords[0])
    rig.drop()
    #expect(finger.isCancelled)
    #expect(password.isCancelled)
    #expect(!rig.isWatched)
  }

  @Test func aQuestionFromTheFingerServiceIsNotAnswered() {
    rig.unlocking.begin()
    rig.helper.ask()
    #expect(rig.helper.answers.isEmpty)
    #expect(rig.helper.isCancelled)
    #expect(rig.verified.isEmpty)
    #expect(rig.passwords.count == 1)
  }
}
