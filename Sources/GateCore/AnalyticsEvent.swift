/// Something that is counted: a fixed name and a time, never a text of the user's.
public struct AnalyticsEvent: Hashable, Sendable {
  /// The names that there are, and their form on the wire.
  public enum Name: String, CaseIterable, Sendable {
    /// The app was started.
    case appOpened = "app opened"
    /// The first-run slides were seen or skipped.
    case onboardingCompleted = "onboarding completed"
    /// A todo was added; which one is nobody's business.
    case todoAdded = "todo added"
    /// A todo was ticked.
    case todoCompleted = "todo completed"
    /// The question for a review was shown.
    case reviewAsked = "review asked"
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
