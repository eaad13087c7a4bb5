import Testing

@testable import GateCore

struct CrashHistoryTests {
  private let crash = RunEnd.crashed(signal: "SIGSEGV")

  private func history(_ times: Int64...) -> CrashHistory {
    times.reduce(CrashHistory()) { $0.after(crash, at: $1) }
  }

  @Test func threeWithinFiveMinutes() {
    #expect(!history(0, 1).asksForSafeMode)
    #expect(history(0, 1, 300).asksForSafeMode)
    #expect(!history(0, 1, 301).asksForSafeMode)
    #expect(history(0, 1000, 1100, 1200).asksForSafeMode)
    #expect(!history(0, 1, 2, 1000).asksForSafeMode)
    #expect(history(0, 1, 2, 3).asksForSafeMode)
  }

  @Test func aClockThatWasSetBackCountsAsNear() { #expect(history(5000, 4000, 100).asksForSafeMode) }

  @Test func memoryAndLibrariesCountToo() {
    let history = CrashHistory().after(.exited, at: 0).after(.outOfMemory, at: 1).after(crash, at: 2)
    #expect(history.asksForSafeMode)
  }

  @Test(arguments: [RunEnd.clean, .logout, .displayGone, .rebooted, .restarted(safely: false), .stillRuns])
  func anyOtherEndForgets(_ end: RunEnd) {
    #expect(history(0, 1).after(end, at: 2).after(crash, at: 3).times == [3])
  }

  @Test func whatTheUserEndsByForceDoesNotCount() {
    let history = history(0, 1).after(.unexpected, at: 2)
    #expect(history.times == [0, 1])
    #expect(history.after(crash, at: 3).asksForSafeMode)
  }

  @Test func aRunKilledLongAfterThemForgetsThem() {
    #expect(history(0, 1, 2).after(.unexpected, at: 302).asksForSafeMode)
    #expect(history(0, 1, 2).after(.unexpected, at: 303).times == [])
    // A clock that was set back.
    #expect(history(5000, 5001, 5002).after(.unexpected, at: 100).asksForSafeMode)
  }

  @Test func readsNoMoreThanItNeeds() { #expect(CrashHistory([1, 2, 3, 4, 5]).times == [3, 4, 5]) }
}
