/// Which report is sent when, and what becomes of it: the rules alone.
///
/// Reports are sent one at a time, the oldest first, 100 ms apart. A server that does not answer is tried again after
/// pauses that grow; any answer of 400 and above ends a report, and tells the user why. A report whose category the
/// server limits waits.
public struct ReportQueue: Hashable, Sendable {
  /// So many reports are kept.
  public static let limit = 30
  /// The time between two sends, in milliseconds.
  static let spacing: Int64 = 100
  /// The pause after the first try without an answer, and the longest one, in milliseconds.
  static let firstPause: Int64 = 30_000, longestPause: Int64 = 3_600_000

  /// The two clocks at one moment.
  public struct Now: Hashable, Sendable {
    /// Seconds since 1970.
    public var wall: Int64
    /// Milliseconds since boot.
    public var boot: Int64

    /// Takes the two.
    public init(wall: Int64, boot: Int64) {
      self.wall = wall
      self.boot = boot
    }
  }

  /// What came of a wish to add a report.
  public enum Admission: Hashable, Sendable {
    /// It waits; these went to make room for it.
    case added(dropped: [String])
    /// One that says the same waits already.
    case duplicate
    /// So many wait that there is no room.
    case full
  }

  /// What to do next.
  public enum Step: Hashable, Sendable {
    /// Send this part of that report.
    case send(id: String, ReportPart)
    /// Ask again after so many milliseconds.
    case wait(Int64)
    /// Nothing waits.
    case rest
  }

  /// All reports, the oldest first.
  public private(set) var reports: [QueuedReport]
  /// Until when the server wants to be left alone.
  public private(set) var limits: RateLimits
  /// The end of the pause after a failure, and that of the space after a send, in milliseconds since boot.
  private var pauseEnd: Int64 = 0, spaceEnd: Int64 = 0
  private var failures = 0
  /// The last one that was tried in vain: the others have their turn first.
  private var lastTried: String?

  /// Begins with what was kept.
  public init(_ reports: [QueuedReport] = [], limits: RateLimits = RateLimits()) {
    self.reports = reports.sorted { ($0.madeAt, $0.id) < ($1.madeAt, $1.id) }
    self.limits = limits
    while self.reports.count > ReportQueue.limit, drop() != nil {}
  }

  /// The report of that name.
  public subscript(id: String) -> QueuedReport? { reports.first { $0.id == id } }

  /// Takes a report at the end; what waits longest stays before the newest that says the same.
  public mutating func add(_ report: QueuedReport) -> Admission {
    var dropped: [String] = []
    while reports.count >= ReportQueue.limit {
      if let gone = dropFinished() {
        dropped.append(gone)
      } else if reports.contains(where: { $0.isLike(report) }) {
        return .duplicate
      } else if let gone = dropDuplicate() {
        dropped.append(gone)
      } else {
        return .full
      }
    }
    reports.append(report)
    return .added(dropped: dropped)
  }

  /// Takes a report out.
  public mutating func remove(_ id: String) -> QueuedReport? {
    reports.firstIndex { $0.id == id }.map { reports.remove(at: $0) }
  }

  /// Lets a report rest that could not be removed from the disk; nothing of it goes any more.
  mutating func hold(_ id: String) {
    guard let index = reports.firstIndex(where: { $0.id == id }), !reports[index].state.isUndeleted else { return }
    reports[index].state = .undeleted(was: reports[index].state)
  }

  /// Puts a report back where it was; false where there is no room for it now.
  public mutating func restore(_ report: QueuedReport) -> Bool {
    guard self[report.id] == nil, reports.count < ReportQueue.limit else { return false }
    let place = reports.firstIndex { ($0.madeAt, $0.id) > (report.madeAt, report.id) } ?? reports.endIndex
    reports.insert(report, at: place)
    return true
  }

  /// Lets a report that was refused wait once more.
  public mutating func retry(_ id: String) {
    guard let index = reports.firstIndex(where: { $0.id == id }), case .refused = reports[index].state else { return }
    reports[index].state = .waiting
  }

  /// Forgets the pause, not the server's limits: the user has come back, or the network may have.
  public mutating func hurry() {
    pauseEnd = 0
    failures = 0
  }

  /// What to do next.
  public func next(_ now: Now) -> Step {
    let waiting = reports.filter { $0.state == .waiting && !$0.parts.isEmpty }
    guard !waiting.isEmpty else { return .rest }
    let rest = max(pauseEnd, spaceEnd) - now.boot
    if rest > 0 { return .wait(rest) }
    let after = waiting.firstIndex { $0.id == lastTried }.map { $0 + 1 } ?? 0
    var soonest = Int64.max
    for report in waiting[after...] + waiting[..<after] {
      let end = limits.end(for: report.parts[0].kind.category, now: now.wall * 1000)
      if end == 0 { return .send(id: report.id, report.parts[0]) }
      soonest = min(soonest, end - now.wall * 1000)
    }
    return .wait(max(soonest, 1000))
  }

  /// Hears what came of sending a part of a report.
  public mutating func heard(_ result: Result<WebAnswer, WebFault>, of id: String, _ now: Now) {
    spaceEnd = now.boot + ReportQueue.spacing
    lastTried = nil
    switch result {
    case .success(let answer):
      // Seconds are all that this clock has: a limit rather ends late than early.
      limits.hear(answer, now: (now.wall + 1) * 1000)
      failures = 0
      answer.isSuccess ? arrived(id, now) : refuse(id, .status(answer.status), now)
    case .failure(let fault):
      failed(fault, id, now)
    }
  }

  private mutating func failed(_ fault: WebFault, _ id: String, _ now: Now) {
    switch fault {
    case .redirected(let host): refuse(id, .redirected(to: host), now)
    case .malformed, .tooLarge: refuse(id, .malformed, now)
    case .crashed, .refusedAddress: refuse(id, .failed, now)
    // Taken back by the user: whoever did that has removed it.
    case .notPermitted: break
    // Nothing was sent, or nothing is known to have arrived.
    case .unreachable, .timedOut, .truncated, .badCertificate, .notInstalled, .safeMode:
      let pause = ReportQueue.firstPause << min(failures, 20)
      pauseEnd = now.boot + min(pause, ReportQueue.longestPause)
      failures += 1
      lastTried = id
    }
  }

  private mutating func arrived(_ id: String, _ now: Now) {
    guard let index = reports.firstIndex(where: { $0.id == id }), !reports[index].parts.isEmpty else { return }
    // What has arrived is not kept any longer.
    reports[index].parts.removeFirst()
    if reports[index].parts.isEmpty { reports[index].state = .sent(at: now.wall) }
  }

  private mutating func refuse(_ id: String, _ why: ReportRefusal, _ now: Now) {
    guard let index = reports.firstIndex(where: { $0.id == id }) else { return }
    reports[index].state = .refused(why, at: now.wall)
  }

  private mutating func drop() -> String? {
    dropFinished() ?? dropDuplicate() ?? reports.popLast()?.id
  }

  /// The oldest that has arrived goes first, then the oldest that was refused.
  private mutating func dropFinished() -> String? {
    let isSent = { (report: QueuedReport) in
      if case .sent = report.state { return true }
      return false
    }
    let index =
      reports.firstIndex(where: isSent) ?? reports.firstIndex { $0.state != .waiting && !$0.state.isUndeleted }
    return index.map { reports.remove(at: $0).id }
  }

  private mutating func dropDuplicate() -> String? {
    let index = reports.indices.last { index in
      !reports[index].state.isUndeleted && reports[..<index].contains { $0.isLike(reports[index]) }
    }
    return index.map { reports.remove(at: $0).id }
  }
}

extension QueuedReport {
  /// Whether it says the same, and may stand for that one: what the user has deleted in vain stands for none.
  fileprivate func isLike(_ other: QueuedReport) -> Bool { likeness == other.likeness && !state.isUndeleted }
}
