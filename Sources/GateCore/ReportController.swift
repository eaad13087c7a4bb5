/// The reports that the user has sent by hand, on their way.
///
/// Main thread. A report works without consent to analytics: the user's own *Send* permits this one delivery, later if
/// need be, until it has arrived or is deleted.
@MainActor
public final class ReportController {
  /// Why a report was not taken.
  public enum Refusal: Error, Hashable, Sendable {
    /// The same one waits already.
    case duplicate
    /// Too many wait.
    case full
  }

  /// Told whenever a report comes, goes, or changes its state.
  public let changed = Listeners<Void>()
  /// What is half-written, for as long as the program runs.
  public let drafts = ReportDrafts()
  /// What a report looks like.
  public let writer: ReportWriter

  private let dsn: SentryDsn?
  private let version: String
  private let store: ReportStore
  private let web: WebClient
  private let clock: Clock
  private let after: @MainActor (Int64, @escaping @MainActor () -> Void) -> AnyObject
  private var queue = ReportQueue()
  private var hasBegun = false
  private var timer: AnyObject?
  private var underWay: (id: String, cancel: WebCancel)?
  private var isStepping = false

  /// Takes what it works with; nothing is read or sent before `begin`.
  public init(
    dsn: SentryDsn?, version: String, writer: ReportWriter, store: ReportStore, web: WebClient, clock: Clock,
    after: @escaping @MainActor (Int64, @escaping @MainActor () -> Void) -> AnyObject
  ) {
    self.dsn = dsn
    self.version = version
    self.writer = writer
    self.store = store
    self.web = web
    self.clock = clock
    self.after = after
  }

  /// Whether there is an address to send to.
  public var isConfigured: Bool { dsn != nil }

  /// All reports, the oldest first.
  public var reports: [QueuedReport] { queue.reports }

  /// Reads what was kept by the last run, once, and goes on with it.
  public func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    let kept = store.load()
    queue = ReportQueue(kept.reports, limits: kept.limits)
    for report in kept.reports where queue[report.id] == nil { try? store.remove(report.id) }
    changed.notify(())
    step()
  }

  /// Takes a report that the user has told to go; throws why it cannot be taken.
  ///
  /// What is returned says why it could not be kept on this computer: it is sent nonetheless, while the app runs.
  @discardableResult
  public func send(_ report: Report) throws(Refusal) -> FileFault? {
    begin()
    let queued = QueuedReport(report, parts: writer.parts(report), at: clock.wall())
    switch queue.add(queued) {
    case .duplicate: throw .duplicate
    case .full: throw .full
    case .added(let dropped):
      for id in dropped { try? store.remove(id) }
    }
    queue.hurry()
    let fault = keep(queued)
    changed.notify(())
    step()
    return fault
  }

  /// Deletes a report, and calls off its sending; what is returned can be given to `restore`.
  ///
  /// Throws where it could not be removed from the disk: it stays in the list then, as one that could not be deleted, and
  /// goes nowhere in this run.
  public func delete(_ id: String) throws(FileFault) -> QueuedReport? {
    if underWay?.id == id {
      underWay?.cancel()
      underWay = nil
    }
    // Before the disk is asked: whatever it says, nothing of this report goes any more.
    var report = queue[id]
    if case .undeleted(let was)? = report?.state { report?.state = was }
    queue.hold(id)
    defer {
      changed.notify(())
      step()
    }
    try store.remove(id)
    _ = queue.remove(id)
    return report
  }

  /// Puts back what was deleted; false where there is no room for it any more.
  public func restore(_ report: QueuedReport) -> Bool {
    guard queue.restore(report) else { return false }
    _ = keep(report)
    changed.notify(())
    step()
    return true
  }

  /// Sends a report once more that was refused.
  public func retry(_ id: String) {
    queue.retry(id)
    queue.hurry()
    if let report = queue[id] { _ = keep(report) }
    changed.notify(())
    step()
  }

  private func keep(_ report: QueuedReport) -> FileFault? {
    do throws(FileFault) {
      try store.save(report)
      return nil
    } catch {
      return error
    }
  }

  private var now: ReportQueue.Now { ReportQueue.Now(wall: clock.wall(), boot: clock.boot()) }

  /// Does what is due, and arranges for what is not yet.
  private func step() {
    // A request that is refused at once is heard of before it is under way.
    guard let dsn, underWay == nil, !isStepping else { return }
    timer = nil
    switch queue.next(now) {
    case .rest: break
    case .wait(let milliseconds): timer = after(milliseconds) { [weak self] in self?.step() }
    case .send(let id, let part): send(part, of: id, to: dsn)
    }
  }

  private func send(_ part: ReportPart, of id: String, to dsn: SentryDsn) {
    let request = WebRequest(
      .post, dsn.envelopeAddress, headers: dsn.headers(version: version),
      body: Array(writer.envelope(part, clock.wall()).utf8), limit: 1 << 16)
    let permission = WebPermission.report { [weak self] in self?.queue[id]?.state == .waiting }
    isStepping = true
    var isOver = false
    let cancel = web.send(request, with: permission) { [weak self] result in
      isOver = true
      // Taken back meanwhile: whatever came of it, the queue has gone on.
      guard let self, self.isStepping || self.underWay?.id == id else { return }
      self.heard(result, of: id)
    }
    isStepping = false
    if isOver { step() } else { underWay = (id, cancel) }
  }

  private func heard(_ result: Result<WebAnswer, WebFault>, of id: String) {
    underWay = nil
    let limits = queue.limits
    queue.heard(result, of: id, now)
    if queue.limits != limits { try? store.saveLimits(queue.limits) }
    if let report = queue[id] { _ = keep(report) }
    changed.notify(())
    step()
  }
}
