@testable import GateCore

/// Reports, a server and a disk that answer by hand.
@MainActor
final class ReportRig {
  let hands = HandClock()
  private(set) lazy var timer = HandTimer(hands)
  /// What was sent: the last word of each envelope's first line, which is the part's name.
  private(set) var sent: [WebRequest] = []
  private(set) var cancelled = 0
  private var answers: [@MainActor (Result<WebAnswer, WebFault>) -> Void] = []
  private(set) var disk: [String: QueuedReport] = [:]
  private(set) var limits = RateLimits()
  var diskFault: FileFault?
  private var names = 0

  /// What the server says at once; nothing lets it be said by hand.
  var says: Result<WebAnswer, WebFault>?

  func controller(dsn: String? = "https://key@example.org/42") -> ReportController {
    ReportController(
      dsn: dsn.flatMap { SentryDsn($0) }, version: "1.0", writer: ReportRig.writer(), store: store, web: web,
      clock: hands.clock, after: timer.schedule)
  }

  /// Puts what was kept there before the start.
  func keep(_ reports: [QueuedReport], limits: RateLimits = RateLimits()) {
    for report in reports { disk[report.id] = report }
    self.limits = limits
  }

  func report(_ message: String = "It broke.", _ subject: ReportSubject = .feedback) -> Report {
    names += 1
    var report = Report(
      eventID: "event\(names)", feedbackID: "feedback\(names)", madeAt: hands.wall, subject: subject,
      facts: ReportFacts(
        version: "1.0", isDebugBuild: true, system: "Debian", systemVersion: "12", gtk: "4.8", locale: "C", gate: "X"))
    report.message = message
    return report
  }

  /// The oldest request that waits is answered.
  func answer(_ result: Result<WebAnswer, WebFault>) { answers.removeFirst()(result) }
  var waiting: Int { answers.count }
  var bodies: [String] { sent.map { String(decoding: $0.body, as: UTF8.self) } }

  private var web: WebClient {
    WebClient { request, done in
      self.sent.append(request)
      if let says = self.says {
        done(says)
        return {}
      }
      self.answers.append(done)
      return { self.cancelled += 1 }
    }
  }

  private var store: ReportStore {
    ReportStore(
      load: { (self.disk.values.sorted { $0.id < $1.id }, self.limits) },
      save: { (report) throws(FileFault) in
        if let fault = self.diskFault { throw fault }
        self.disk[report.id] = report
      },
      remove: { (id) throws(FileFault) in
        if let fault = self.diskFault { throw fault }
        self.disk[id] = nil
      },
      saveLimits: { (limits) throws(FileFault) in self.limits = limits })
  }

  private static func writer() -> ReportWriter {
    ReportWriter(
      parts: { report in
        let event = ReportPart(.event, id: report.eventID, payload: "E")
        let feedback = ReportPart(.feedback, id: report.feedbackID, payload: report.message)
        return (report.subject == .feedback ? [] : [event]) + (report.hasWords ? [feedback] : [])
      },
      envelope: { part, at in "\(part.id) \(at.map(String.init) ?? "") \(part.payload)" }, makeID: { "" })
  }
}

extension QueuedReport {
  /// One that waits, with one part.
  static func made(_ number: Int, likeness: String? = nil, state: State = .waiting) -> QueuedReport {
    let name = (number < 10 ? "0" : "") + String(number)
    return QueuedReport(
      id: name, madeAt: Int64(number), title: "", likeness: likeness ?? name,
      parts: state == .waiting ? [ReportPart(.feedback, id: "f" + name, payload: "P")] : [], state: state)
  }
}
