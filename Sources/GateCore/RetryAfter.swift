/// Reads the header `Retry-After`: seconds, or a moment in the form that HTTP writes today (RFC 9110, 5.6.7 and 10.2.3).
///
/// Any thread.
public enum RetryAfter {
  /// How many seconds to wait, at `now` in seconds since 1970; nothing where the text is neither, 0 where the moment is
  /// past.
  ///
  /// Pure. `120`, or `Wed, 21 Oct 2026 07:28:00 GMT`.
  public static func seconds(_ text: String, now: Int64) -> Int64? {
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // More digits than a number holds: as long as there is.
      return Int64(text) ?? Int64.max
    }
    return moment(text).map { max($0 - now, 0) }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func moment(_ text: String) -> Int64? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
      let day = number(parts[1], 1...31), let month = months.firstIndex(of: String(parts[2])),
      let year = number(parts[3], 1970...9999)
    else { return nil }
    let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3, let hour = number(time[0], 0...23), let minute = number(time[1], 0...59),
      let second = number(time[2], 0...60)
    else { return nil }
    return days(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int64>) -> Int64? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text), range.contains(number) else {
      return nil
    }
    return number
  }

  /// Days since 1970: a year begins in March here, so that the leap day is its last.
  private static func days(_ year: Int64, _ month: Int, _ day: Int64) -> Int64 {
    let year = month > 2 ? year : year - 1
    let month = Int64((month + 9) % 12)
    return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468
  }
}
