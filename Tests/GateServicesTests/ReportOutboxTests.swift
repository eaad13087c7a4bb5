import Foundation
import GateCore
import Testing

@testable import GateServices

@MainActor
struct ReportOutboxTests {
  private let scratch = Scratch()
  private var folder: String { scratch.paths.reports }
  private var outbox: ReportOutbox { ReportOutbox(folder: folder, wall: { 1_800_000_000 }) }

  private func report(_ digit: Character, _ state: QueuedReport.State = .waiting) -> QueuedReport {
    var parts: [ReportPart] = []
    if state == .waiting {
      parts = [
        ReportPart(.event, id: String(repeating: "e", count: 32), payload: "{\n  \"a\" : \"\\\\;\\n;=#[x]\"\n}"),
        ReportPart(.feedback, id: String(repeating: "f", count: 32), payload: " {\"b\":\"äöü \u{1F600}\\u0000\\;\"} "),
      ]
    } else if case .refused = state {
      parts = [ReportPart(.feedback, id: String(repeating: "f", count: 32), payload: "{}")]
    }
    return QueuedReport(
      id: String(repeating: digit, count: 32), madeAt: 1_800_000_000, title: "  A title; with\\n [marks] ",
      likeness: "abc", parts: parts, state: state)
  }

  @Test func everyStateComesBackAsItWas() throws {
    let reports = [
      report("1"), report("2", .sent(at: 5)), report("3", .refused(.status(413), at: 6)),
      report("4", .refused(.redirected(to: "evil.example"), at: 7)), report("5", .refused(.redirected(to: ""), at: 7)),
      report("6", .refused(.malformed, at: 8)), report("7", .refused(.failed, at: 9)),
    ]
    for report in reports { try outbox.save(report) }
    #expect(outbox.load().reports == reports)
    #expect(scratch.mode(folder) == 0o700)
    for report in reports { #expect(scratch.mode("\(folder)/\(report.id).ini") == 0o600) }
    try outbox.remove(reports[0].id)
    try outbox.remove(reports[0].id)
    #expect(outbox.load().reports.count == 6)
  }

  @Test func nothingThere() {
    #expect(outbox.load().reports.isEmpty && outbox.load().limits == RateLimits())
    #expect(!FileManager.default.fileExists(atPath: folder), "to look makes no folder")
  }

  @Test func limits() throws {
    let limits = RateLimits([RateLimits.all: 5, "feedback": 7, "all": 9])
    try outbox.saveLimits(limits)
    #expect(outbox.load().limits == limits)
    try scratch.write("rubbish", to: folder + "/limits.ini")
    #expect(outbox.load().limits == RateLimits())
  }

  @Test(arguments: [
    "", "rubbish", "[report]\n", "[report]\nmadeAt=1\nstate=waiting\nparts=1\n",
    "[report]\nmadeAt=x\nstate=waiting\nparts=0\n", "[report]\nmadeAt=1\nstate=gone\nparts=0\n",
    "[report]\nmadeAt=1\nstate=waiting\nparts=0\n", "[report]\nmadeAt=1\nstate=sent 1\nparts=1\n",
    "[report]\nmadeAt=1\nstate=waiting\nparts=1\nkind-0=event\nid-0=../../x\npayload-0={}\n",
    "[report]\nmadeAt=1\nstate=waiting\nparts=1\nkind-0=attachment\nid-0=\npayload-0={}\n",
    "[report]\nmadeAt=1\nstate=waiting\nparts=99999999999\n",
  ])
  func aDamagedOneIsPutAside(_ text: String) throws {
    let good = report("1")
    try outbox.save(good)
    let path = folder + "/" + String(repeating: "2", count: 32) + ".ini"
    try scratch.write(text, to: path)
    #expect(outbox.load().reports == [good])
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try scratch.read(path + ".damaged-20270115T080000Z") == text)
  }

  @Test func otherFilesAreLeftAlone() throws {
    let names = ["notes.txt", "short.ini", String(repeating: "G", count: 32) + ".ini"]
    for name in names { try scratch.write("rubbish", to: folder + "/" + name) }
    #expect(outbox.load().reports.isEmpty)
    #expect(scratch.names(beside: folder + "/x") == names.sorted())
  }

  @Test func faults() throws {
    try scratch.write("in the way", to: folder)
    #expect(fault { () throws(FileFault) in try outbox.save(report("1")) } != nil)
    try FileManager.default.removeItem(atPath: folder)
    try outbox.save(report("1"))
    chmod(folder, 0o500)
    defer { chmod(folder, 0o700) }
    #expect(fault { () throws(FileFault) in try outbox.save(report("2")) } == .readOnly)
  }
}
