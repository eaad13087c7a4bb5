/// Who a session, and what was made in it, belongs to.
public enum Account: Hashable, Sendable {
  /// The desktop user, without any server.
  case local
  /// Somebody at a provider.
  case openID(OpenIDAccount)
}

/// Somebody at a provider: the one thing that stays the same for good (OpenID Connect Core, 5.7).
public struct OpenIDAccount: Hashable, Sendable {
  /// The issuer's address.
  public let issuer: String
  /// Who it is there.
  public let subject: String

  /// Puts the two together.
  public init(issuer: String, subject: String) {
    self.issuer = issuer
    self.subject = subject
  }
}
