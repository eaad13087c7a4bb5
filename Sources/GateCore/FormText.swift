/// Names and values as they stand in a query or in the body of a form.
///
/// Any thread. Written as RFC 3986 has it, which every reader of `application/x-www-form-urlencoded` understands.
public enum FormText {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// `name=value&name=value`, all but letters, digits and `-._~` as bytes in hexadecimal.
  public static func encode(_ pairs: [(String, String)]) -> String {
    pairs.map { escape($0) + "=" + escape($1) }.joined(separator: "&")
  }

  /// The names and values in their order; nothing where an escape is broken or what it stands for is no UTF-8.
  ///
  /// `+` is a space, a name without `=` has an empty value, and nothing between two `&` is nothing.
  public static func decode(_ text: String) -> [(name: String, value: String)]? {
    var pairs: [(name: String, value: String)] = []
    for part in text.utf8.split(separator: UInt8(ascii: "&")) {
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      let rest = equals == part.endIndex ? part[equals...] : part[part.index(after: equals)...]
      guard let name = unescape(part[..<equals]), let value = unescape(rest) else { return nil }
      pairs.append((name, value))
    }
    return pairs
  }

  private static func escape(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescape(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
