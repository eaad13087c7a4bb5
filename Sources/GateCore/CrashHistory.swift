/// When runs crashed one after the other, and whether that asks for safe mode.
public struct CrashHistory: Hashable, Sendable {
  /// So many crashes start safe mode.
  public static let limit = 3
  /// When they come within so many seconds.
  public static let period: Int64 = 300

  /// The last crashes, the oldest first, in seconds since 1970: at most as many as start safe mode.
  public private(set) var times: [Int64] = []

  /// Begins with what a run was told; no end but a crash carries it on.
  public init(_ times: [Int64] = []) { self.times = Array(times.suffix(CrashHistory.limit)) }

  /// The history after one more run; `time` is that of its crash, or of the look where nothing tells when it ended.
  ///
  /// A crash adds to it. A run that was killed leaves it while the last crash is near. Any other end forgets it.
  public func after(_ end: RunEnd, at time: Int64) -> CrashHistory {
    if end.isCrash { return CrashHistory(times + [time]) }
    guard end == .unexpected, let last = times.last, time - last <= CrashHistory.period else { return CrashHistory() }
    return self
  }

  /// Whether the next run is to be in safe mode.
  ///
  /// A clock that was set back between them makes a crash seem to come before the last one: that counts as near.
  public var asksForSafeMode: Bool {
    guard times.count == CrashHistory.limit, let first = times.first, let last = times.last else { return false }
    return last - first <= CrashHistory.period
  }
}
