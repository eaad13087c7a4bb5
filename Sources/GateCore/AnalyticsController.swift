/// Something that is counted: a fixed name and a time, never a text of the user's.
public struct AnalyticsEvent: Hashable, Sendable {
  /// The names that there are, and their form on the wire.
  public enum Name: String, CaseIterable, Sendable {
    /// The first-run slides were seen or skipped.
    case onboardingCompleted = "onboarding completed"
  }

  /// What happened.
  public let name: Name
  /// When, in seconds since 1970.
  public let at: Int64

  /// Puts the two together.
  public init(_ name: Name, at: Int64) {
    self.name = name
    self.at = at
  }
}

/// Lets nothing be counted before there is consent, nor where no address is configured.
///
/// Main thread.
@MainActor
public final class AnalyticsController {
  /// So many events wait in memory; of more, the oldest are kept, since they tell how the first minutes went.
  public static let waitingLimit = 100

  /// The events that wait, the oldest first.
  public private(set) var waiting: [AnalyticsEvent] = []
  private let isConfigured: Bool
  private let consent: @MainActor () -> Bool
  private let clock: Clock
  private let append: @MainActor ([AnalyticsEvent]) throws -> Void

  /// Takes whether an address is configured, how to ask for consent, and where events go once there is both.
  public init(
    configured: Bool, consent: @escaping @MainActor () -> Bool, clock: Clock,
    append: @escaping @MainActor ([AnalyticsEvent]) throws -> Void
  ) {
    isConfigured = configured
    self.consent = consent
    self.clock = clock
    self.append = append
  }

  /// Counts something: at once with consent, in memory without.
  public func track(_ name: AnalyticsEvent.Name) {
    guard isConfigured else { return }
    if waiting.count < AnalyticsController.waitingLimit { waiting.append(AnalyticsEvent(name, at: clock.wall())) }
    flush()
  }

  /// Hands on, in their order, the events that wait.
  public func consentGiven() { flush() }

  /// Forgets the events that wait.
  public func consentWithdrawn() { waiting = [] }

  private func flush() {
    guard isConfigured, !waiting.isEmpty, consent() else { return }
    // What cannot be appended now waits for the next event; it is no matter for the user.
    if (try? append(waiting)) != nil { waiting = [] }
  }
}
