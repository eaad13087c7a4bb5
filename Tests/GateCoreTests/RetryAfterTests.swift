import Foundation
import Testing

@testable import GateCore

struct RetryAfterTests {
  private let now: Int64 = 1_800_000_000

  private func seconds(_ text: String, now: Int64) -> Int64? {
    WebAnswer(status: 429, headers: ["retry-after": text]).retryAfter(now: now)
  }

  @Test(
    arguments: [
      ("0", 0), ("120", 120), ("99999999999999999999", 86_400), ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil),
      ("1 2", nil), ("Wed, 21 Oct 2015 07:28:00 GMT", 0), ("Fri, 15 Jan 2027 08:01:00 GMT", 60),
      ("Fri, 15 Jan 2027 08:01:00 UTC", nil), ("15 Jan 2027 08:01:00 GMT", nil), ("Fri, 32 Jan 2027 08:01:00 GMT", nil),
      ("Fri, 15 Foo 2027 08:01:00 GMT", nil), ("Fri, 15 Jan 2027 08:01 GMT", nil),
      ("Fri, 15 Jan 2027 24:00:00 GMT", nil),
      ("Fri, 15 Jan 99999 08:01:00 GMT", nil),
    ] as [(String, Int64?)])
  func forms(_ text: String, _ seconds: Int64?) {
    #expect(seconds(text, now: now) == seconds)
  }

  @Test func everyDayOfSixtyYears() {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    for day in 0..<(60 * 365) as Range<Int64> {
      let moment = now + day * 86_400 + day
      let text = format.string(from: Date(timeIntervalSince1970: TimeInterval(moment)))
      #expect(seconds(text, now: moment - 7) == 7, "\(text)")
    }
  }
}
