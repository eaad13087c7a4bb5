/// One file of the packager's settings, as it was found.
public struct SecretSource: Sendable {
  /// Where it is, with `~` for the home folder, fit to be shown.
  public var path: String
  /// The text of each key.
  public var values: [String: String]
  /// What is wrong with the file, where it could not be read.
  public var fault: FileFault?

  /// Puts the three together.
  public init(path: String, values: [String: String], fault: FileFault? = nil) {
    self.path = path
    self.values = values
    self.fault = fault
  }
}

/// A setting, or a whole file of them, that could not be used and counts as unset.
public struct SecretProblem: Hashable, Sendable {
  /// The file, with `~` for the home folder.
  public let path: String
  /// The key; nothing where the whole file is meant.
  public let key: String?
  /// What should be there, in plain words.
  public let expected: String
  /// What is wrong with the file, where the whole file is meant.
  public let fault: FileFault?
}

/// The packager's settings, read from several files of which the first that sets a key wins.
///
/// Any thread.
public struct AppSecrets: Sendable {
  /// The oldest version that may still be used (`MIN_APP_VERSION`).
  public let minimumVersion: AppVersion?
  /// The newest version that there is (`LATEST_APP_VERSION`).
  public let latestVersion: AppVersion?
  /// Where to update (`APP_STORE_URL`): an https, http, appstream or snap address.
  public let storeAddress: String?
  /// Where the packager publishes which versions there are (`UPDATE_MANIFEST_URL`): https, or http on this computer.
  public let manifestAddress: String?
  /// The Terms online (`TERMS_URL`).
  public let termsAddress: String?
  /// The Privacy Policy online (`PRIVACY_URL`).
  public let privacyAddress: String?
  /// The End User Licence online (`EULA_URL`).
  public let eulaAddress: String?
  /// Where reports go that the user sends by hand (`SENTRY_DSN`).
  public let reportDsn: SentryDsn?
  /// Where events are sent (`ANALYTICS_URL`): https, or http on this computer.
  public let analyticsAddress: String?
  /// The key that names the project there (`ANALYTICS_KEY`).
  public let analyticsKey: String?
  /// Whether the switch for analytics is on at first (`ANALYTICS_DEFAULT`); off when unset.
  public let analyticsDefault: Bool
  /// The OpenID provider (`OIDC_ISSUER`), byte for byte; nothing where the app is not set up for one.
  public let issuer: String?
  /// What the provider knows this app by (`OIDC_CLIENT_ID`); nothing where the app is not set up for one.
  public let clientID: String?
  /// What could not be used, each told once.
  public let problems: [SecretProblem]

  /// Reads the settings from the sources, the strongest first.
  ///
  /// An empty value means that the key is unset and ends the search for it, and so does one that does not parse.
  public init(sources: [SecretSource]) {
    var reader = Reader(sources: sources)
    minimumVersion = reader.version("MIN_APP_VERSION")
    latestVersion = reader.version("LATEST_APP_VERSION")
    if let minimumVersion, let latestVersion, minimumVersion > latestVersion {
      reader.complain("MIN_APP_VERSION", "a version that is not above LATEST_APP_VERSION, which is \(latestVersion)")
    }
    storeAddress = reader.read("APP_STORE_URL", "an https, http, appstream or snap address") {
      Address.isStore($0) ? $0 : nil
    }
    manifestAddress = reader.read("UPDATE_MANIFEST_URL", "an https address, or an http address of this computer") {
      Address.isService($0) ? $0 : nil
    }
    termsAddress = reader.page("TERMS_URL")
    privacyAddress = reader.page("PRIVACY_URL")
    eulaAddress = reader.page("EULA_URL")
    reportDsn = reader.read("SENTRY_DSN", "a Sentry DSN such as https://key@sentry.example.org/42") { SentryDsn($0) }
    analyticsAddress = reader.read("ANALYTICS_URL", "an https address, or an http address of this computer") {
      Address.isService($0) ? $0 : nil
    }
    analyticsKey = reader.read("ANALYTICS_KEY", "a key of visible ASCII characters without spaces") {
      $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? $0 : nil
    }
    analyticsDefault = reader.read("ANALYTICS_DEFAULT", "true or false") { Bool(preferenceText: $0) } ?? false
    issuer = reader.read("OIDC_ISSUER", "an https address without ? and #, or an http address of this computer") {
      OpenIDProvider(issuer: $0, client: "any")?.issuer
    }
    clientID = reader.read("OIDC_CLIENT_ID", "at most 255 visible ASCII characters without spaces") {
      OpenIDProvider(issuer: "https://any", client: $0)?.client
    }
    if issuer != nil, clientID == nil, !reader.hasProblem("OIDC_CLIENT_ID") {
      reader.complain("OIDC_ISSUER", "OIDC_CLIENT_ID to be set as well")
    }
    if clientID != nil, issuer == nil, !reader.hasProblem("OIDC_ISSUER") {
      reader.complain("OIDC_CLIENT_ID", "OIDC_ISSUER to be set as well")
    }
    problems = reader.problems
  }

  private struct Reader {
    let sources: [SecretSource]
    var problems: [SecretProblem]

    init(sources: [SecretSource]) {
      self.sources = sources
      problems = sources.compactMap { source in
        // Most of the places have no such file, and need none.
        guard let fault = source.fault, fault != .missing else { return nil }
        return SecretProblem(
          path: source.path, key: nil, expected: "a key file with the group [app-gates] that can be read", fault: fault)
      }
    }

    mutating func read<Value>(_ key: String, _ expected: String, _ parse: (String) -> Value?) -> Value? {
      guard let text = sources.lazy.compactMap({ $0.values[key] }).first, !text.isEmpty else { return nil }
      if let value = parse(text) { return value }
      complain(key, expected)
      return nil
    }

    mutating func version(_ key: String) -> AppVersion? { read(key, "a version such as 1.2.0") { AppVersion($0) } }

    mutating func page(_ key: String) -> String? {
      read(key, "an https or http address") { Address.isPage($0) ? $0 : nil }
    }

    func hasProblem(_ key: String) -> Bool { problems.contains { $0.key == key } }

    mutating func complain(_ key: String, _ expected: String) {
      guard let source = sources.first(where: { $0.values[key] != nil }) else { return }
      problems.append(SecretProblem(path: source.path, key: key, expected: expected, fault: nil))
    }
  }
}
