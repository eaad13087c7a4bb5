import Testing

@testable import GateCore

@MainActor
struct ReportControllerTests {
  private let rig = ReportRig()

  @Test func sendsBothPartsWithTheTimeOfSending() throws {
    let reports = rig.controller()
    try reports.send(rig.report("It broke.", .errors([PostedError(error: .todosNotSaved(.noSpace), count: 3)])))
    #expect(reports.reports.map(\.state) == [.waiting])
    rig.hands.wall += 7
    rig.answer(.success(WebAnswer(status: 200)))
    rig.timer.advance(99)
    #expect(rig.sent.count == 1)
    rig.timer.advance(1)
    rig.answer(.success(WebAnswer(status: 200)))
    #expect(rig.bodies == ["event1 1800000000 E", "feedback1 1800000007 It broke."])
    #expect(rig.sent.allSatisfy { $0.address == "https://example.org/api/42/envelope/" && $0.method == .post })
    #expect(reports.reports.map(\.state) == [.sent(at: rig.hands.wall)])
    #expect(rig.disk["event1"]?.state == .sent(at: rig.hands.wall), "the next run knows")
    #expect(rig.disk["event1"]?.parts == [], "what has arrived is not kept")
    #expect(rig.timer.pending == 0)
  }

  @Test func worksWithoutConsentAndIsTakenBackByDeleting() throws {
    let reports = rig.controller()
    try reports.send(rig.report())
    #expect(rig.sent.count == 1)
    let gone = try reports.delete("event1")
    #expect(rig.cancelled == 1 && rig.disk.isEmpty && reports.reports.isEmpty)
    rig.timer.advance(10_000_000)
    #expect(rig.sent.count == 1, "nothing goes any more")
    // An answer that was on its way already changes nothing.
    rig.answer(.failure(.unreachable))
    #expect(reports.reports.isEmpty && rig.disk.isEmpty)
    #expect(reports.restore(try #require(gone)))
    rig.timer.advance(200)
    #expect(rig.sent.count == 2 && rig.disk["event1"] != nil)
  }

  @Test func waitsWhileOfflineAndInTheNextRun() throws {
    rig.says = .failure(.unreachable)
    let reports = rig.controller()
    try reports.send(rig.report("One"))
    try reports.send(rig.report("Two"))
    rig.timer.advance(3_600_000)
    #expect(reports.reports.map(\.state) == [.waiting, .waiting])
    #expect((8...12).contains(rig.sent.count), "pauses that grow: \(rig.sent.count) tries in an hour")

    let next = rig.controller()
    rig.says = .success(WebAnswer(status: 200))
    let before = rig.sent.count
    next.begin()
    rig.timer.advance(100)
    #expect(rig.bodies[before...].map { $0.split(separator: " ")[0] } == ["feedback1", "feedback2"])
    #expect(next.reports.allSatisfy { $0.state == .sent(at: rig.hands.wall) })
  }

  @Test func keepsTheServersLimitsForTheNextRun() throws {
    rig.says = .success(WebAnswer(status: 429, headers: ["x-sentry-rate-limits": "600:feedback:o"]))
    let reports = rig.controller()
    try reports.send(rig.report("One"))
    #expect(reports.reports.map(\.state) == [.refused(.status(429), at: rig.hands.wall)])
    let next = rig.controller()
    try next.send(rig.report("Two"))
    #expect(rig.sent.count == 1, "it waits")
    #expect(next.reports.map(\.state).last == .waiting)
    rig.hands.wall += 601
    rig.says = .success(WebAnswer(status: 200))
    rig.timer.advance(601_000)
    #expect(rig.sent.count == 2)
  }

  @Test func withoutAnAddressNothingGoes() throws {
    rig.keep([.made(1)])
    let reports = rig.controller(dsn: nil)
    reports.begin()
    rig.timer.advance(10_000_000)
    #expect(!reports.isConfigured && rig.sent.isEmpty && reports.reports.count == 1)
  }

  @Test func aFullDiskDoesNotKeepItFromGoing() throws {
    rig.diskFault = .noSpace
    let reports = rig.controller()
    #expect(try reports.send(rig.report()) == .noSpace)
    rig.answer(.success(WebAnswer(status: 200)))
    #expect(reports.reports.map(\.state) == [.sent(at: rig.hands.wall)])
    #expect(throws: FileFault.noSpace) { try reports.delete("event1") }
  }

  @Test func whatCannotBeDeletedStaysAndIsNotSent() throws {
    let reports = rig.controller()
    try reports.send(rig.report())
    rig.diskFault = .readOnly
    for _ in 1...2 { #expect(throws: FileFault.readOnly) { try reports.delete("event1") } }
    #expect(reports.reports.map(\.state) == [.undeleted(was: .waiting)], "the row stays, and says so")
    rig.answer(.failure(.unreachable))
    reports.retry("event1")
    rig.timer.advance(10_000_000)
    #expect(rig.sent.count == 1 && rig.cancelled == 1, "nothing of it goes in this run")
    // What makes room for others is what the user has not wished away in vain.
    rig.says = .failure(.unreachable)
    for number in 1...29 { try reports.send(rig.report("Another, \(number)")) }
    #expect(throws: ReportController.Refusal.full) { try reports.send(rig.report("One too many")) }
    rig.diskFault = nil
    #expect(try reports.delete("event1")?.state == .waiting, "as it was, for Undo")
    #expect(reports.reports.count == 29 && rig.disk["event1"] == nil)
  }

  @Test func whatWasRefusedAndCannotBeDeletedWouldNotGo() throws {
    rig.keep([.made(1, state: .refused(.malformed, at: 5))])
    let reports = rig.controller()
    reports.begin()
    rig.diskFault = .readOnly
    #expect(throws: FileFault.readOnly) { try reports.delete("01") }
    #expect(reports.reports.map(\.state) == [.undeleted(was: .refused(.malformed, at: 5))])
  }

  @Test func refusesWhatItCannotKeep() throws {
    rig.keep((10..<40).map { .made($0) })
    let reports = rig.controller(dsn: nil)
    #expect(throws: ReportController.Refusal.full) { try reports.send(rig.report()) }
    rig.keep((10..<42).map { .made($0) })
    let next = rig.controller(dsn: nil)
    next.begin()
    #expect(next.reports.count == 30 && rig.disk.count == 30, "what was too much is forgotten on disk, too")
  }

  /// Each state that a report can be in, and each thing that can happen to it.
  @Test func everyStateAndEvent() throws {
    let now = rig.hands.wall
    let states: [QueuedReport.State] = [.waiting, .sent(at: now - 5), .refused(.status(400), at: now - 5)]
    for state in states {
      for event in ["retry", "delete", "restart"] {
        let rig = ReportRig()
        rig.says = .failure(.unreachable)
        let part = [ReportPart(.feedback, id: "f", payload: "P")]
        rig.keep([
          QueuedReport(
            id: "x", madeAt: 1, title: "", likeness: "", parts: state == .sent(at: now - 5) ? [] : part, state: state)
        ])
        let reports = rig.controller()
        reports.begin()
        switch event {
        case "retry": reports.retry("x")
        case "delete": _ = try reports.delete("x")
        default: rig.controller().begin()
        }
        let found = reports.reports.first?.state
        switch (event, state) {
        case ("delete", _): #expect(found == nil && rig.disk.isEmpty)
        case ("retry", .refused): #expect(found == .waiting && rig.sent.count == 1)
        default: #expect(found == state)
        }
      }
    }
  }

  @Test func whatMayNotGo() {
    var report = rig.report("")
    #expect(report.obstacle == .noWords)
    report.message = " \n\t"
    #expect(report.obstacle == .noWords)
    report.message = String(repeating: "é", count: 4096)
    #expect(report.obstacle == nil)
    report.message += "e"
    #expect(report.obstacle == .tooLong)
    report.message = "x"
    for (email, obstacle) in [
      ("", nil), ("a@b", nil), ("a", ReportObstacle.noEmail), ("a@b@c", .noEmail), ("@b", .noEmail),
      ("a b@c", .noEmail),
    ] {
      report.email = email
      #expect(report.obstacle == obstacle, "\(email)")
    }
    var crash = rig.report("", .errors([]))
    #expect(crash.obstacle == nil, "a fault speaks for itself")
    crash.name = "Somebody"
    #expect(crash.obstacle == .noWords, "a name without words would not be sent")
  }

  @Test func factsArePlain() {
    let facts = ReportFacts(
      version: "1.0\n", isDebugBuild: false, system: "Debian GNU/Linux\u{1F600}", systemVersion: "12 (bookworm)",
      gtk: "4.8.3", locale: String(repeating: "x", count: 100), gate: "<b>\"")
    #expect(facts.version == "1.0" && facts.system == "Debian GNU/Linux" && facts.systemVersion == "12 (bookworm)")
    #expect(facts.locale.count == 64 && facts.gate == "b")
  }

  @Test func draftsDoNotCrossTheLock() {
    let drafts = ReportDrafts()
    drafts[.me].message = "mine"
    drafts[.card(isLocked: false)].message = "mine too"
    #expect(drafts[.card(isLocked: true)] == ReportDrafts.Draft())
    drafts[.me] = ReportDrafts.Draft()
    #expect(drafts[.me].message.isEmpty && drafts[.card(isLocked: false)].message == "mine too")
  }
}
