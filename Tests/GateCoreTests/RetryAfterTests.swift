import Foundation
import Testing

@testable import GateCore

@Suite struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT, the date of RFC 9110.
  private static let then: Int64 = 784_111_777

  @Test(
    arguments: [
      ("0", 0), ("120", 120), ("00060", 60), ("86401", 86_400), ("99999999999999999999999", 86_400),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:50:07 GMT", 30),
      ("Tue, 01 Mar 2044 00:00:00 GMT", 86_400),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil), ("0x10", nil),
      ("Sun, 06 Nov 1994 08:49:37", nil), ("Sunday, 06-Nov-94 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
      ("Sun, 6 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("٣", nil),
    ] as [(String, Int64?)])
  func texts(_ text: String, _ expected: Int64?) {
    let answer = WebAnswer(status: 429, headers: ["retry-after": text])
    #expect(answer.retryAfter(now: Self.then) == expected)
  }

  @Test func withoutTheHeader() { #expect(WebAnswer(status: 429).retryAfter(now: 0) == nil) }

  @Test(
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
      ("Mon, 30 Nov 2026 14:21:56 GMT", 1_796_048_516), ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ] as [(String, Int64)])
  func dates(_ text: String, _ expected: Int64) { #expect(HttpDate.seconds(text) == expected) }

  @Test func everyDayOfSixtyYears() {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    for day in 0..<(60 * 365) as Range<Int64> {
      let moment = Self.then + day * 86_400 + day
      let text = format.string(from: Date(timeIntervalSince1970: TimeInterval(moment)))
      #expect(HttpDate.seconds(text) == moment, "\(text)")
    }
  }
}
