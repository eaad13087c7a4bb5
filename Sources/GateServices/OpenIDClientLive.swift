import CGLib
import GLibKit
import GateCore

extension OpenIDClient {
  /// The system's own: GLib's hashes, the kernel's randomness, a listening `app-gates-web`, and the way to open addresses
  /// that the rest of the app has.
  @MainActor
  public static func live(
    _ program: WebProgram, open: @escaping @MainActor (String, @escaping @MainActor (StoreFault?) -> Void) -> Void
  ) -> OpenIDClient {
    OpenIDClient(
      tools: .live,
      listen: { request, heard in
        let listener = RedirectListener(program, request, heard: heard)
        return { listener.cancel() }
      },
      open: open, schedule: { MainLoop.after($0, $1) }, log: { Log.warning($0) })
  }
}

extension OpenIDTools {
  /// GLib's hashes and base64, json-glib, and the kernel's randomness.
  public static let live = OpenIDTools(
    random: Random.bytes, sha256: Sha256.bytes, encode: Base64Url.encode, decode: Base64Url.decode,
    json: { JsonValue($0) })
}

/// SHA-256, by GLib.
enum Sha256 {
  /// The hash, 32 bytes.
  static func bytes(_ data: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 32)
    var count = gsize(hash.count)
    let checksum = g_checksum_new(G_CHECKSUM_SHA256)
    g_checksum_update(checksum, data, gssize(data.count))
    g_checksum_get_digest(checksum, &hash, &count)
    g_checksum_free(checksum)
    return hash
  }
}

/// base64url without padding (RFC 4648, 5), over GLib's base64.
enum Base64Url {
  /// The bytes as text.
  static func encode(_ bytes: [UInt8]) -> String {
    guard let text = g_base64_encode(bytes, gsize(bytes.count)) else { return "" }
    defer { g_free(text) }
    return String(
      String(cString: text).compactMap { character -> Character? in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  /// The bytes of a text; nil where anything in it is no base64url.
  static func decode(_ text: String) -> [UInt8]? {
    var plain: [CChar] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"): plain.append(CChar(bitPattern: UInt8(ascii: "+")))
      case UInt8(ascii: "_"): plain.append(CChar(bitPattern: UInt8(ascii: "/")))
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        plain.append(CChar(bitPattern: byte))
      default: return nil
      }
    }
    // GLib overlooks what is missing at the end.
    guard plain.count % 4 != 1 else { return nil }
    while plain.count % 4 != 0 { plain.append(CChar(bitPattern: UInt8(ascii: "="))) }
    var count: gsize = 0
    guard let bytes = g_base64_decode(plain + [0], &count) else { return nil }
    defer { g_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }
}
