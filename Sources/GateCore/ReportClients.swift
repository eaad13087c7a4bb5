/// Keeps what is sent by hand; the live one is `ReportOutbox`.
@MainActor
public struct ReportStore {
  /// All that was kept, and the server's limits.
  public var load: @MainActor () -> (reports: [QueuedReport], limits: RateLimits)
  /// Keeps a report, in place of what was kept of it.
  public var save: @MainActor (QueuedReport) throws(FileFault) -> Void
  /// Forgets a report.
  public var remove: @MainActor (String) throws(FileFault) -> Void
  /// Keeps the server's limits.
  public var saveLimits: @MainActor (RateLimits) throws(FileFault) -> Void

  /// Takes the closures.
  public init(
    load: @escaping @MainActor () -> (reports: [QueuedReport], limits: RateLimits),
    save: @escaping @MainActor (QueuedReport) throws(FileFault) -> Void,
    remove: @escaping @MainActor (String) throws(FileFault) -> Void,
    saveLimits: @escaping @MainActor (RateLimits) throws(FileFault) -> Void
  ) {
    self.load = load
    self.save = save
    self.remove = remove
    self.saveLimits = saveLimits
  }
}

/// How reports are written: the live one is `SentryEnvelope`.
public struct ReportWriter: Sendable {
  /// What is sent for a report, each part in an envelope of its own.
  public var parts: @Sendable (Report) -> [ReportPart]
  /// The whole envelope around a part, to be sent at this moment (seconds since 1970); without one as it is shown.
  public var envelope: @Sendable (ReportPart, Int64?) -> String
  /// A new name: 32 small hexadecimal digits.
  public var makeID: @Sendable () -> String

  /// Takes the closures.
  public init(
    parts: @escaping @Sendable (Report) -> [ReportPart], envelope: @escaping @Sendable (ReportPart, Int64?) -> String,
    makeID: @escaping @Sendable () -> String
  ) {
    self.parts = parts
    self.envelope = envelope
    self.makeID = makeID
  }
}
