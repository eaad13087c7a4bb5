/// What the rules of OpenID Connect need of libraries.
///
/// Any thread.
public struct OpenIDTools: Sendable {
  /// So many random bytes; nothing where the system gives none.
  public var random: @Sendable (Int) -> [UInt8]?
  /// SHA-256.
  public var sha256: @Sendable ([UInt8]) -> [UInt8]
  /// base64url without padding (RFC 4648, 5).
  public var encode: @Sendable ([UInt8]) -> String
  /// Its opposite; nothing where the text is no base64url.
  public var decode: @Sendable (String) -> [UInt8]?
  /// Reads JSON; nothing where the bytes are none.
  public var json: @Sendable ([UInt8]) -> JsonValue?

  /// Takes all five.
  public init(
    random: @escaping @Sendable (Int) -> [UInt8]?, sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
    encode: @escaping @Sendable ([UInt8]) -> String, decode: @escaping @Sendable (String) -> [UInt8]?,
    json: @escaping @Sendable ([UInt8]) -> JsonValue?
  ) {
    self.random = random
    self.sha256 = sha256
    self.encode = encode
    self.decode = decode
    self.json = json
  }
}
