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
    bytes(count).map { $0.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() }
  }
}
