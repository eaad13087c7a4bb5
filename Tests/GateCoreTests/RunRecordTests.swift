import Testing

@testable import GateCore

struct RunRecordTests {
  private let slots = "end=running        \ngate=BiometricGate                  \n"

  @Test func comesBackAsItWasWritten() throws {
    var run = RunRecord(
      pid: 7, started: "99", boot: "b1", record: "crash-1-7.new", crashes: [5, 6],
      memory: [MemoryEvents(group: "/user.slice/with space", count: 3), MemoryEvents(group: "/", count: 0)])
    run.gate = "BiometricGate"
    #expect(RunRecord(slots + run.text) == run)
  }

  @Test(arguments: [
    "", "end=running\n", "pid=x\nstarted=1\nboot=b\n", "pid=0\nstarted=1\nboot=b\n", "pid=-4\nstarted=1\nboot=b\n",
    "pid=99999999999999999999\nstarted=1\nboot=b\n", "pid=7\nstarted=\nboot=b\n", "pid=7\nstarted=1\n", "\0\0\0\0",
  ])
  func isNothingWithoutItsProcess(_ text: String) { #expect(RunRecord(text) == nil) }

  @Test func takesNothingFromLinesThatItDoesNotKnow() throws {
    let run = try #require(
      RunRecord("pid=7\nstarted=1\nboot=b\nwhat=ever\nno sign\ncrashes=1 x 3\nmemory=x /\nmemory=4\nmemory=5 /a\n"))
    #expect(run.crashes == [1, 3])
    #expect(run.memory == [MemoryEvents(group: "/a", count: 5)])
    #expect(run.end == "" && run.gate == "")
  }
}
