extension PreferenceKey where Value == String {
  /// The name of the session's user.
  public static var sessionName: Self { Self("sessionName", fallback: "") }
  /// Where the session's secret lives, `keyring` or `file`; empty means that there is no session.
  public static var sessionStore: Self { Self("sessionStore", fallback: "") }
  /// The issuer of a session with a provider; empty for one of this computer.
  public static var sessionIssuer: Self { Self("sessionIssuer", fallback: "") }
  /// Whose it is there; empty for one of this computer.
  public static var sessionSubject: Self { Self("sessionSubject", fallback: "") }
}

extension PreferenceKey where Value == Int64 {
  /// When the session began, in seconds since 1970.
  public static var sessionStarted: Self { Self("sessionStarted", fallback: 0) }
}

extension Session {
  /// The session that the preferences know; nothing where there is none, or where they do not fit together.
  @MainActor
  public init?(in preferences: AppPreferences) {
    guard preferences.isTrusted, let store = SecretStore(rawValue: preferences[.sessionStore]) else { return nil }
    let (issuer, subject) = (preferences[.sessionIssuer], preferences[.sessionSubject])
    guard issuer.isEmpty == subject.isEmpty else { return nil }
    self.init(
      account: issuer.isEmpty ? .local : .openID(OpenIDAccount(issuer: issuer, subject: subject)),
      name: Session.oneLine(preferences[.sessionName]), store: store, started: preferences[.sessionStarted])
  }

  /// What the preferences are to know of a session, or of none.
  static func changes(_ session: Session?) -> [PreferenceChange] {
    var account: OpenIDAccount?
    if case .openID(let one) = session?.account { account = one }
    return [
      PreferenceChange(.sessionName, session?.name ?? ""),
      PreferenceChange(.sessionStore, session?.store.rawValue ?? ""),
      PreferenceChange(.sessionStarted, session?.started ?? 0),
      PreferenceChange(.sessionIssuer, account?.issuer ?? ""),
      PreferenceChange(.sessionSubject, account?.subject ?? ""),
    ]
  }

  /// A name on one line and without control characters, at most 100 characters: it may come from a server.
  ///
  /// Without marks either that turn the words around it, or that nobody sees; scripts and signs need the two joiners.
  static func oneLine(_ name: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: plain.append(" ")
      case .format where scalar != "\u{200C}" && scalar != "\u{200D}": break
      default: plain.append(scalar)
      }
    }
    return String(String(plain).prefix(100))
  }
}
