/// The tokens of a session with a provider, and what it takes to renew and to revoke them.
///
/// Any thread. They are written as one line, which is the session's secret.
public struct OpenIDTokens: Hashable, Sendable {
  /// The lifetime where the provider does not say one, in seconds (RFC 6749, 5.1, only recommends it).
  static let lifetime: Int64 = 3600
  private static let version = "openid-1"
  /// What a clock may show: with moments beyond, sums would overflow.
  private static let moments = -(Int64(1) << 40)...(Int64(1) << 40)

  /// Whose they are.
  public let account: OpenIDAccount
  /// The name under which the provider knows this app.
  public let client: String
  /// For the provider's services.
  public var access: String
  /// For new tokens; without it the session cannot be renewed.
  public var refresh: String?
  /// When the access token was given out, in seconds since 1970.
  public var issued: Int64
  /// When it expires, in seconds since 1970.
  public var expires: Int64
  /// Where tokens are renewed.
  public private(set) var tokenAddress: String
  /// Where they are taken back, if anywhere.
  public private(set) var revocationAddress: String?

  /// The tokens in the answer to a code; `now` is in seconds since 1970.
  ///
  /// Throws `garbage` where it is no such answer.
  init(
    _ json: JsonValue, of account: OpenIDAccount, _ provider: OpenIDProvider, _ metadata: OpenIDMetadata, now: Int64
  ) throws(OpenIDFault) {
    guard let access = OpenIDTokens.token(json["access_token"]) else { throw .garbage }
    self.account = account
    client = provider.client
    self.access = access
    refresh = OpenIDTokens.token(json["refresh_token"])
    issued = now
    expires = now + OpenIDTokens.lifetime(json)
    tokenAddress = metadata.token
    revocationAddress = metadata.revocation
  }

  /// These with what is new in the answer to a refresh: a provider that sends no new refresh token wants the old one kept
  /// (RFC 6749, 6).
  func renewed(_ json: JsonValue, now: Int64) throws(OpenIDFault) -> OpenIDTokens {
    guard let access = OpenIDTokens.token(json["access_token"]) else { throw .garbage }
    var tokens = self
    tokens.access = access
    tokens.refresh = OpenIDTokens.token(json["refresh_token"]) ?? refresh
    tokens.issued = now
    tokens.expires = now + OpenIDTokens.lifetime(json)
    return tokens
  }

  /// The line; nothing where a token is longer than a secret may be.
  public var secret: SessionSecret? {
    let pairs = [
      ("issuer", account.issuer), ("subject", account.subject), ("client", client), ("access", access),
      ("refresh", refresh ?? ""), ("issued", String(issued)), ("expires", String(expires)), ("token", tokenAddress),
      ("revocation", revocationAddress ?? ""),
    ]
    return SessionSecret(line: OpenIDTokens.version + " " + FormText.encode(pairs))
  }

  /// Reads the line; nothing where it is none of this version.
  public init?(_ secret: SessionSecret) {
    let words = secret.line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0] == OpenIDTokens.version, let pairs = FormText.decode(String(words[1])) else {
      return nil
    }
    let values = Dictionary(pairs.map { ($0.name, $0.value) }) { $1 }
    guard let issuer = values["issuer"], let subject = values["subject"], let client = values["client"],
      let access = values["access"], let issued = values["issued"].flatMap({ Int64($0) }),
      let expires = values["expires"].flatMap({ Int64($0) }), OpenIDTokens.moments.contains(issued),
      OpenIDTokens.moments.contains(expires), issued <= expires, let address = values["token"],
      Address.isService(address)
    else { return nil }
    account = OpenIDAccount(issuer: issuer, subject: subject)
    self.client = client
    self.access = access
    refresh = values["refresh"].flatMap { $0.isEmpty ? nil : $0 }
    self.issued = issued
    self.expires = expires
    tokenAddress = address
    revocationAddress = values["revocation"].flatMap { Address.isService($0) ? $0 : nil }
  }

  /// Whether the provider that is set now is the one that they came from.
  func isOf(_ provider: OpenIDProvider) -> Bool { account.issuer == provider.issuer && client == provider.client }

  /// The same at the addresses that the provider has now.
  func moved(to metadata: OpenIDMetadata) -> OpenIDTokens {
    var tokens = self
    tokens.tokenAddress = metadata.token
    tokens.revocationAddress = metadata.revocation
    return tokens
  }

  /// The request for new ones.
  func refreshRequest(_ token: String) -> WebRequest {
    OpenIDRequest.post(
      tokenAddress, [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", client)])
  }

  /// The request that takes them back (RFC 7009, 2.1): with the refresh token go the access tokens.
  var revocationRequest: WebRequest? {
    revocationAddress.map {
      OpenIDRequest.post(
        $0,
        [
          ("token", refresh ?? access), ("token_type_hint", refresh == nil ? "access_token" : "refresh_token"),
          ("client_id", client),
        ])
    }
  }

  private static func token(_ value: JsonValue?) -> String? {
    guard let text = value?.text, !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
    return text
  }

  private static func lifetime(_ json: JsonValue) -> Int64 {
    // Some providers write the number as a text.
    let seconds = json["expires_in"]?.seconds ?? json["expires_in"]?.text.flatMap { Int64($0) } ?? lifetime
    return min(max(0, seconds), 10 * 365 * 86_400)
  }
}

extension OpenIDTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Its type: no log may hold a token.
  public var description: String { "OpenIDTokens" }
  /// The same.
  public var debugDescription: String { description }
  /// Nothing to look into.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
