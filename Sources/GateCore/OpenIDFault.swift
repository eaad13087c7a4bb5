/// Why a sign-in with a provider, or a refresh, did not come to its end.
public enum OpenIDFault: Error, Hashable, Sendable {
  /// The provider could not be asked.
  case web(WebFault)
  /// It answered with this status, where only 200 would have been of use.
  case answered(status: Int)
  /// It wants to be left alone, for so many seconds where it says.
  case busy(seconds: Int64?)
  /// What it answered is not what OpenID Connect has there.
  case garbage
  /// The address names itself another issuer than the one that is set.
  case otherIssuer
  /// One of its addresses is neither https nor on this computer.
  case unsafeAddress
  /// It cannot do what this app needs: the code flow with S256.
  case unsupported
  /// The answer of the browser could not be waited for.
  case listener(RedirectFault)
  /// The provider sent the browser back without a code.
  case refused(OpenIDRefusal)
  /// The provider does not take the code, or not the proof that it is ours.
  case codeRefused
  /// The provider does not take this app.
  case appRefused
  /// The provider does not take the refresh token any more, which ends the session.
  case sessionRefused
  /// What it says about the user does not hold.
  case idToken(IDTokenFault)
  /// Its tokens are larger than what can be kept.
  case tooLarge
  /// The system gave no randomness.
  case noRandomness
}

/// Why nobody waits for the browser's answer.
public enum RedirectFault: Error, Hashable, Sendable {
  /// No port of this computer can be listened on.
  case noPort
  /// Ten minutes have passed.
  case timedOut
  /// The program that listens is missing.
  case notInstalled
  /// It ended before its time, or broke its protocol.
  case crashed
}

/// What a provider says when it sends the browser back without a code (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6).
public enum OpenIDRefusal: Hashable, Sendable {
  /// The user, or the provider, said no.
  case denied
  /// The provider cannot do it now.
  case unavailable
  /// The provider wants the user on a page of its own first.
  case interaction
  /// The provider does not take this app, or what it asks for.
  case request
  /// Something else.
  case other

  /// The refusal of a provider's word for it.
  public init(_ error: String) {
    switch error {
    case "access_denied": self = .denied
    case "server_error", "temporarily_unavailable": self = .unavailable
    case "login_required", "consent_required", "interaction_required", "account_selection_required": self = .interaction
    case "invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope": self = .request
    default: self = .other
    }
  }
}

/// What does not hold in an ID token.
public enum IDTokenFault: Error, Hashable, Sendable {
  /// It is missing, or no token that can be read.
  case malformed
  /// It is of another issuer.
  case issuer
  /// It is for another app.
  case audience
  /// It has expired, or was made too long ago.
  case expired
  /// It was made in the future.
  case early
  /// It answers another sign-in.
  case nonce
  /// It names nobody, or somebody else than before.
  case subject
}

extension OpenIDFault {
  /// Whether the same may succeed later without anybody doing anything.
  public var mayPass: Bool {
    switch self {
    case .web(let fault): fault.mayPass
    case .answered(let status): status >= 500 || status == 408 || status == 425
    case .busy: true
    default: false
    }
  }
}
