/// The oldest events that wait, each the JSON object that is sent for it.
public struct AnalyticsBatch: Hashable, Sendable {
  /// One JSON object for each event, the oldest first.
  public let lines: [String]

  /// Takes the lines.
  public init(_ lines: [String]) { self.lines = lines }
}

/// What was sent last, or waits to be.
public struct AnalyticsHistory: Hashable, Sendable {
  /// One JSON object for each event, the oldest first, exactly as it was sent or will be.
  public let lines: [String]
  /// How many of them, the last ones, wait to be sent.
  public let waiting: Int

  /// Puts the two together.
  public init(lines: [String], waiting: Int) {
    self.lines = lines
    self.waiting = waiting
  }
}

/// What became of a request.
public enum AnalyticsAnswer: Hashable, Sendable {
  /// The server answered: the status, whether the body is a receipt, and what `Retry-After` asks for, in seconds.
  case answered(status: Int, isReceipt: Bool, retryAfter: Int64?)
  /// No whole answer came; the words say why.
  case failed(String)
  /// Nothing was sent, since consent is not given.
  case refused
}

/// Where counted events wait, and the way to the server.
///
/// Main thread.
public struct AnalyticsClient: Sendable {
  /// Puts events at the end of what waits on disk.
  public var append: @MainActor ([AnalyticsEvent]) throws(FileFault) -> Void
  /// The oldest that wait, at most so many; nothing where none does.
  public var next: @MainActor (_ limit: Int) -> AnalyticsBatch?
  /// Takes a batch off what waits, and remembers it as sent where it was delivered.
  public var settle: @MainActor (AnalyticsBatch, _ wasDelivered: Bool) throws(FileFault) -> Void
  /// The last events, at most so many.
  public var history: @MainActor (_ limit: Int) -> AnalyticsHistory
  /// Removes what waits; the random id stays.
  public var eraseWaiting: @MainActor () throws(FileFault) -> Void
  /// Removes everything, and answers with the event that asks the server to delete what it has; nothing where no event
  /// was ever made.
  public var forget: @MainActor () throws(FileFault) -> AnalyticsBatch?
  /// Sends a batch, and answers once, later; dropping the returned object gives it up.
  ///
  /// Where consent is not given it opens no connection and answers `refused`, whoever calls; `asked` says that the user
  /// has just asked for this one request.
  public var post:
    @MainActor (AnalyticsBatch, _ asked: Bool, @escaping @MainActor (AnalyticsAnswer) -> Void) -> AnyObject?
  /// Writes a line into the log.
  public var log: @MainActor (String) -> Void

  /// Takes the eight.
  public init(
    append: @escaping @MainActor ([AnalyticsEvent]) throws(FileFault) -> Void,
    next: @escaping @MainActor (Int) -> AnalyticsBatch?,
    settle: @escaping @MainActor (AnalyticsBatch, Bool) throws(FileFault) -> Void,
    history: @escaping @MainActor (Int) -> AnalyticsHistory,
    eraseWaiting: @escaping @MainActor () throws(FileFault) -> Void,
    forget: @escaping @MainActor () throws(FileFault) -> AnalyticsBatch?,
    post: @escaping @MainActor (AnalyticsBatch, Bool, @escaping @MainActor (AnalyticsAnswer) -> Void) -> AnyObject?,
    log: @escaping @MainActor (String) -> Void
  ) {
    self.append = append
    self.next = next
    self.settle = settle
    self.history = history
    self.eraseWaiting = eraseWaiting
    self.forget = forget
    self.post = post
    self.log = log
  }
}
