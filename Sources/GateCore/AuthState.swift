/// Whether the user is signed in.
public enum AuthState: Hashable, Sendable {
  /// There is no session.
  case signedOut
  /// A session is being made.
  case signingIn
  /// There is a session.
  case signedIn(LocalSession)
}

/// A session on this computer.
public struct LocalSession: Hashable, Sendable {
  /// The name of the desktop user, on one line.
  public let name: String
  /// Where the session's secret lives.
  public let store: SecretStore
  /// When it began, in seconds since 1970.
  public let started: Int64

  /// Puts the three together.
  public init(name: String, store: SecretStore, started: Int64) {
    self.name = name
    self.store = store
    self.started = started
  }
}
