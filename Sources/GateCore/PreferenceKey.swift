/// The name of a preference and what it is where the file does not say.
///
/// Each gate declares its own.
public struct PreferenceKey<Value: PreferenceValue>: Sendable {
  /// The key in the file, which is the name of the Swift property too.
  public let name: String
  /// What counts where the file has no such key.
  public let fallback: Value
  /// What counts where the file has the key with a text that is no such value, or one that is not allowed.
  public let unclear: Value
  private let isAllowed: @Sendable (Value) -> Bool

  /// Declares a key; what is unclear counts as the fallback unless `unclear` says otherwise.
  public init(
    _ name: String, fallback: Value, unclear: Value? = nil,
    allowed: @escaping @Sendable (Value) -> Bool = { _ in true }
  ) {
    self.name = name
    self.fallback = fallback
    self.unclear = unclear ?? fallback
    isAllowed = allowed
  }

  /// The value that a text in the file stands for.
  public func value(of text: String?) -> Value {
    guard let text else { return fallback }
    guard let value = Value(preferenceText: text), isAllowed(value) else { return unclear }
    return value
  }
}

/// One preference with the value that it is to have, for setting several at once.
public struct PreferenceChange: Sendable {
  /// The key's name.
  public let name: String
  /// The value's text form.
  public let text: String

  /// Sets a key to a value.
  public init<Value>(_ key: PreferenceKey<Value>, _ value: Value) {
    name = key.name
    text = value.preferenceText
  }
}

/// Which changes of a key are taken over when the file is changed by others while the app runs.
///
/// Such changes may lock, never unlock: a rule says for its key which ones those are.
public struct OutsideRule: Sendable {
  /// The key's name.
  public let name: String
  /// Whether the text in force (first) may be replaced by the one now in the file (second).
  public let allows: @Sendable (String?, String?) -> Bool

  /// Asks about values, the one in force first.
  public init<Value>(_ key: PreferenceKey<Value>, _ allows: @escaping @Sendable (Value, Value) -> Bool) {
    name = key.name
    self.allows = { allows(key.value(of: $0), key.value(of: $1)) }
  }
}
