/// A JSON value as it was read from a server's answer.
///
/// Any thread. Nothing here throws: what is not there, or is of another kind, is nil.
public enum JsonValue: Hashable, Sendable {
  /// The literal `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without a fraction that fits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A text.
  case text(String)
  /// A list.
  case list([JsonValue])
  /// An object; of two members of one name, the later one.
  case object([String: JsonValue])

  /// The member of an object.
  public subscript(name: String) -> JsonValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  /// The text, where it is one.
  public var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  /// Whole seconds, where it is a number in the range of dates; a fraction is cut off.
  public var seconds: Int64? {
    switch self {
    case .integer(let value): value.magnitude < 1 << 53 ? value : nil
    case .number(let value): value.magnitude < 9_007_199_254_740_992 ? Int64(value) : nil
    case .null, .bool, .text, .list, .object: nil
    }
  }

  /// The texts of a list that holds nothing else.
  public var texts: [String]? {
    guard case .list(let values) = self else { return nil }
    let texts = values.compactMap(\.text)
    return texts.count == values.count ? texts : nil
  }
}
