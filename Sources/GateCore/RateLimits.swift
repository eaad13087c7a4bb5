/// Until when a server wants to be left alone, for each category of what is sent.
///
/// Any thread. The moments are milliseconds since 1970, so that they outlive the run; of two limits the longer one holds.
/// `X-Sentry-Rate-Limits` is `seconds:categories:scope[:more]`, several of which are separated by commas. The seconds may
/// have a fraction, the categories are separated by semicolons, and none means all. Without that header a 429 is a limit
/// on all for as long as `Retry-After` says, or a minute (develop.sentry.dev, "Rate Limiting").
public struct RateLimits: Hashable, Sendable {
  /// The name that stands for all categories.
  public static let all = ""
  /// Longer than this, in milliseconds, nobody is left alone: a server with a wrong clock must not silence us for years.
  public static let longest: Int64 = 86_400_000
  /// What a 429 without a word means, in seconds.
  static let usual: Int64 = 60
  /// So many categories are kept; the names are the server's.
  private static let most = 32

  /// The end of each limit by its category.
  public private(set) var ends: [String: Int64]

  /// Begins with limits that were kept.
  public init(_ ends: [String: Int64] = [:]) { self.ends = ends }

  /// When something of this category may be sent again; 0 where that is now.
  ///
  /// A limit that lies further off than any can be was set by another clock, and does not count.
  public func end(for category: String, now: Int64) -> Int64 {
    let end = max(ends[category] ?? 0, ends[RateLimits.all] ?? 0)
    return end > now && end - now <= RateLimits.longest ? end : 0
  }

  /// Takes note of what an answer says; `now` is in milliseconds since 1970.
  public mutating func hear(_ answer: WebAnswer, now: Int64) {
    ends = ends.filter { $0.value > now && $0.value - now <= RateLimits.longest }
    let limits = (answer.headers["x-sentry-rate-limits"] ?? "").split(separator: ",")
    let isUnderstood = limits.map { hear(limit: $0, now: now) }.contains(true)
    if answer.status == 429, !isUnderstood {
      limit(RateLimits.all, to: now + (answer.retryAfter(now: now / 1000) ?? RateLimits.usual) * 1000, now: now)
    }
  }

  private mutating func hear(limit text: Substring, now: Int64) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let first = parts.first, let wait = RateLimits.milliseconds(first) else { return false }
    let categories =
      parts.count > 1 ? parts[1].split(separator: ";").map(RateLimits.trimmed).filter { !$0.isEmpty } : []
    for category in categories.isEmpty ? [RateLimits.all] : categories { limit(category, to: now + wait, now: now) }
    return true
  }

  private mutating func limit(_ category: String, to end: Int64, now: Int64) {
    guard end > now, ends[category] != nil || ends.count < RateLimits.most, RateLimits.isName(category) else { return }
    ends[category] = max(ends[category] ?? 0, min(end, now + RateLimits.longest))
  }

  /// A name as Sentry has them; it goes into a file, too.
  private static func isName(_ category: String) -> Bool {
    category.utf8.count <= 64 && category.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
  }

  /// `2.5` as 2500, rounded up, at most a day; nothing where it is no such number.
  private static func milliseconds(_ text: Substring) -> Int64? {
    let parts = trimmed(text).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, !whole.isEmpty, whole.utf8.allSatisfy(\.isDigit) else {
      return nil
    }
    var rest: Int64 = 0
    if parts.count == 2 {
      guard !parts[1].isEmpty, parts[1].utf8.allSatisfy(\.isDigit) else { return nil }
      let digits = parts[1].prefix(3)
      rest = (Int64(digits) ?? 0) * [100, 10, 1][digits.count - 1]
      if parts[1].dropFirst(3).contains(where: { $0 != "0" }) { rest += 1 }
    }
    // More digits than an Int64 takes are far beyond a day.
    let seconds = min(Int64(whole) ?? longest, longest / 1000)
    return min(seconds * 1000 + rest, longest)
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
