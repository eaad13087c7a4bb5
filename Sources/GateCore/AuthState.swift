/// Whether the user is signed in.
public enum AuthState: Hashable, Sendable {
  /// There is no session.
  case signedOut
  /// A session is being made.
  case signingIn
  /// There is a session.
  case signedIn(Session)
}

/// A session, of this computer or with a provider.
public struct Session: Hashable, Sendable {
  /// Whose it is.
  public let account: Account
  /// The name of the user, on one line.
  public let name: String
  /// Where the session's secret lives.
  public let store: SecretStore
  /// When it began, in seconds since 1970.
  public let started: Int64

  /// Puts the four together.
  public init(account: Account = .local, name: String, store: SecretStore, started: Int64) {
    self.account = account
    self.name = name
    self.store = store
    self.started = started
  }
}

/// Why there is no session, where somebody wanted one or had one.
public enum SignInFault: Hashable, Sendable {
  /// The secret could not be kept.
  case secret(SessionFault)
  /// The provider, or the way to it.
  case provider(OpenIDFault)
  /// The session is over here; that the provider was to forget it too could not be told it, with nothing where the tokens
  /// could not be read.
  case notRevoked(OpenIDFault?)
}
