extension PreferenceKey where Value == String {
  /// The version of the legal texts that the user has accepted.
  public static var acceptedConsentVersion: Self { Self("acceptedConsentVersion", fallback: "") }
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
    preferences.isTrusted && preferences[.acceptedConsentVersion] == LegalContent.version
  }

  /// Records that the user accepts, and lets analytics begin.
  ///
  /// Where the preferences cannot be read, this counts for the gate in this run, and for nothing else.
  public func accept() {
    guard !isOpen else { return }
    wasAcceptedNow = true
    preferences.set(.acceptedConsentVersion, to: LegalContent.version)
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
