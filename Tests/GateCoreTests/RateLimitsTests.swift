import Testing

@testable import GateCore

struct RateLimitsTests {
  private let now: Int64 = 1_800_000_000_000

  private func limits(_ header: String?, status: Int = 429, retryAfter: String? = nil) -> RateLimits {
    var limits = RateLimits()
    var headers: [String: String] = [:]
    headers["x-sentry-rate-limits"] = header
    headers["retry-after"] = retryAfter
    limits.hear(WebAnswer(status: status, headers: headers), now: now)
    return limits
  }

  /// Seconds until a feedback and an event may be sent, in thousandths.
  private func waits(_ limits: RateLimits) -> [Int64] {
    ["feedback", "error"].map { max(0, limits.end(for: $0, now: now) - now) }
  }

  @Test(arguments: [
    ("60::organization", [60_000, 60_000]), ("60:feedback:organization", [60_000, 0]),
    ("60:error:project:reason", [0, 60_000]), ("2.5:feedback", [2_500, 0]), ("2.0001:feedback", [2_001, 0]),
    ("0.25:error", [0, 250]), ("60:error;feedback:key", [60_000, 60_000]),
    ("60:transaction;profile:key", [0, 0]), ("10", [10_000, 10_000]),
    ("60:feedback:o, 120:error:o", [60_000, 120_000]), (" 60 : feedback : o ", [60_000, 0]),
    ("60:feedback:o,120:feedback:o", [120_000, 0]), ("120:feedback:o,60:feedback:o", [120_000, 0]),
    ("120::o,60:feedback:o", [120_000, 120_000]), ("60:feedback:o,banana", [60_000, 0]),
    ("999999999999999999999999:feedback", [86_400_000, 0]), ("60:default;feedback:o:why:ns", [60_000, 0]),
  ])
  func header(_ text: String, _ expected: [Int64]) {
    #expect(waits(limits(text)) == expected)
    // A good answer may announce a limit too.
    #expect(waits(limits(text, status: 200)) == expected)
  }

  @Test(arguments: ["banana", "", ":feedback", "-5:feedback", "1e3:feedback", "1.:feedback", ".5:feedback", "1.2.3"])
  func whatIsNoHeader(_ text: String) {
    #expect(waits(limits(text)) == [60_000, 60_000], "a 429 without a word that is understood")
    #expect(waits(limits(text, status: 200)) == [0, 0])
  }

  @Test func retryAfter() {
    #expect(waits(limits(nil, retryAfter: "30")) == [30_000, 30_000])
    #expect(waits(limits(nil, retryAfter: "banana")) == [60_000, 60_000])
    #expect(waits(limits("10:feedback", retryAfter: "30")) == [10_000, 0], "the header that says more")
    #expect(waits(limits(nil, status: 503, retryAfter: "30")) == [0, 0])
  }

  @Test func theLongerOneIsKept() {
    var limits = limits("100:feedback")
    limits.hear(WebAnswer(status: 429, headers: ["x-sentry-rate-limits": "5:feedback"]), now: now + 1000)
    #expect(limits.end(for: "feedback", now: now + 1000) == now + 100_000)
    limits.hear(WebAnswer(status: 429, headers: ["x-sentry-rate-limits": "500:feedback"]), now: now + 1000)
    #expect(limits.end(for: "feedback", now: now + 1000) == now + 501_000)
    #expect(limits.end(for: "feedback", now: now + 501_000) == 0)
  }

  @Test func aClockSetBackSilencesNobody() {
    let limits = RateLimits(["feedback": now + 400 * 86_400_000])
    #expect(limits.end(for: "feedback", now: now) == 0)
  }

  @Test func aServerCannotFillTheMemory() {
    var limits = RateLimits()
    for number in 0..<1000 {
      let header = "60:category_\(number):o,60:\(String(repeating: "x", count: 100)):o,60:a=b]:o"
      limits.hear(WebAnswer(status: 200, headers: ["x-sentry-rate-limits": header]), now: now)
    }
    #expect(limits.ends.count == 32)
    #expect(limits.ends.keys.allSatisfy { $0.hasPrefix("category_") })
  }
}
