/// One authorization request: what is sent along with the browser, and what its answer is held against.
///
/// Any thread. OpenID Connect Core 3.1.2.1, PKCE with S256 (RFC 7636), a redirect to this computer (RFC 8252, 7.3).
public struct OpenIDRequest: Hashable, Sendable {
  /// The path of the redirect.
  public static let path = "/cb"

  /// The random word that the answer must bring back.
  public let state: String
  /// The random word that the ID token must hold.
  public let nonce: String
  /// The random word that only this app knows.
  public let verifier: String
  /// Its hash, which goes with the browser.
  public let challenge: String

  /// Makes the random words, each of 32 bytes; nothing where the system gives none.
  public init?(_ tools: OpenIDTools) {
    var words: [String] = []
    for _ in 0..<3 {
      guard let bytes = tools.random(32), bytes.count == 32 else { return nil }
      words.append(tools.encode(bytes))
    }
    state = words[0]
    nonce = words[1]
    verifier = words[2]
    challenge = tools.encode(tools.sha256(Array(words[2].utf8)))
  }

  /// Where the browser is sent back to.
  public static func redirect(port: UInt16) -> String { "http://127.0.0.1:\(port)" + path }

  /// The address for the browser.
  public func address(_ metadata: OpenIDMetadata, _ provider: OpenIDProvider, redirect: String) -> String {
    var pairs = [
      ("response_type", "code"), ("client_id", provider.client), ("redirect_uri", redirect),
      ("scope", metadata.scopes.joined(separator: " ")), ("state", state), ("nonce", nonce),
      ("code_challenge", challenge), ("code_challenge_method", "S256"),
    ]
    // Without it a provider may leave the offline access out (Core, 11).
    if metadata.scopes.contains("offline_access") { pairs.append(("prompt", "consent")) }
    return metadata.authorization + (metadata.authorization.contains("?") ? "&" : "?") + FormText.encode(pairs)
  }

  /// The code in the query that the browser came back with.
  ///
  /// Throws what it says instead. A parameter that comes twice, a foreign `state`, and an `iss` that is missing though
  /// announced are no answer to this request (RFC 6749, 3.1 and 10.12; RFC 9207, 2.4).
  public func code(
    in query: String, _ metadata: OpenIDMetadata, _ provider: OpenIDProvider
  ) throws(OpenIDFault) -> String {
    guard let pairs = FormText.decode(query) else { throw .garbage }
    let names = pairs.map(\.name)
    guard Set(names).count == names.count else { throw .garbage }
    let values = Dictionary(uniqueKeysWithValues: pairs.map { ($0.name, $0.value) })
    guard values["state"] == state else { throw .garbage }
    switch values["iss"] {
    case provider.issuer?: break
    case nil: if metadata.namesIssuer { throw .otherIssuer }
    default: throw .otherIssuer
    }
    if let error = values["error"] { throw .refused(OpenIDRefusal(error)) }
    guard let code = values["code"], !code.isEmpty else { throw .garbage }
    return code
  }

  /// The request that makes tokens of a code: a public client's, with the verifier as its proof.
  public func exchange(
    _ code: String, _ metadata: OpenIDMetadata, _ provider: OpenIDProvider, redirect: String
  ) -> WebRequest {
    OpenIDRequest.post(
      metadata.token,
      [
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
        ("client_id", provider.client), ("code_verifier", verifier),
      ])
  }

  /// A form to one of the provider's addresses.
  static func post(_ address: String, _ pairs: [(String, String)]) -> WebRequest {
    WebRequest(
      .post, address,
      headers: [.init("Content-Type", "application/x-www-form-urlencoded"), .init("Accept", "application/json")],
      body: Array(FormText.encode(pairs).utf8), limit: 1 << 17)
  }
}
