import Testing

@testable import GateCore

struct RunEndTests {
  private static let boot = "b1"
  private static let groups = [MemoryEvents(group: "/app", count: 2), MemoryEvents(group: "/", count: 7)]

  private static func run(_ end: String, boot: String = boot, memory: [MemoryEvents] = groups) -> RunRecord {
    var run = RunRecord(pid: 7, started: "99", boot: boot, record: "crash-1-7.new", memory: memory)
    run.end = end
    return run
  }

  struct Case {
    let name: String
    var end = "running"
    var boot = RunEndTests.boot
    var isAlive = false
    var memory = RunEndTests.groups
    let right: RunEnd
  }

  static let cases = [
    Case(name: "killed", right: .unexpected),
    Case(name: "still there", isAlive: true, right: .stillRuns),
    Case(name: "still there while it ends", end: "logout", isAlive: true, right: .stillRuns),
    Case(name: "the same process id in another boot", boot: "b2", isAlive: true, right: .rebooted),
    Case(name: "power loss", boot: "b2", right: .rebooted),
    Case(name: "power loss with counters begun anew", boot: "b2", memory: [], right: .rebooted),
    Case(name: "logout", end: "logout", right: .logout),
    Case(name: "logout, then another boot", end: "logout", boot: "b2", right: .logout),
    Case(name: "display gone", end: "display", right: .displayGone),
    Case(name: "again", end: "again", right: .restarted(safely: false)),
    Case(name: "safe", end: "safe", right: .restarted(safely: true)),
    Case(name: "exit in a library", end: "exit", right: .exited),
    Case(name: "a fault", end: "SIGSEGV", right: .crashed(signal: "SIGSEGV")),
    Case(name: "a fault, then another boot", end: "SIGILL", boot: "b2", right: .crashed(signal: "SIGILL")),
    Case(name: "a fault while memory ran out", end: "SIGABRT", memory: [], right: .crashed(signal: "SIGABRT")),
    Case(
      name: "memory ran out in its own group", memory: [MemoryEvents(group: "/app", count: 3), groups[1]],
      right: .outOfMemory),
    Case(
      name: "memory ran out, and its group is gone", memory: [MemoryEvents(group: "/", count: 8)], right: .outOfMemory),
    Case(
      name: "memory ran out for a neighbour", memory: [groups[0], MemoryEvents(group: "/", count: 8)],
      right: .unexpected),
    Case(name: "all groups are gone", memory: [], right: .unexpected),
    Case(name: "counters that fell", memory: [MemoryEvents(group: "/app", count: 0)], right: .unexpected),
    Case(name: "a word of a newer version", end: "resting", right: .unexpected),
    Case(name: "no word at all", end: "", right: .unexpected),
  ]

  @Test(arguments: cases)
  func table(_ one: Case) {
    let facts = RunEnd.Facts(boot: one.boot, isAlive: one.isAlive, memory: one.memory)
    #expect(RunEnd(of: Self.run(one.end), facts: facts) == one.right, "\(one.name)")
  }

  @Test func whatIsTold() {
    let told: [RunEnd] = [.crashed(signal: "SIGBUS"), .exited, .outOfMemory, .unexpected]
    let quiet: [RunEnd] = [.clean, .stillRuns, .logout, .displayGone, .rebooted]
    let asked: [RunEnd] = [.restarted(safely: true), .restarted(safely: false)]
    #expect(told.allSatisfy { $0.isToTell && !$0.isQuiet })
    #expect(quiet.allSatisfy { !$0.isToTell && $0.isQuiet && !$0.isCrash })
    #expect(asked.allSatisfy { !$0.isToTell && !$0.isQuiet && !$0.isCrash })
    #expect(told.filter(\.isCrash).count == 3)
    #expect(Set((told + quiet + asked).map(\.name)).count == told.count + quiet.count + asked.count)
  }
}
