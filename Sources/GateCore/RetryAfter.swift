extension WebAnswer {
  /// How long the server wants to be left alone, in seconds from now; nothing where it does not say.
  ///
  /// The header `Retry-After` (RFC 9110, 10.2.3) has seconds, or a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; a date
  /// that is past is 0. `now` is in seconds since 1970. At most a day: a server with a wrong clock must not silence us
  /// for years.
  public func retryAfter(now: Int64) -> Int64? {
    guard let text = headers["retry-after"] else { return nil }
    let seconds: Int64
    if let first = text.utf8.first, first.isDigit, text.utf8.allSatisfy(\.isDigit) {
      seconds = Int64(text) ?? .max
    } else {
      guard let date = HttpDate.seconds(text) else { return nil }
      let (difference, overflow) = date.subtractingReportingOverflow(now)
      seconds = overflow ? 0 : difference
    }
    return min(max(0, seconds), 86_400)
  }
}

/// Dates as HTTP writes them today (RFC 9110, 5.6.7, IMF-fixdate).
enum HttpDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Seconds since 1970; nothing where the text is no such date.
  static func seconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].count == 4, words[0].hasSuffix(","), words[5] == "GMT",
      let day = number(words[1], digits: 2, 1...31), let month = months.firstIndex(of: String(words[2])),
      let year = number(words[3], digits: 4, 1970...9999)
    else { return nil }
    let time = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3, let hour = number(time[0], digits: 2, 0...23),
      let minute = number(time[1], digits: 2, 0...59), let second = number(time[2], digits: 2, 0...60)
    else { return nil }
    return days(year, Int64(month) + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private static func number(_ text: Substring, digits: Int, _ range: ClosedRange<Int64>) -> Int64? {
    guard text.utf8.count == digits, text.utf8.allSatisfy(\.isDigit), let value = Int64(text), range.contains(value)
    else { return nil }
    return value
  }

  /// Days since 1970 in the Gregorian calendar: years begin in March here, so that a leap day is the last of its year.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
