/// The OpenID provider of the packager's choice, and what it knows this app by.
///
/// Any thread.
public struct OpenIDProvider: Hashable, Sendable {
  /// The issuer's address, byte for byte as the packager has written it (`OIDC_ISSUER`).
  public let issuer: String
  /// The name under which the provider knows this app (`OIDC_CLIENT_ID`).
  public let client: String
  /// The issuer's host, as it is shown.
  public let host: String

  /// Takes the two; nothing where the issuer is no address that may be one.
  ///
  /// OpenID Connect Discovery 1.0, 3: https, no query and no fragment; http on this computer besides.
  public init?(issuer: String, client: String) {
    guard Address.isService(issuer), !issuer.contains(where: { "?#".contains($0) }), let host = Address.host(issuer),
      !client.isEmpty, client.utf8.count <= 255, client.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    self.issuer = issuer
    self.client = client
    self.host = host
  }

  /// Where the provider says what it can do (Discovery, 4): no second slash after an issuer that ends with one.
  public var metadata: String {
    (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
  }
}

extension AppSecrets {
  /// The provider, where both keys are set and sound.
  public var provider: OpenIDProvider? {
    guard let issuer, let clientID else { return nil }
    return OpenIDProvider(issuer: issuer, client: clientID)
  }
}
