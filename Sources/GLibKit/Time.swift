import GLibShim

/// The clocks that rules are asked with.
///
/// Any thread.
public enum Time {
  /// Milliseconds since boot, time asleep included.
  public static var boot: Int64 { gs_boot_milliseconds() }
  /// Seconds since 1970.
  public static var wall: Int64 { gs_wall_seconds() }
}
