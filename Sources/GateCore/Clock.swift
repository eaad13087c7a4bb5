/// The two clocks that rules are asked with, so that a test can move them by hand.
///
/// Any thread.
public struct Clock: Sendable {
  /// Seconds since 1970, as the user sets them: for dates.
  public var wall: @Sendable () -> Int64
  /// Milliseconds since boot, time asleep included (CLOCK_BOOTTIME): for delays, which nobody can set.
  public var boot: @Sendable () -> Int64

  /// Takes the two clocks.
  public init(wall: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> Int64) {
    self.wall = wall
    self.boot = boot
  }
}
