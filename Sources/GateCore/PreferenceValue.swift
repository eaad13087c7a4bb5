/// What a preference can be: a value with a text form, that of a GLib key file.
///
/// Escapes that the file itself needs (a new line, say) are made and undone by whoever reads and writes the file.
public protocol PreferenceValue: Hashable, Sendable {
  /// Reads the text form; nothing where it is none.
  init?(preferenceText: String)
  /// The text form.
  var preferenceText: String { get }
}

extension Bool: PreferenceValue {
  /// Reads `true` or `false`, and nothing else.
  public init?(preferenceText: String) {
    switch preferenceText {
    case "true": self = true
    case "false": self = false
    default: return nil
    }
  }
  /// `true` or `false`.
  public var preferenceText: String { self ? "true" : "false" }
}

extension Int64: PreferenceValue {
  /// Reads digits, with a minus before them where it is negative.
  public init?(preferenceText: String) { self.init(preferenceText) }
  /// The digits.
  public var preferenceText: String { String(self) }
}

extension Int: PreferenceValue {
  /// Reads digits, with a minus before them where it is negative.
  public init?(preferenceText: String) { self.init(preferenceText) }
  /// The digits.
  public var preferenceText: String { String(self) }
}

extension String: PreferenceValue {
  /// Any text.
  public init?(preferenceText: String) { self = preferenceText }
  /// The text itself.
  public var preferenceText: String { self }
}

/// Lists: a semicolon after each item; within one, `\;` and `\\` stand for a semicolon and a backslash.
extension Array: PreferenceValue where Element: PreferenceValue {
  /// Reads a list; nothing where one item is no such value.
  public init?(preferenceText: String) {
    var list: [Element] = []
    var item = ""
    var isEscaped = false
    // By scalars: a combining mark after a semicolon would make one character of the two.
    for scalar in preferenceText.unicodeScalars {
      switch (scalar, isEscaped) {
      case ("\\", false):
        isEscaped = true
      case (";", false):
        guard let element = Element(preferenceText: item) else { return nil }
        list.append(element)
        item = ""
      default:
        item.unicodeScalars.append(scalar)
        isEscaped = false
      }
    }
    // The last semicolon may be missing in a file written by hand.
    if !item.isEmpty {
      guard let element = Element(preferenceText: item) else { return nil }
      list.append(element)
    }
    self = list
  }

  /// The items, each with a semicolon after it.
  public var preferenceText: String {
    var text = String.UnicodeScalarView()
    for element in self {
      for scalar in element.preferenceText.unicodeScalars {
        if scalar == ";" || scalar == "\\" { text.append("\\") }
        text.append(scalar)
      }
      text.append(";")
    }
    return String(text)
  }
}
