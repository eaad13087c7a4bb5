/// A version of the app, ordered as people mean it: 1.9 comes before 1.10, and 1.2 is 1.2.0.
///
/// Numbers are compared exactly, however long. Pre-releases are ordered by the rules of Semantic Versioning, build metadata counts
/// for nothing. Any thread.
public struct AppVersion: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// The longest text that is a version, in bytes: what is longer would push the buttons off a screen that shows it.
  public static let limit = 64

  /// The numbers as they are shown, without needless zeros before each.
  private let shown: [Digits]
  /// The numbers as they are compared, without zeros at the end.
  private let core: [Digits]
  private let preRelease: [Identifier]

  /// Reads a version; nothing where the text is none, or is longer than `limit`.
  ///
  /// Spaces around it, a leading `v`, a bracket after it as in "1.3.0 (93)", build metadata (`+7`), and the epoch and
  /// revision of a Debian package (`1:1.2.0-3~deb12u1`) are read past.
  public init?(_ text: String) {
    guard text.utf8.count <= AppVersion.limit, let parts = VersionText(text), let numbers = parts.numbers else {
      return nil
    }
    shown = numbers
    core = Array(numbers.prefix(numbers.lastIndex { !$0.isZero }.map { $0 + 1 } ?? 0))
    preRelease = parts.preRelease
    // "1a1b1" is shown as "1-a.1.b.1": what is shown has to be a version, too.
    guard description.utf8.count <= AppVersion.limit else { return nil }
  }

  /// The numbers and the pre-release, as in "1.2.0-beta.2".
  public var description: String {
    let numbers = shown.map(\.text).joined(separator: ".")
    return preRelease.isEmpty ? numbers : numbers + "-" + preRelease.map(\.text).joined(separator: ".")
  }

  /// Whether both are the same version, however they are written.
  public static func == (one: AppVersion, other: AppVersion) -> Bool {
    one.core == other.core && one.preRelease == other.preRelease
  }

  /// Mixes in what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(core)
    hasher.combine(preRelease)
  }

  /// Whether one comes before the other.
  public static func < (one: AppVersion, other: AppVersion) -> Bool {
    if one.core != other.core { return one.core.lexicographicallyPrecedes(other.core) }
    // The release itself comes after all of its pre-releases.
    if one.preRelease.isEmpty || other.preRelease.isEmpty { return !one.preRelease.isEmpty }
    return one.preRelease.lexicographicallyPrecedes(other.preRelease)
  }
}

/// A number of any length, in decimal digits without leading zeros.
struct Digits: Comparable, Hashable, Sendable {
  let text: String

  /// Nothing where there is anything but ASCII digits, or nothing at all.
  init?(_ text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
    let significant = text.drop { $0 == "0" }
    self.text = significant.isEmpty ? "0" : String(significant)
  }

  var isZero: Bool { text == "0" }

  static func < (one: Digits, other: Digits) -> Bool {
    if one.text.utf8.count != other.text.utf8.count { return one.text.utf8.count < other.text.utf8.count }
    return one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }
}

/// One part of a pre-release: a number, or a word, which comes after every number.
enum Identifier: Comparable, Hashable, Sendable {
  case number(Digits)
  case word(String)

  /// Nothing where it is empty or has anything but ASCII letters, digits and hyphens in it.
  init?(_ text: some StringProtocol) {
    if let digits = Digits(text) {
      self = .number(digits)
    } else {
      guard !text.isEmpty, text.utf8.allSatisfy({ $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") }) else {
        return nil
      }
      self = .word(String(text))
    }
  }

  var text: String {
    switch self {
    case .number(let digits): digits.text
    case .word(let word): word
    }
  }

  static func < (one: Identifier, other: Identifier) -> Bool {
    switch (one, other) {
    case (.number(let one), .number(let other)): one < other
    case (.number, .word): true
    case (.word, .number): false
    // By bytes: the order of Swift's strings is that of Unicode.
    case (.word(let one), .word(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
    }
  }
}

extension UInt8 {
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  var isLetter: Bool {
    (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z")
  }
}
