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

  /// How far this computer's time zone is ahead of UTC at a moment, in seconds.
  public static func east(_ seconds: Int64) -> Int64 {
    guard let moment = g_date_time_new_from_unix_local(gint64(seconds)) else { return 0 }
    defer { g_date_time_unref(moment) }
    return Int64(g_date_time_get_utc_offset(moment)) / 1_000_000
  }

  /// A moment, in seconds since 1970, as the user's language writes day and time.
  public static func local(_ seconds: Int64) -> String {
    guard let moment = g_date_time_new_from_unix_local(gint64(seconds)) else { return "" }
    defer { g_date_time_unref(moment) }
    guard let text = g_date_time_format(moment, "%x %R") else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
}
