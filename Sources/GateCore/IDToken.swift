/// What an ID token says about the user.
///
/// Any thread. Its signature is not looked at: it comes straight from the token endpoint, over TLS or from this computer,
/// which OpenID Connect Core (3.1.3.7, 6) lets stand in its place.
public struct IDToken: Hashable, Sendable {
  /// How far the provider's clock and this one's may be apart, in seconds.
  public static let leeway: Int64 = 120
  /// How old a token may be that was asked for just now, in seconds.
  public static let oldest: Int64 = 600

  /// Who it is, unique at the issuer, 1 to 255 characters of ASCII.
  public let subject: String
  /// A name to show, where the provider tells one.
  public let name: String?

  /// Reads a token that has just been given out, and checks each claim of Core 3.1.3.7; `now` is in seconds since 1970.
  ///
  /// `nonce`, `subject` and the times are compared where they are given: a refresh has no nonce of its own, and asks for
  /// nothing of its times (Core, 12.2), so that a clock of this computer that is wrong loses no refresh token.
  public init(
    _ token: String?, of provider: OpenIDProvider, nonce: String? = nil, subject expected: String? = nil, now: Int64?,
    _ tools: OpenIDTools
  ) throws(IDTokenFault) {
    let parts = (token ?? "").split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = tools.decode(String(parts[1])), let claims = tools.json(bytes) else {
      throw .malformed
    }
    guard let issuer = claims["iss"]?.text, Array(issuer.utf8) == Array(provider.issuer.utf8) else { throw .issuer }
    try IDToken.check(audience: claims, provider)
    if let now { try IDToken.check(times: claims, now) }
    if let nonce { guard claims["nonce"]?.text == nonce else { throw .nonce } }
    guard let subject = claims["sub"]?.text, (1...255).contains(subject.utf8.count),
      subject.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), expected == nil || expected == subject
    else { throw .subject }
    self.subject = subject
    name = ["name", "preferred_username", "email"].lazy.compactMap { claims[$0]?.text }.first { !$0.isEmpty }
  }

  /// Not expired, given out a short while ago, and not in the future.
  private static func check(times claims: JsonValue, _ now: Int64) throws(IDTokenFault) {
    guard let expires = claims["exp"]?.seconds, let issued = claims["iat"]?.seconds else { throw .malformed }
    guard now - leeway < expires, now - leeway - oldest <= issued else { throw .expired }
    guard issued <= now + leeway else { throw .early }
  }

  /// For this app, and where it is for others too, or names who asked for it, asked for by this app.
  private static func check(audience claims: JsonValue, _ provider: OpenIDProvider) throws(IDTokenFault) {
    let audience = claims["aud"]?.text.map { [$0] } ?? claims["aud"]?.texts ?? []
    guard audience.contains(provider.client) else { throw .audience }
    switch claims["azp"] {
    case nil: if audience.count > 1 { throw .audience }
    case .text(provider.client): break
    default: throw .audience
    }
  }
}
