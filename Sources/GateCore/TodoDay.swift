/// A day of the calendar, as todo.txt writes it: `2026-05-01`.
///
/// Years 1 to 9999, by the Gregorian calendar. What is no day of it, such as `2026-13-45`, is none.
public struct TodoDay: Hashable, Sendable {
  /// When the day begins in UTC, in seconds since 1970.
  public let start: Int64
  /// The day as four, two and two digits.
  public let text: String

  /// The day of a moment, in seconds since 1970; a moment far out of the calendar counts as its first or last day.
  public init(_ moment: Int64) {
    let (first, last) = (TodoDay.number(1, 1, 1), TodoDay.number(9999, 12, 31))
    let number = min(max(moment.floored(by: 86_400), first), last)
    // A year has 365.2425 days on average, so the guess is off by one at most.
    var year = 1970 + Int64(Double(number) / 365.2425)
    while TodoDay.number(year, 1, 1) > number { year -= 1 }
    while TodoDay.number(year + 1, 1, 1) <= number { year += 1 }
    var month: Int64 = 1
    while month < 12, TodoDay.number(year, month + 1, 1) <= number { month += 1 }
    start = number * 86_400
    let day = number - TodoDay.number(year, month, 1) + 1
    text = [(year, 4), (month, 2), (day, 2)].map { value, width in
      let digits = String(value)
      return String(repeating: "0", count: width - digits.count) + digits
    }.joined(separator: "-")
  }

  /// The day that ten bytes of text say; nil where they say none.
  public init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = TodoDay.digits(bytes[0..<4]), let month = TodoDay.digits(bytes[5..<7]),
      let day = TodoDay.digits(bytes[8..<10]), year >= 1, (1...12).contains(month), day >= 1
    else { return nil }
    self.init(TodoDay.number(year, month, day) * 86_400)
    // The 31st of April would be the first of May.
    guard text.utf8.elementsEqual(bytes) else { return nil }
  }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// The days since 1970 of a date; a day beyond its month runs on into the next.
  private static func number(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // Counted from March, so that the leap day is a year's last.
    let shifted = month > 2 ? year : year - 1
    let sinceMarch = (month + 9) % 12
    let leapDays = shifted.floored(by: 4) - shifted.floored(by: 100) + shifted.floored(by: 400)
    return 365 * shifted + leapDays + (153 * sinceMarch + 2) / 5 + day - 1 - 719_468
  }
}

extension Int64 {
  /// Divided, and rounded down.
  fileprivate func floored(by divisor: Int64) -> Int64 {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}

extension Clock {
  /// The day that the user's calendar shows.
  public var today: TodoDay {
    let now = wall()
    return TodoDay(now + east(now))
  }
}
