import CGtk
import Synchronization

/// Warnings of GTK and GLib fail the test that they come up in: most tell of memory that was used after its end.
enum Warnings {
  private static let seen = Mutex<[String]>([])

  /// What was logged since the last call, from any thread.
  static func take() -> [String] {
    seen.withLock { seen in
      defer { seen = [] }
      return seen
    }
  }

  /// Looks at all that is logged from now on; call it once, before anything else.
  static func watch() {
    g_log_set_writer_func(
      { level, fields, count, _ in
        let bad = G_LOG_LEVEL_WARNING.rawValue | G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_ERROR.rawValue
        guard level.rawValue & bad != 0, let fields else { return G_LOG_WRITER_HANDLED }
        let words = Warnings.text("MESSAGE", in: UnsafeBufferPointer(start: fields, count: Int(count)))
        let domain = Warnings.text("GLIB_DOMAIN", in: UnsafeBufferPointer(start: fields, count: Int(count)))
        // What the app itself has to say is no fault of the test's.
        guard domain != "app-gates" else { return G_LOG_WRITER_HANDLED }
        Warnings.seen.withLock { $0.append(domain + ": " + words) }
        return G_LOG_WRITER_HANDLED
      }, nil, nil)
  }

  private static func text(_ name: String, in fields: UnsafeBufferPointer<GLogField>) -> String {
    for field in fields where String(cString: field.key) == name {
      guard let value = field.value else { continue }
      return String(cString: value.assumingMemoryBound(to: CChar.self))
    }
    return ""
  }
}
