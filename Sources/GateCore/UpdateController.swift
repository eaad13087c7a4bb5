extension PreferenceKey where Value == String {
  /// The version that the user skips.
  public static var skippedVersion: Self { Self("skippedVersion", fallback: "") }
  /// The version for which the user said Later.
  public static var updateLaterVersion: Self { Self("updateLaterVersion", fallback: "") }
}

extension PreferenceKey where Value == Int64 {
  /// When the user said Later, in seconds since 1970.
  public static var updateLaterAt: Self { Self("updateLaterAt", fallback: 0) }
}

/// Why an address could not be opened.
public enum StoreFault: Error, Hashable, Sendable {
  /// There is no program to open it.
  case notInstalled
  /// The program ended with this status.
  case failed(Int32)
  /// Its scheme is none of those that are opened.
  case refused
}

/// Holds the running version against the packager's settings, and remembers what the user answers.
///
/// Main thread.
///
/// Only an answer is recorded, never that something was shown.
@MainActor
public final class UpdateController {
  /// What is decided now.
  public private(set) var decision: UpdateDecision
  /// Why the address could not be opened at the last try.
  public private(set) var storeFault: StoreFault?
  /// Tells that the decision or the fault has changed.
  public let changed = Listeners<Void>()

  private let running: AppVersion?
  private let secrets: AppSecrets
  private let preferences: AppPreferences
  private let clock: Clock
  private let openStore: @MainActor (String, @escaping @MainActor (StoreFault?) -> Void) -> Void
  private var tries = 0

  /// Decides at once; `openStore` opens an address and says what came of it.
  public init(
    running: AppVersion?, secrets: AppSecrets, preferences: AppPreferences, clock: Clock,
    openStore: @escaping @MainActor (String, @escaping @MainActor (StoreFault?) -> Void) -> Void
  ) {
    self.running = running
    self.secrets = secrets
    self.preferences = preferences
    self.clock = clock
    self.openStore = openStore
    decision = UpdateController.decide(
      running: running, secrets: secrets, preferences: preferences, now: clock.wall())
  }

  /// Opens the store; the screen stays, since only a newer version can answer the question.
  public func update() {
    let address: String?
    switch decision {
    case .forced(_, _, let found), .prompt(_, _, let found): address = found
    case .idle: address = nil
    }
    guard let address else { return }
    tries += 1
    storeFault = nil
    changed.notify(())
    openStore(address) { [weak self, tries] fault in
      // The answer to an earlier try says nothing about this one.
      guard let self, tries == self.tries, fault != self.storeFault else { return }
      self.storeFault = fault
      self.changed.notify(())
    }
  }

  /// Lets the prompt for this version rest for three days.
  ///
  /// Does nothing where an update is forced.
  public func later() {
    guard case .prompt(_, let latest, _) = decision else { return }
    preferences.set(many: [
      PreferenceChange(.updateLaterVersion, latest.description), PreferenceChange(.updateLaterAt, clock.wall()),
    ])
    reconsider()
  }

  /// Is silent until there is a newer version than this one.
  ///
  /// Does nothing where an update is forced.
  public func skip() {
    guard case .prompt(_, let latest, _) = decision else { return }
    preferences.set(.skippedVersion, to: latest.description)
    reconsider()
  }

  /// Decides again; called when the user comes back to the app.
  public func reconsider() {
    let now = UpdateController.decide(
      running: running, secrets: secrets, preferences: preferences, now: clock.wall())
    guard now != decision else { return }
    decision = now
    storeFault = nil
    tries += 1
    changed.notify(())
  }

  /// Decides by what was set and answered.
  static func decide(
    running: AppVersion?, secrets: AppSecrets, preferences: AppPreferences, now: Int64
  ) -> UpdateDecision {
    decide(
      running: running, minimum: secrets.minimumVersion, latest: secrets.latestVersion, address: secrets.storeAddress,
      answers: UpdateAnswers(
        skipped: AppVersion(preferences[.skippedVersion]), later: AppVersion(preferences[.updateLaterVersion]),
        laterAt: preferences[.updateLaterAt]),
      now: now)
  }
}
