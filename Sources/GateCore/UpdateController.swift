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

/// What *Check again* has come to.
public enum UpdateCheck: Hashable, Sendable {
  /// Nobody has asked.
  case idle
  /// The server is asked.
  case running
  /// The settings were read again, and there is no server to ask: nothing has changed.
  case unchanged
  /// The server was asked.
  case asked(ManifestFinding)
}

/// Holds the running version against the packager's settings and manifest, and remembers what the user answers.
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
  /// What has come of checking again.
  public private(set) var check = UpdateCheck.idle
  /// Tells that the decision, the fault or the check has changed.
  public let changed = Listeners<Void>()

  private let running: AppVersion?
  private var secrets: AppSecrets
  private let client: UpdateClient
  private let manifests: ManifestController
  private let preferences: AppPreferences
  private let clock: Clock
  private let openStore: @MainActor (String, @escaping @MainActor (StoreFault?) -> Void) -> Void
  private var tries = 0
  private var listening: Listening?

  /// Decides at once, by what is kept; `openStore` opens an address and says what came of it.
  public init(
    running: AppVersion?, secrets: AppSecrets, preferences: AppPreferences, clock: Clock,
    client: UpdateClient = .none, web: WebClient = .none,
    openStore: @escaping @MainActor (String, @escaping @MainActor (StoreFault?) -> Void) -> Void
  ) {
    self.running = running
    self.secrets = secrets
    self.preferences = preferences
    self.clock = clock
    self.openStore = openStore
    self.client = client
    manifests = ManifestController(client: client, web: web, preferences: preferences, clock: clock)
    decision = UpdateController.decide(
      running: running, secrets: secrets, manifest: manifests.manifest(of: secrets.manifestAddress),
      preferences: preferences, now: clock.wall())
    listening = preferences.changed.listen { [weak self] name in
      if name == PreferenceKey<String>.acceptedConsentVersion.name { self?.consentChanged() }
    }
    manifests.refresh(secrets.manifestAddress)
  }

  /// What is new in the version that is offered, where that is known.
  public var notes: String? {
    guard case .prompt(_, let latest, _) = decision, let manifest, manifest.version == latest else { return nil }
    return manifest.notes
  }

  private var manifest: UpdateManifest? { manifests.manifest(of: secrets.manifestAddress) }

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

  /// Decides again, by the settings as they are now and the manifest that was fetched last.
  ///
  /// Called when the user comes back to the app; where the manifest is a day old, it is fetched anew for the next time.
  public func reconsider() {
    secrets = client.reload() ?? secrets
    manifests.refresh(secrets.manifestAddress)
    if decideAgain() { changed.notify(()) }
  }

  /// Reads the settings again and, where there is a manifest, asks for it once, on the user's click.
  ///
  /// Only on the screen that insists, and not while it is asking.
  public func checkAgain() {
    guard case .forced = decision, check != .running else { return }
    secrets = client.reload() ?? secrets
    check = .unchanged
    storeFault = nil
    tries += 1
    decideAgain()
    if case .forced = decision, let address = secrets.manifestAddress {
      check = .running
      manifests.ask(address) { [weak self] in self?.asked($0) }
    }
    changed.notify(())
  }

  private func asked(_ finding: ManifestFinding) {
    check = .asked(finding)
    decideAgain()
    changed.notify(())
  }

  private func consentChanged() {
    // Given: what the server says counts when the user comes back next. Taken back: what it said counts no more.
    if ConsentController.isGiven(in: preferences) {
      manifests.refresh(secrets.manifestAddress)
    } else if decideAgain() {
      changed.notify(())
    }
  }

  /// Whether the decision is another one now.
  @discardableResult
  private func decideAgain() -> Bool {
    let now = UpdateController.decide(
      running: running, secrets: secrets, manifest: manifest, preferences: preferences, now: clock.wall())
    guard now != decision else { return false }
    decision = now
    storeFault = nil
    if case .forced = now {} else { check = .idle }
    tries += 1
    return true
  }

  /// Decides by what was set, published and answered: of two values the stricter holds, and the packager's address.
  ///
  /// A minimum is held against the latest version of its own source alone: what another one says can neither take it back
  /// nor lend it weight.
  static func decide(
    running: AppVersion?, secrets: AppSecrets, manifest: UpdateManifest?, preferences: AppPreferences, now: Int64
  ) -> UpdateDecision {
    let minimums = [
      PublishedMinimum(secrets.minimumVersion, below: secrets.latestVersion),
      PublishedMinimum(manifest?.minimum, below: manifest?.version),
    ].compactMap(\.self)
    return decide(
      running: running, minimums: minimums,
      latest: [secrets.latestVersion, manifest?.version].compactMap(\.self).max(),
      address: secrets.storeAddress ?? manifest?.address,
      answers: UpdateAnswers(
        skipped: AppVersion(preferences[.skippedVersion]), later: AppVersion(preferences[.updateLaterVersion]),
        laterAt: preferences[.updateLaterAt]),
      now: now)
  }
}
