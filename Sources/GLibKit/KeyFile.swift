import CGLib

/// A GLib key file in memory: groups of `key=value` lines.
///
/// Comments and unknown keys survive a change.
///
/// Values are texts; how a text is a list or a number is up to the caller. One thread at a time.
public final class KeyFile {
  private let raw: OpaquePointer

  /// An empty one.
  public init() { raw = g_key_file_new() }

  deinit { g_key_file_unref(raw) }

  /// Takes the content of a file apart; nil where it is no key file, is not UTF-8, or has a NUL in it.
  public convenience init?(_ content: [UInt8]) {
    self.init()
    let sound = content.withUnsafeBytes { bytes -> Bool in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return true }
      // GLib looks at the encoding of keys only.
      guard g_utf8_validate(start, gssize(bytes.count), nil) != 0 else { return false }
      return g_key_file_load_from_data(raw, start, gsize(bytes.count), G_KEY_FILE_KEEP_COMMENTS, nil) != 0
    }
    guard sound else { return nil }
  }

  /// Whether there is a group of that name.
  public func has(group: String) -> Bool { g_key_file_has_group(raw, group) != 0 }

  /// The keys of a group, in order; none where there is no such group.
  public func keys(of group: String) -> [String] {
    var count: gsize = 0
    guard let list = g_key_file_get_keys(raw, group, &count, nil) else { return [] }
    defer { g_strfreev(list) }
    return (0..<Int(count)).compactMap { list[$0].map { String(cString: $0) } }
  }

  /// The text of a key, or nil where it is not set.
  public func text(_ key: String, in group: String) -> String? {
    guard let value = g_key_file_get_value(raw, group, key, nil) else { return nil }
    defer { g_free(value) }
    return KeyFile.unescaped(String(cString: value))
  }

  /// All texts of a group.
  public func texts(of group: String) -> [String: String] {
    var all: [String: String] = [:]
    for key in keys(of: group) { all[key] = text(key, in: group) }
    return all
  }

  /// Sets the text of a key.
  public func set(_ key: String, in group: String, to text: String) {
    g_key_file_set_value(raw, group, key, KeyFile.escaped(text))
  }

  /// The whole file as bytes.
  public var content: [UInt8] {
    var count: gsize = 0
    guard let bytes = g_key_file_to_data(raw, &count, nil) else { return [] }
    defer { g_free(bytes) }
    return bytes.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
      [UInt8](UnsafeBufferPointer(start: $0, count: Int(count)))
    }
  }

  /// The text as it stands in a file.
  ///
  /// `\;`, by which lists escape their separator, stays as it is.
  static func escaped(_ text: String) -> String {
    var out = ""
    let scalars = Array(text.unicodeScalars)
    for (place, scalar) in scalars.enumerated() {
      switch scalar {
      case "\\": out += place + 1 < scalars.count && scalars[place + 1] == ";" ? "\\" : "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      // Spaces at either end would be lost.
      case " " where place == 0 || place == scalars.count - 1: out += "\\s"
      case "\0": break
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// The reverse of `escaped`; an escape that is none stays as it is.
  static func unescaped(_ value: String) -> String {
    var out = String.UnicodeScalarView()
    var rest = value.unicodeScalars.makeIterator()
    while let scalar = rest.next() {
      guard scalar == "\\" else {
        out.append(scalar)
        continue
      }
      switch rest.next() {
      case "n": out.append("\n")
      case "r": out.append("\r")
      case "t": out.append("\t")
      case "s": out.append(" ")
      case "\\": out.append("\\")
      case .some(let other): out.append(contentsOf: ["\\", other])
      case nil: out.append("\\")
      }
    }
    return String(out)
  }
}
