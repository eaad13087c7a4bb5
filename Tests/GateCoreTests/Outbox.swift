@testable import GateCore

/// What analytics has been given, in memory, and a server that answers by hand.
@MainActor
final class Outbox {
  fileprivate final class Token {}
  struct Post {
    let batch: AnalyticsBatch
    let asked: Bool
    fileprivate weak var token: Token?
    fileprivate let done: @MainActor (AnalyticsAnswer) -> Void
    /// Whether somebody still waits for the answer.
    @MainActor var isAwaited: Bool { token != nil }
  }

  /// All that was ever appended.
  var events: [AnalyticsEvent] = []
  var waiting: [String] = []
  var sent: [String] = []
  var fails = false
  var failsToErase = false
  private(set) var hasId = false
  private(set) var posts: [Post] = []
  private(set) var log: [String] = []

  static let receipt = AnalyticsAnswer.answered(status: 200, isReceipt: true, retryAfter: nil)

  var client: AnalyticsClient {
    AnalyticsClient(
      append: { (new) throws(FileFault) in
        try self.check()
        self.hasId = true
        for event in new {
          self.waiting.append("{\(self.events.count)}")
          self.events.append(event)
        }
      },
      next: { self.waiting.isEmpty ? nil : AnalyticsBatch(Array(self.waiting.prefix($0))) },
      settle: { (batch, wasDelivered) throws(FileFault) in
        try self.check()
        self.waiting.removeAll { batch.lines.contains($0) }
        if wasDelivered { self.sent += batch.lines }
      },
      history: { _ in AnalyticsHistory(lines: self.sent + self.waiting, waiting: self.waiting.count) },
      eraseWaiting: { () throws(FileFault) in
        try self.check()
        if self.failsToErase { throw .readOnly }
        self.waiting = []
      },
      forget: { () throws(FileFault) in
        try self.check()
        defer { (self.waiting, self.sent, self.hasId) = ([], [], false) }
        return self.hasId ? AnalyticsBatch(["{delete}"]) : nil
      },
      post: { batch, asked, done in
        let token = Token()
        self.posts.append(Post(batch: batch, asked: asked, token: token, done: done))
        return token
      },
      log: { self.log.append($0) })
  }

  /// The server answers the last request.
  func answer(_ answer: AnalyticsAnswer = Outbox.receipt) { posts.last?.done(answer) }

  private func check() throws(FileFault) { if fails { throw .noSpace } }
}

extension World {
  @MainActor
  func analytics(
    _ outbox: Outbox = Outbox(), configured: Bool = true, initially: Bool = false, timer: HandTimer? = nil
  ) -> AnalyticsController {
    AnalyticsController(
      configured: configured, initially: initially, preferences: preferences, clock: clock, client: outbox.client,
      schedule: (timer ?? HandTimer(hands)).schedule)
  }

  /// The preferences of somebody who has accepted, with the switch on.
  static var counted: [String: String] {
    ["acceptedConsentVersion": LegalContent.version, "analyticsEnabled": "true"]
  }
}
