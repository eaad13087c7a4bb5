import GateCore

/// Reports as Sentry takes them: an envelope for what went wrong, and another one for what the user says about it.
///
/// Two envelopes, since the server drops a feedback that comes along with an event. The content is written over several
/// lines, because the user reads these very bytes before they go. Any thread.
public enum SentryEnvelope {
  /// What is sent for a report, in order.
  static func parts(of report: Report) -> [ReportPart] {
    var parts: [ReportPart] = []
    if let event = event(of: report) {
      parts.append(ReportPart(.event, id: report.eventID, payload: event.written(pretty: true)))
    }
    if report.hasWords {
      let feedback = feedback(of: report, about: parts.first?.id)
      parts.append(ReportPart(.feedback, id: report.feedbackID, payload: feedback.written(pretty: true)))
    }
    return parts
  }

  /// The envelope around a part: a header, the item's header with its length in bytes, the item.
  ///
  /// The time of sending (seconds since 1970) is written when it is sent and never before; the user reads it without.
  static func text(_ part: ReportPart, sentAt: Int64?) -> String {
    let header = [("event_id", Json.text(part.id))] + (sentAt.map { [("sent_at", .text(UtcTime.iso($0)))] } ?? [])
    let item: Json = .object([
      ("type", .text(part.kind.rawValue)), ("content_type", "application/json"),
      ("length", .integer(Int64(part.payload.utf8.count))),
    ])
    return Json.object(header).written(pretty: false) + "\n" + item.written(pretty: false) + "\n" + part.payload + "\n"
  }

  private static func event(of report: Report) -> Json? {
    let exceptions: [Json]
    let level: String
    var tags: [(String, Json)] = []
    switch report.subject {
    case .feedback: return nil
    case .errors(let errors):
      level = "error"
      exceptions = errors.map { posted in
        exception(
          posted.error.kind, posted.error.cause, isHandled: true, data: [("count", .integer(Int64(posted.count)))])
      }
    case .crash(let crash):
      level = "fatal"
      tags = [("crashed_at", .text(UtcTime.iso(crash.at))), ("uptime_seconds", .text(String(crash.uptime)))]
      exceptions = [exception(crash.reason, crash.gate, isHandled: false, frames: crash.frames)]
    }
    return .object(
      [("event_id", .text(report.eventID)), ("level", .text(level))]
        + facts(of: report, tags: tags) + [("exception", .object([("values", .list(exceptions))]))])
  }

  private static func exception(
    _ type: String, _ value: String, isHandled: Bool, data: [(String, Json)] = [], frames: [String] = []
  ) -> Json {
    let mechanism: [(String, Json)] = [("type", "generic"), ("handled", .bool(isHandled))]
    var members: [(String, Json)] = [("type", .text(type))]
    if !value.isEmpty { members.append(("value", .text(value))) }
    members.append(("mechanism", .object(mechanism + (data.isEmpty ? [] : [("data", .object(data))]))))
    if !frames.isEmpty {
      // Sentry has the innermost frame last.
      let list = frames.reversed().map { Json.object([("function", .text($0))]) }
      members.append(("stacktrace", .object([("frames", .list(list))])))
    }
    return .object(members)
  }

  private static func feedback(of report: Report, about event: String?) -> Json {
    var words: [(String, Json)] = [("message", .text(report.message))]
    if !report.name.isEmpty { words.append(("name", .text(report.name))) }
    if !report.email.isEmpty { words.append(("contact_email", .text(report.email))) }
    if let event { words.append(("associated_event_id", .text(event))) }
    return .object(
      [("event_id", .text(report.feedbackID)), ("type", "feedback"), ("level", "info")]
        + facts(of: report, contexts: [("feedback", .object(words))]))
  }

  /// What goes along with both.
  private static func facts(
    of report: Report, tags: [(String, Json)] = [], contexts: [(String, Json)] = []
  ) -> [(String, Json)] {
    let facts = report.facts
    var version = facts.version
    if case .crash(let crash) = report.subject { version = crash.build }
    let known: [(String, [(String, String)])] = [
      ("os", [("name", facts.system), ("version", facts.systemVersion)]),
      ("runtime", [("name", facts.gtk.isEmpty ? "" : "GTK"), ("version", facts.gtk)]),
      ("culture", [("locale", facts.locale)]),
    ]
    let about = known.compactMap { name, members -> (String, Json)? in
      let members = members.filter { !$0.1.isEmpty }.map { ($0.0, Json.text($0.1)) }
      return members.isEmpty ? nil : (name, .object(members))
    }
    return [
      ("timestamp", .text(UtcTime.iso(report.madeAt))), ("platform", "native"),
      ("release", .text("app-gates@" + version)), ("environment", .text(facts.isDebugBuild ? "debug" : "release")),
      ("contexts", .object(contexts + about)), ("tags", .object([("gate", .text(facts.gate))] + tags)),
      ("sdk", .object([("name", "app-gates"), ("version", .text(facts.version))])),
    ]
  }
}

extension ReportWriter {
  /// Writes Sentry envelopes.
  public static let live = ReportWriter(
    parts: SentryEnvelope.parts, envelope: { SentryEnvelope.text($0, sentAt: $1) },
    // The kernel gives randomness at any time after the start; an app that has none gets no second report.
    makeID: { Random.hex(16) ?? String(repeating: "0", count: 32) })
}
