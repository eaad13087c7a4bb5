/// What an answer means for the batch it answers.
public enum AnalyticsVerdict: Hashable, Sendable {
  /// It has arrived.
  case delivered
  /// It will never be taken; the words are for the log.
  case discarded(String)
  /// It stays, and is tried again after a pause, at least so many seconds where the server says so.
  case kept(atLeast: Int64?, String)

  /// Judges an answer.
  ///
  /// Pure.
  ///
  /// A 4xx says that these events will not be taken at any time, but for 429, which asks for patience. A 2xx counts only
  /// with a receipt: a page that somebody on the way puts in the server's place has none. All else may be better later.
  public static func of(_ answer: AnalyticsAnswer) -> AnalyticsVerdict {
    switch answer {
    case .answered(200...299, isReceipt: true, _): .delivered
    case .answered(let status, isReceipt: false, _) where (200...299).contains(status):
      .kept(atLeast: nil, "the answer is none of a server that counts events")
    case .answered(429, _, let wait): .kept(atLeast: wait, "the server asks for patience (429)")
    case .answered(let status, _, _) where (400...499).contains(status):
      .discarded("the server refuses them (\(status)); look at ANALYTICS_URL and ANALYTICS_KEY")
    case .answered(let status, _, let wait): .kept(atLeast: wait, "the server answers \(status)")
    case .failed(let words): .kept(atLeast: nil, words)
    case .refused: .kept(atLeast: nil, "consent is not given")
    }
  }
}

/// Sends what waits, in batches and in order, one at a time.
///
/// Main thread.
///
/// A batch that was not taken rests, longer after each failure, and no less than the server asks for. What was sent
/// twice, since the answer was lost, bears the same `uuid` both times.
@MainActor
public final class AnalyticsDelivery {
  /// So long events gather before they are sent, in milliseconds.
  public nonisolated static let gathering: Int64 = 10_000
  /// The most events in one request.
  public nonisolated static let batchLimit = 50
  /// The first pause, in milliseconds; each further one is twice as long.
  public nonisolated static let firstPause: Int64 = 30_000
  /// The longest pause of our own, in milliseconds.
  public nonisolated static let longestPause: Int64 = 60 * 60 * 1000
  /// The longest pause that a server may ask for, in milliseconds: a day.
  public nonisolated static let longestAsked: Int64 = 24 * 60 * 60 * 1000

  /// Tells that a batch was delivered or given up.
  public let changed = Listeners<Void>()
  private let client: AnalyticsClient
  private let clock: Clock
  private let isPermitted: @MainActor () -> Bool
  private let schedule: @MainActor (_ afterMs: Int64, @escaping @MainActor () -> Void) -> AnyObject
  private var timer: AnyObject?
  private var request: AnyObject?
  private var inFlight: AnalyticsBatch?
  /// Answers of requests that were given up count for nothing.
  private var generation = 0
  private var failures = 0
  private var restsUntil: Int64 = 0
  private var finished: (@MainActor () -> Void)?
  private var patience: AnyObject?

  /// Takes whether sending is permitted, asked before each request; see `VerifyController` for `schedule`.
  public init(
    client: AnalyticsClient, clock: Clock, isPermitted: @escaping @MainActor () -> Bool,
    schedule: @escaping @MainActor (_ afterMs: Int64, @escaping @MainActor () -> Void) -> AnyObject
  ) {
    self.client = client
    self.clock = clock
    self.isPermitted = isPermitted
    self.schedule = schedule
  }

  /// Events wait: they are sent in a while, together with those that come meanwhile.
  public func sendSoon() {
    guard inFlight == nil, timer == nil else { return }
    let rest = max(restsUntil - clock.boot(), 0)
    timer = schedule(max(AnalyticsDelivery.gathering, rest)) { [weak self] in self?.send() }
  }

  /// Gives up what is being sent, and sends no more until `sendSoon`.
  public func stop() {
    generation += 1
    timer = nil
    request = nil
    inFlight = nil
    finish()
  }

  /// Sends what waits at once, unless the server was promised a pause; `done` runs once, after so many milliseconds at
  /// most.
  public func flush(atMost milliseconds: Int64, _ done: @escaping @MainActor () -> Void) {
    finish()
    guard isPermitted(), inFlight != nil || (restsUntil <= clock.boot() && client.next(1) != nil) else { return done() }
    finished = done
    patience = schedule(milliseconds) { [weak self] in self?.finish() }
    if inFlight == nil { send() }
  }

  private func send() {
    timer = nil
    guard inFlight == nil else { return }
    guard isPermitted(), let batch = client.next(AnalyticsDelivery.batchLimit) else { return finish() }
    generation += 1
    let mine = generation
    inFlight = batch
    let request = client.post(batch, false) { [weak self] answer in
      if let self, self.generation == mine { self.settle(batch, answer) }
    }
    if inFlight != nil, generation == mine { self.request = request }
  }

  private func settle(_ batch: AnalyticsBatch, _ answer: AnalyticsAnswer) {
    inFlight = nil
    request = nil
    switch AnalyticsVerdict.of(answer) {
    case .delivered: takeOff(batch, wasDelivered: true)
    case .discarded(let why):
      client.log("\(batch.lines.count) counted events were thrown away: \(why).")
      takeOff(batch, wasDelivered: false)
    case .kept(let asked, let why): rest(asked, why)
    }
  }

  private func takeOff(_ batch: AnalyticsBatch, wasDelivered: Bool) {
    do throws(FileFault) {
      try client.settle(batch, wasDelivered)
    } catch {
      // It would be sent again and again.
      return rest(nil, "the file of those that wait cannot be written")
    }
    failures = 0
    restsUntil = 0
    changed.notify(())
    if client.next(1) != nil { send() } else { finish() }
  }

  private func rest(_ asked: Int64?, _ why: String) {
    let pause = AnalyticsDelivery.pause(afterFailures: failures, asked: asked)
    // Once for each row of failures: a computer without a network is nothing to fill the log with.
    if failures == 0 { client.log("Counted events could not be sent, and wait for \(pause / 1000) s: \(why).") }
    failures += 1
    restsUntil = clock.boot() + pause
    finish()
    sendSoon()
  }

  private func finish() {
    patience = nil
    let done = finished
    finished = nil
    done?()
  }

  /// How long a batch rests, in milliseconds: 30 s, doubled at each failure in a row up to an hour, and no less than the
  /// server asks for, up to a day.
  ///
  /// Pure.
  public nonisolated static func pause(afterFailures failures: Int, asked seconds: Int64?) -> Int64 {
    let own = min(firstPause << Int64(min(max(failures, 0), 16)), longestPause)
    guard let seconds, seconds > 0 else { return own }
    return max(own, seconds > longestAsked / 1000 ? longestAsked : seconds * 1000)
  }
}
