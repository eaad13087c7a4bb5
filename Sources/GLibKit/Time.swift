import CGLib
import GLibShim

/// The clocks that rules are asked with.
///
/// Any thread.
public enum Time {
  /// Milliseconds since boot, time asleep included.
  public static var boot: Int64 { gs_boot_milliseconds() }
  /// Seconds since 1970.
  public static var wall: Int64 { gs_wall_seconds() }

  /// A moment, in seconds since 1970, as the user's language writes day and time.
  public static func local(_ seconds: Int64) -> String {
    guard let moment = g_date_time_new_from_unix_local(gint64(seconds)) else { return "" }
    defer { g_date_time_unref(moment) }
    guard let text = g_date_time_format(moment, "%x %R") else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
}
