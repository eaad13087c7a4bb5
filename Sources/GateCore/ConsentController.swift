extension PreferenceKey where Value == String {
  /// The version of the legal texts that the user has accepted.
  public static var acceptedConsentVersion: Self { Self("acceptedConsentVersion", fallback: "") }
}

/// What is on record about the legal texts.
public enum ConsentStanding: Hashable, Sendable {
  /// The present version was accepted.
  case given
  /// Nothing was accepted so far.
  case none
  /// An earlier version was accepted.
  case outdated(String)
  /// Something is on record that is no version that this app can know: a later one, or none at all.
  case unknown
  /// The preferences cannot be read.
  case unreadable

  /// Judges what is on record.
  ///
  /// Pure. A version is a date, `2026-04-30`; only the present one, to the letter, is consent.
  public static func of(_ stored: String, present: String = LegalContent.version, isTrusted: Bool = true) -> Self {
    if !isTrusted { return .unreadable }
    if stored == present { return .given }
    if stored.isEmpty { return .none }
    return LegalContent.isVersion(stored) && stored < present ? .outdated(stored) : .unknown
  }
}

/// Knows whether the present legal texts were accepted.
///
/// Main thread.
///
/// Any other version than the present one, be it older, newer or no version, counts as not accepted.
@MainActor
public final class ConsentController {
  /// Tells that the gate has opened or closed.
  public let changed = Listeners<Void>()
  private let preferences: AppPreferences
  private let analytics: AnalyticsController
  private var wasAcceptedNow = false
  private var listening: Listening?

  /// Follows the preferences: what is taken back in the file closes the gate.
  public init(preferences: AppPreferences, analytics: AnalyticsController) {
    self.preferences = preferences
    self.analytics = analytics
    listening = preferences.changed.listen { [weak self] name in
      if name == PreferenceKey<String>.acceptedConsentVersion.name { self?.reconsider() }
    }
  }

  /// Whether the user has accepted.
  public var isOpen: Bool { wasAcceptedNow || ConsentController.isGiven(in: preferences) }

  /// Whether consent to the present texts is on record: never where the preferences could not be read.
  public static func isGiven(in preferences: AppPreferences) -> Bool {
    standing(in: preferences) == .given
  }

  /// What is on record.
  public var standing: ConsentStanding { ConsentController.standing(in: preferences) }

  private static func standing(in preferences: AppPreferences) -> ConsentStanding {
    .of(preferences[.acceptedConsentVersion], isTrusted: preferences.isTrusted)
  }

  /// Records that the user accepts, and whether events may be counted; nothing is said of that where it was not asked.
  ///
  /// Both are one write. Where the preferences cannot be read, this counts for the gate in this run, and for nothing
  /// else.
  public func accept(counting: Bool? = nil) {
    guard !isOpen else { return }
    wasAcceptedNow = true
    preferences.set(
      many: (counting.map { [PreferenceChange(.analyticsEnabled, $0)] } ?? [])
        + [PreferenceChange(.acceptedConsentVersion, LegalContent.version)])
    analytics.consentGiven()
    changed.notify(())
  }

  private func reconsider() {
    guard preferences[.acceptedConsentVersion] != LegalContent.version else { return }
    wasAcceptedNow = false
    analytics.consentWithdrawn()
    changed.notify(())
  }
}
