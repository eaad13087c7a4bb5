/// What a provider says of itself, as far as it is used.
///
/// Any thread.
public struct OpenIDMetadata: Hashable, Sendable {
  /// Where the browser goes.
  public let authorization: String
  /// Where codes and refresh tokens become tokens.
  public let token: String
  /// Where tokens are taken back, if anywhere (RFC 7009).
  public let revocation: String?
  /// Whether each of its answers names the issuer (RFC 9207).
  public let namesIssuer: Bool
  /// What is asked for: `openid`, and of `profile` and `offline_access` what the provider has.
  public let scopes: [String]

  /// Reads a provider's answer.
  ///
  /// Throws `otherIssuer` where the issuer is not, byte for byte, the one that is set (Discovery, 4.3), `unsafeAddress`
  /// where an address is neither https nor on this computer, `unsupported`, and `garbage` for what is none of it.
  public init(_ json: JsonValue?, of provider: OpenIDProvider) throws(OpenIDFault) {
    guard let json, let issuer = json["issuer"]?.text, let authorization = json["authorization_endpoint"]?.text,
      let token = json["token_endpoint"]?.text
    else { throw .garbage }
    guard Array(issuer.utf8) == Array(provider.issuer.utf8) else { throw .otherIssuer }
    for address in [authorization, token] where !Address.isService(address) || address.contains("#") {
      throw .unsafeAddress
    }
    if let methods = json["code_challenge_methods_supported"] {
      guard methods.texts?.contains("S256") == true else { throw .unsupported }
    }
    if let types = json["response_types_supported"] {
      guard types.texts?.contains("code") == true else { throw .unsupported }
    }
    self.authorization = authorization
    self.token = token
    revocation = json["revocation_endpoint"]?.text.flatMap { Address.isService($0) && !$0.contains("#") ? $0 : nil }
    namesIssuer = json["authorization_response_iss_parameter_supported"] == .bool(true)
    let known = json["scopes_supported"]?.texts ?? []
    scopes = ["openid"] + ["profile", "offline_access"].filter(known.contains)
  }
}
