import CGLib

/// What a GLib function says went wrong.
public struct GLibError: Error, Hashable, Sendable {
  /// The family of the error, such as "g-dbus-error-quark".
  public let domain: String
  /// The number within the family.
  public let code: Int32
  /// GLib's own words, in the user's language; not for logic.
  public let message: String

  /// Takes the error and frees it.
  public init(taking error: UnsafeMutablePointer<GError>) {
    domain = String(cString: g_quark_to_string(error.pointee.domain))
    code = error.pointee.code
    message = error.pointee.message.map { String(cString: $0) } ?? ""
    g_error_free(error)
  }

  /// Whether it is this error of this family.
  public func matches(_ quark: GQuark, _ code: Int32) -> Bool {
    domain == String(cString: g_quark_to_string(quark)) && self.code == code
  }

  /// Whether the call was called off.
  public var isCancelled: Bool { matches(g_io_error_quark(), Int32(G_IO_ERROR_CANCELLED.rawValue)) }

  /// Whether a message bus, or somebody on it, gave this answer; otherwise the bus could not be reached.
  public var isDBus: Bool {
    domain == String(cString: g_quark_to_string(g_dbus_error_quark()))
      || matches(g_io_error_quark(), Int32(G_IO_ERROR_DBUS_ERROR.rawValue))
  }

  /// Runs a GLib call that takes a place for an error, and throws what it puts there.
  public static func check<Value>(
    _ call: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value
  ) throws(GLibError) -> Value {
    var error: UnsafeMutablePointer<GError>?
    let value = call(&error)
    if let error { throw GLibError(taking: error) }
    return value
  }
}
