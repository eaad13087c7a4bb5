import CGLib

/// A value as D-Bus has it.
///
/// Immutable; any thread.
public final class Variant: @unchecked Sendable {
  /// The instance itself.
  public let raw: OpaquePointer

  /// Takes an instance with its reference, sinking a floating one.
  init(taking raw: OpaquePointer) { self.raw = g_variant_take_ref(raw) }

  /// Takes a reference of its own to an instance that belongs to someone else.
  init(borrowing raw: OpaquePointer) { self.raw = g_variant_ref(raw) }

  deinit { g_variant_unref(raw) }

  /// A text; what cannot be on D-Bus (a NUL) cannot be in it.
  public convenience init(_ text: String) { self.init(taking: g_variant_new_string(text)) }

  /// A tuple of values, such as the arguments of a method.
  public convenience init(tuple values: [Variant]) {
    var children: [OpaquePointer?] = values.map(\.raw)
    // The tuple takes references of its own; until then the parts MUST live, and an array ends with its last use.
    self.init(taking: withExtendedLifetime(values) { g_variant_new_tuple(&children, gsize(children.count)) })
  }

  /// A value in GVariant's text form, such as `@a{sv} {}`; nil where it is none.
  ///
  /// For constants: it escapes nothing.
  public convenience init?(parsing text: String) {
    guard let raw = g_variant_parse(nil, text, nil, nil, nil) else { return nil }
    self.init(taking: raw)
  }

  /// The type in D-Bus's letters, such as `a{sv}`.
  public var type: String { String(cString: g_variant_get_type_string(raw)) }

  /// The parts of a tuple, array, dictionary entry or variant; none for a simple value.
  public var children: [Variant] {
    guard g_variant_is_container(raw) != 0 else { return [] }
    return (0..<g_variant_n_children(raw)).map { Variant(taking: g_variant_get_child_value(raw, $0)) }
  }

  /// The part at a place, or nil where there is none.
  public subscript(place: Int) -> Variant? {
    guard g_variant_is_container(raw) != 0, place >= 0, place < Int(g_variant_n_children(raw)) else { return nil }
    return Variant(taking: g_variant_get_child_value(raw, gsize(place)))
  }

  /// The text of a string, object path or signature.
  public var text: String? {
    guard ["s", "o", "g"].contains(type) else { return nil }
    return String(cString: g_variant_get_string(raw, nil))
  }

  /// The value of a boolean.
  public var bool: Bool? { type == "b" ? g_variant_get_boolean(raw) != 0 : nil }

  /// The place of a descriptor among those that came along.
  public var handle: Int32? { type == "h" ? g_variant_get_handle(raw) : nil }

  /// The value under a key of an `a{sv}`, out of its variant; nil where there is none.
  public func value(of key: String) -> Variant? {
    guard type == "a{sv}" else { return nil }
    return g_variant_lookup_value(raw, key, nil).map { Variant(taking: $0) }
  }
}
