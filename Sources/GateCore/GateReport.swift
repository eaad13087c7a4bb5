/// What a gate would do at a start, for those who have no display.
public struct GateReport: Hashable, Sendable {
  /// The gate's type name.
  public let gate: String
  /// One word: `open`, `closed`, `locked`, `forced`, `prompt` or `unknown`.
  public let decision: String
  /// Why, in one plain English sentence.
  public let reason: String

  /// Puts the three together.
  public init(gate: String, decision: String, reason: String) {
    self.gate = gate
    self.decision = decision
    self.reason = reason
  }
}

/// The reports of all gates.
public enum GateReports {
  /// Reports on each gate that is named, in that order; reads the preferences and changes nothing.
  ///
  /// Main thread.
  @MainActor
  public static func all(
    gates: [String], preferences: AppPreferences, secrets: AppSecrets, running: AppVersion?, clock: Clock,
    manifest: KeptManifest? = nil, last: RunEnd = .clean, history: CrashHistory = CrashHistory()
  ) -> [GateReport] {
    gates.map { name in
      let (decision, reason) =
        switch name {
        case "ErrorBoundary": errors(preferences)
        case "RecoveryGate": recovery(last)
        case "SafeModeGate": safeMode(last, history)
        case "BiometricGate": lock(preferences)
        case "UpdateGate":
          update(
            UpdateController.decide(
              running: running, secrets: secrets,
              manifest: ManifestController.counting(manifest, of: secrets.manifestAddress, preferences),
              preferences: preferences, now: clock.wall()))
        case "OnboardingGate": onboarding(preferences)
        case "ConsentGate": consent(preferences)
        case "AuthGate": session(preferences)
        default: ("unknown", "This gate does not report.")
        }
      return GateReport(gate: name, decision: decision, reason: reason)
    }
  }

  private typealias Finding = (decision: String, reason: String)

  @MainActor
  private static func errors(_ preferences: AppPreferences) -> Finding {
    switch preferences.state {
    case .absent, .sound: ("open", "Nothing is known to be wrong before the start.")
    case .repaired: ("closed", "The settings file was damaged; the start says so.")
    case .unreadable: ("closed", "The settings file cannot be read; the start says so.")
    }
  }

  private static func recovery(_ last: RunEnd) -> Finding {
    last.isToTell
      ? ("closed", "The last run ended unexpectedly (\(last.name)); the start says so.")
      : ("open", "Nothing is to be told of the last run (\(last.name)).")
  }

  private static func safeMode(_ last: RunEnd, _ history: CrashHistory) -> Finding {
    if history.asksForSafeMode { return ("closed", "There were three crashes within five minutes.") }
    return last == .restarted(safely: true)
      ? ("closed", "Safe mode was asked for.") : ("open", "Nothing asks for safe mode.")
  }

  @MainActor
  private static func lock(_ preferences: AppPreferences) -> Finding {
    if !preferences.isTrusted { return ("locked", "The settings cannot be read, so the app lock is on.") }
    return preferences[.biometricEnabled]
      ? ("locked", "The app lock is on.") : ("open", "The app lock is off.")
  }

  private static func update(_ decision: UpdateDecision) -> Finding {
    switch decision {
    case .forced(let installed, let needed, _):
      ("forced", "Version \(installed) is below the minimum, which is \(needed).")
    case .prompt(let installed, let latest, _):
      ("prompt", "Version \(installed) is below the latest, which is \(latest).")
    case .idle(let reason):
      ("open", words(reason))
    }
  }

  private static func words(_ reason: UpdateIdleReason) -> String {
    switch reason {
    case .notConfigured: "No minimum and no latest version is set."
    case .upToDate: "The running version is new enough."
    case .versionUnknown: "The running version is not a version that can be compared."
    case .minimumAboveLatest: "The minimum is above the latest version, so it is not enforced."
    case .resting: "The user chose to be asked later."
    case .skipped: "The user skips this version."
    }
  }

  @MainActor
  private static func onboarding(_ preferences: AppPreferences) -> Finding {
    preferences[.onboardingCompleted]
      ? ("open", "The first-run slides are done.") : ("closed", "The first-run slides are not done.")
  }

  @MainActor
  private static func consent(_ preferences: AppPreferences) -> Finding {
    if !preferences.isTrusted { return ("closed", "The settings cannot be read, so consent counts as not given.") }
    return ConsentController.isGiven(in: preferences)
      ? ("open", "The legal texts of \(LegalContent.version) are accepted.")
      : ("closed", "The legal texts of \(LegalContent.version) are not accepted.")
  }

  @MainActor
  private static func session(_ preferences: AppPreferences) -> Finding {
    if case .signedIn = AuthController.state(in: preferences) { return ("open", "There is a session.") }
    return ("closed", "There is no session.")
  }
}
