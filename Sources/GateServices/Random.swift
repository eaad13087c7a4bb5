import Glibc

/// Randomness of the kernel's.
enum Random {
  /// So many random bytes, at most 256; nil where the kernel gives none.
  static func bytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    // getrandom behind another name; at most 256 bytes at once.
    guard getentropy(&bytes, count) == 0 else { return nil }
    return bytes
  }

  /// So many random bytes as small hexadecimal digits.
  static func hex(_ count: Int) -> String? {
    bytes(count).map(hex)
  }

  /// A random UUID (version 4) in its usual form.
  static func uuid() -> String? {
    guard var bytes = bytes(16) else { return nil }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = hex(bytes)
    var parts: [Substring] = []
    var rest = digits[...]
    for count in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.joined(separator: "-")
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
