/// The two clocks that rules are asked with, so that a test can move them by hand.
///
/// Any thread.
public struct Clock: Sendable {
  /// Seconds since 1970, as the user sets them: for dates.
  public var wall: @Sendable () -> Int64
  /// Milliseconds since boot, time asleep included (CLOCK_BOOTTIME): for delays, which nobody can set.
  public var boot: @Sendable () -> Int64
  /// How far the user's calendar is ahead of UTC at a moment of `wall`, in seconds.
  public var east: @Sendable (Int64) -> Int64

  /// Takes the two clocks, and how far the calendar is ahead of UTC.
  public init(
    wall: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> Int64,
    east: @escaping @Sendable (Int64) -> Int64 = { _ in 0 }
  ) {
    self.wall = wall
    self.boot = boot
    self.east = east
  }
}
