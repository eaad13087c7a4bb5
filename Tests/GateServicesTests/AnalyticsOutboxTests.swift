import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

@MainActor
struct AnalyticsOutboxTests {
  let scratch = Scratch()
  private var folder: String { scratch.paths.analytics }
  private var file: String { folder + "/events.jsonl" }

  private func event(at moment: Int64 = 1_777_550_400) -> AnalyticsEvent {
    AnalyticsEvent(.onboardingCompleted, at: moment)
  }

  private func lines() throws -> [[String: Any]] {
    try scratch.read(file).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func oneLineForEachEvent() throws {
    let outbox = AnalyticsOutbox(scratch.paths, version: "1.2.3")
    try outbox.append([event(), event(at: 1_777_550_401)])
    try AnalyticsOutbox(scratch.paths, version: "1.2.3").append([event(at: 1_777_550_402)])
    let found = try lines()
    let second = ["2026-04-30T12:00:00Z", "2026-04-30T12:00:01Z", "2026-04-30T12:00:02Z"]
    #expect(found.map { $0["timestamp"] as? String } == second)
    #expect(found.map { $0["event"] as? String } == Array(repeating: "onboarding completed", count: 3))
    #expect(found[0]["properties"] as? [String: String] == ["$lib": "app-gates", "app_version": "1.2.3"])
    #expect(Set(found.map { $0["distinct_id"] as? String }).count == 1, "the same id, kept across runs")
    #expect(scratch.mode(file) == 0o600)
    #expect(scratch.mode(folder + "/id") == 0o600)
    #expect(scratch.mode(folder) == 0o700)
  }

  @Test func nothingIsMadeForNothing() throws {
    try AnalyticsOutbox(scratch.paths, version: "1").append([])
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func erasingForgetsTheId() throws {
    let outbox = AnalyticsOutbox(scratch.paths, version: "1")
    try outbox.append([event()])
    let id = try lines()[0]["distinct_id"] as? String
    try outbox.erase()
    #expect(scratch.names(beside: file).isEmpty)
    try outbox.append([event()])
    #expect(try lines()[0]["distinct_id"] as? String != id)
  }

  @Test func theOldestGo() throws {
    let outbox = AnalyticsOutbox(folder: folder, version: "1", limit: 4_000)
    for moment in 0..<100 as Range<Int64> { try outbox.append([event(at: moment)]) }
    #expect(try #require(try? Files.facts(file)).size <= 4_000)
    let moments = try lines().compactMap { $0["timestamp"] as? String }
    #expect(moments.last == "1970-01-01T00:01:39Z")
    #expect(moments == moments.sorted())
    #expect(moments.count > 5)
  }

  @Test func aFileInTheWay() throws {
    try scratch.write("", to: folder)
    let outbox = AnalyticsOutbox(scratch.paths, version: "1")
    #expect(fault { () throws(FileFault) in try outbox.append([event()]) } != nil)
  }
}
