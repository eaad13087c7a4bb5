import Testing

@testable import GateCore

@MainActor
struct RecoveryControllerTests {
  private let crash = RunEnd.crashed(signal: "SIGILL")

  @Test func tellsOfACrashOnce() {
    var told = 0
    var changes = 0
    let recovery = RecoveryController(end: crash, gate: "ConsentGate") { told += 1 }
    let listening = recovery.changed.listen { changes += 1 }
    #expect(recovery.isToTell && !recovery.isSafe && !recovery.isSafePageDue)
    #expect(recovery.lines == ["end: SIGILL", "gate: ConsentGate"])
    recovery.goOn()
    recovery.goOn()
    #expect(!recovery.isToTell && told == 1 && changes == 1)
    withExtendedLifetime(listening) {}
  }

  @Test(arguments: [RunEnd.clean, .stillRuns, .logout, .displayGone, .rebooted, .restarted(safely: false)])
  func saysNothingOfAnyOtherEnd(_ end: RunEnd) {
    let recovery = RecoveryController(end: end)
    #expect(!recovery.isToTell && !recovery.isSafe)
  }

  @Test func threeCrashesStartSafeMode() {
    let recovery = RecoveryController(end: crash, history: CrashHistory([1, 2, 3]))
    #expect(recovery.isSafe && recovery.isSafeByCrashes && recovery.isToTell && recovery.isSafePageDue)
    recovery.goOn()
    #expect(recovery.isSafePageDue)
    recovery.useSafely()
    #expect(!recovery.isSafePageDue && recovery.isSafe)
  }

  @Test func aSafeRunThatWasKilledIsSafeAgain() {
    let again = RecoveryController(end: .unexpected, history: CrashHistory([1, 2, 3]))
    #expect(again.isSafe && again.isSafeByCrashes && again.isSafeAgain)
    #expect(!RecoveryController(end: crash, history: CrashHistory([1, 2, 3])).isSafeAgain)
    #expect(!RecoveryController(end: .unexpected).isSafeAgain)
  }

  @Test func safeModeThatWasAskedForTellsNothing() {
    let recovery = RecoveryController(end: .restarted(safely: true))
    #expect(recovery.isSafe && !recovery.isSafeByCrashes && !recovery.isToTell && recovery.isSafePageDue)
  }
}
