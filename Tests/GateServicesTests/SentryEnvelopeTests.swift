import Foundation
import GateCore
import Testing

@testable import GateServices

struct SentryEnvelopeTests {
  private let facts = ReportFacts(
    version: "1.2.0", isDebugBuild: false, system: "Debian GNU/Linux", systemVersion: "12", gtk: "4.8.3",
    locale: "de_DE.UTF-8", gate: "BiometricGate")
  private let event = String(repeating: "e", count: 32)
  private let feedback = String(repeating: "f", count: 32)

  private func report(_ subject: ReportSubject, _ message: String = "") -> Report {
    var report = Report(
      eventID: event, feedbackID: feedback, madeAt: 1_800_000_000, subject: subject, facts: facts)
    report.message = message
    return report
  }

  private let faults: ReportSubject = .errors([
    PostedError.counted(.todosNotSaved(.noSpace), 12),
    PostedError.counted(.preferencesDamaged(copy: "/home/erika.mustermann/x"), 1),
    PostedError.counted(.unexpected(detail: "title: Buy a ring for Ada"), 1),
    PostedError.counted(.preferencesNotSaved(path: "~/secret-folder", .other(code: 5)), 1),
  ])

  /// Reads an envelope as the format's rules have it, by lengths in bytes, with nothing left over.
  private func framed(_ text: String) throws -> (header: [String: Any], item: [String: Any], payload: [String: Any]) {
    let bytes = Data(text.utf8)
    var rest = bytes[...]
    func line() throws -> Data {
      let end = try #require(rest.firstIndex(of: 10))
      defer { rest = rest[(end + 1)...] }
      return Data(rest[..<end])
    }
    func object(_ data: Data) throws -> [String: Any] {
      try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
    let header = try object(line())
    let item = try object(line())
    let length = try #require(item["length"] as? Int)
    try #require(rest.count == length + 1, "the length is that of the payload")
    try #require(rest.last == 10)
    return (header, item, try object(Data(rest.prefix(length))))
  }

  @Test func twoEnvelopesWithTwoNames() throws {
    let parts = SentryEnvelope.parts(of: report(faults, "Es ging schief: äöü €\n\"\\;\u{1F600}"))
    #expect(parts.map(\.kind) == [.event, .feedback])
    let (header, item, payload) = try framed(SentryEnvelope.text(parts[0], sentAt: 1_800_000_060))
    #expect(header["event_id"] as? String == event && header["sent_at"] as? String == "2027-01-15T08:01:00Z")
    #expect(Set(header.keys) == ["event_id", "sent_at"])
    #expect(item["type"] as? String == "event" && payload["event_id"] as? String == event)
    #expect(payload["timestamp"] as? String == "2027-01-15T08:00:00Z", "when it happened, not when it is sent")

    let second = try framed(SentryEnvelope.text(parts[1], sentAt: 1_800_000_060))
    #expect(second.header["event_id"] as? String == feedback)
    #expect(second.item["type"] as? String == "feedback" && second.payload["type"] as? String == "feedback")
    let words = try #require((second.payload["contexts"] as? [String: Any])?["feedback"] as? [String: Any])
    #expect(words["message"] as? String == "Es ging schief: äöü €\n\"\\;\u{1F600}")
    #expect(words["associated_event_id"] as? String == event)
    #expect(words["name"] == nil && words["contact_email"] == nil, "what was not given is not there")
    #expect(second.payload["platform"] as? String == "native")
  }

  @Test func whatIsReadIsWhatIsSent() throws {
    for part in SentryEnvelope.parts(of: report(faults, "Words")) {
      let read = SentryEnvelope.text(part, sentAt: nil)
      let sent = SentryEnvelope.text(part, sentAt: 1_800_000_000)
      #expect(!read.contains("sent_at"))
      #expect(sent.replacingOccurrences(of: ",\"sent_at\":\"2027-01-15T08:00:00Z\"", with: "") == read)
    }
  }

  @Test func feedbackAlone() throws {
    var spoken = report(.feedback, "Nice")
    spoken.name = "Ada"
    spoken.email = "ada@example.org"
    let parts = SentryEnvelope.parts(of: spoken)
    #expect(parts.map(\.kind) == [.feedback])
    let words = try #require(
      (framed(SentryEnvelope.text(parts[0], sentAt: 0)).payload["contexts"] as? [String: Any])?["feedback"]
        as? [String: String])
    #expect(words == ["message": "Nice", "name": "Ada", "contact_email": "ada@example.org"])
    #expect(SentryEnvelope.parts(of: report(faults)).map(\.kind) == [.event], "a fault without words")
  }

  @Test func aCrash() throws {
    let crash = CrashSummary(
      reason: "SIGSEGV", build: "1.1.0", at: 1_799_999_000, uptime: 61, gate: "AuthGate", frames: ["inner", "outer"])
    let parts = SentryEnvelope.parts(of: report(.crash(crash)))
    let payload = try framed(SentryEnvelope.text(parts[0], sentAt: 0)).payload
    #expect(payload["level"] as? String == "fatal")
    #expect(payload["release"] as? String == "app-gates@1.1.0", "the build that crashed, not the one that tells")
    let values = try #require((payload["exception"] as? [String: Any])?["values"] as? [[String: Any]])
    let frames = try #require((values[0]["stacktrace"] as? [String: Any])?["frames"] as? [[String: String]])
    #expect(frames.map { $0["function"] } == ["outer", "inner"])
  }

  @Test func nothingOfTheUsersComesAlong() {
    let text = SentryEnvelope.parts(of: report(faults, "")).map { SentryEnvelope.text($0, sentAt: 0) }.joined()
    for secret in ["erika", "mustermann", "home", "ring", "Ada", "title", "secret-folder", "~"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    #expect(text.contains("\"count\" : 12") && text.contains("noSpace") && text.contains("errno 5"))
  }
}

extension PostedError {
  /// As a bus has it after so many posts.
  fileprivate static func counted(_ error: AppError, _ count: Int) -> PostedError {
    let bus = AppErrorBus()
    for _ in 0..<count { bus.post(error) }
    return bus.current[0]
  }
}
