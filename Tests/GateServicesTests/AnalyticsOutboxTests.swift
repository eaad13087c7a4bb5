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
    let properties = try #require(found[0]["properties"] as? [String: Any])
    #expect(Set(properties.keys) == ["$lib", "app_version", "$ip", "$geoip_disable"])
    #expect(properties["$lib"] as? String == "app-gates" && properties["app_version"] as? String == "1.2.3")
    #expect(properties["$ip"] is NSNull && properties["$geoip_disable"] as? Bool == true)
    #expect(Set(found[0].keys) == ["uuid", "event", "timestamp", "distinct_id", "properties"])
    let uuids = found.compactMap { ($0["uuid"] as? String).flatMap(UUID.init(uuidString:)) }
    #expect(Set(uuids).count == 3)
    #expect(uuids.allSatisfy { $0.uuid.6 >> 4 == 4 && $0.uuid.8 >> 6 == 2 }, "random ones")
    #expect(Set(found.map { $0["distinct_id"] as? String }).count == 1, "the same id, kept across runs")
    #expect(scratch.mode(file) == 0o600)
    #expect(scratch.mode(folder + "/id") == 0o600)
    #expect(scratch.mode(folder) == 0o700)
  }

  @Test func nothingIsMadeForNothing() throws {
    try AnalyticsOutbox(scratch.paths, version: "1").append([])
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func aBatchIsTakenOffAndKeptAsItWasSent() throws {
    let outbox = AnalyticsOutbox(scratch.paths, version: "1")
    try outbox.append((0..<120).map { event(at: $0) })
    let all = try scratch.read(file).split(separator: "\n").map(String.init)
    let first = try #require(outbox.next(50))
    #expect(first.lines == Array(all[..<50]))
    // One comes while the batch is on its way.
    try outbox.append([event(at: 500)])
    try outbox.settle(first, wasDelivered: true)
    #expect(outbox.next(50)?.lines == Array(all[50..<100]))
    try outbox.settle(try #require(outbox.next(50)), wasDelivered: false)
    #expect(outbox.next(50)?.lines.count == 21)
    let history = outbox.history(50)
    #expect(history.waiting == 21 && history.lines.count == 50)
    #expect(history.lines[..<29] == all[21..<50], "what was delivered, and not what was thrown away")
    try outbox.settle(try #require(outbox.next(50)), wasDelivered: true)
    #expect(outbox.next(50) == nil && !Files.exists(file))
    #expect(outbox.history(50).waiting == 0 && outbox.history(50).lines.count == 50)
    #expect(scratch.mode(folder + "/sent.jsonl") == 0o600)
  }

  @Test func erasingWhatWaitsKeepsTheIdAndWhatWasSent() throws {
    let outbox = AnalyticsOutbox(scratch.paths, version: "1")
    try outbox.append([event()])
    let id = try lines()[0]["distinct_id"] as? String
    try outbox.settle(try #require(outbox.next(50)), wasDelivered: true)
    try outbox.append([event()])
    try outbox.eraseWaiting()
    try outbox.eraseWaiting()
    #expect(outbox.next(50) == nil && outbox.history(50).lines.count == 1)
    try outbox.append([event()])
    #expect(try lines()[0]["distinct_id"] as? String == id)
  }

  @Test func forgettingLeavesNothingAndAsksWithTheOldId() throws {
    let outbox = AnalyticsOutbox(scratch.paths, version: "1")
    #expect(try outbox.forget(now: 0) == nil)
    try outbox.append([event()])
    let id = try #require(try lines()[0]["distinct_id"] as? String)
    try outbox.settle(try #require(outbox.next(50)), wasDelivered: true)
    try outbox.append([event()])
    let request = try #require(try outbox.forget(now: 1_777_550_400))
    #expect(request.lines.count == 1 && request.lines[0].contains("deletion requested"))
    #expect(request.lines[0].contains(id) && request.lines[0].contains("2026-04-30T12:00:00Z"))
    #expect(scratch.names(beside: file).isEmpty)
    try outbox.append([event()])
    #expect(try lines()[0]["distinct_id"] as? String != id)
  }

  @Test func aLineThatACrashHasCutShortIsLeftOut() throws {
    let outbox = AnalyticsOutbox(scratch.paths, version: "1")
    try outbox.append([event(at: 1)])
    let whole = try scratch.read(file)
    try scratch.write(whole + whole.prefix(40), to: file)
    try outbox.append([event(at: 2)])
    let batch = try #require(outbox.next(50))
    #expect(batch.lines.count == 2 && batch.lines.allSatisfy { $0.hasSuffix("}") })
    #expect(batch.lines[1].contains("1970-01-01T00:00:02Z"))
    try outbox.settle(batch, wasDelivered: true)
    #expect(outbox.next(1) == nil && !Files.exists(file))
  }

  @Test(arguments: ["not json\n\u{0}\n{\n}\n", "{\"a\":\n", ""])
  func whatIsNoEventIsNeverSent(_ content: String) throws {
    try scratch.write(content, to: file)
    #expect(AnalyticsOutbox(scratch.paths, version: "1").next(50) == nil)
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
