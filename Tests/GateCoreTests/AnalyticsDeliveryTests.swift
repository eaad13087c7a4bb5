import Testing

@testable import GateCore

@MainActor
struct AnalyticsDeliveryTests {
  private let world = World(World.counted)
  private let outbox = Outbox()
  private let timer: HandTimer
  private let analytics: AnalyticsController

  init() {
    timer = HandTimer(world.hands)
    analytics = world.analytics(outbox, timer: timer)
  }

  private func gather() { timer.advance(AnalyticsDelivery.gathering) }

  /// Answers, and what each means.
  @Test(
    arguments: [
      (.answered(status: 200, isReceipt: true, retryAfter: nil), .delivered),
      (.answered(status: 204, isReceipt: true, retryAfter: 5), .delivered),
      (.answered(status: 200, isReceipt: false, retryAfter: nil), .kept(atLeast: nil, "")),
      (.answered(status: 302, isReceipt: true, retryAfter: nil), .kept(atLeast: nil, "")),
      (.answered(status: 400, isReceipt: true, retryAfter: nil), .discarded("")),
      (.answered(status: 404, isReceipt: false, retryAfter: nil), .discarded("")),
      (.answered(status: 413, isReceipt: true, retryAfter: 5), .discarded("")),
      (.answered(status: 429, isReceipt: true, retryAfter: nil), .kept(atLeast: nil, "")),
      (.answered(status: 429, isReceipt: false, retryAfter: 5), .kept(atLeast: 5, "")),
      (.answered(status: 500, isReceipt: true, retryAfter: nil), .kept(atLeast: nil, "")),
      (.answered(status: 503, isReceipt: true, retryAfter: 9), .kept(atLeast: 9, "")),
      (.failed("x"), .kept(atLeast: nil, "")), (.refused, .kept(atLeast: nil, "")),
    ] as [(AnalyticsAnswer, AnalyticsVerdict)])
  func verdicts(_ answer: AnalyticsAnswer, _ verdict: AnalyticsVerdict) {
    switch (AnalyticsVerdict.of(answer), verdict) {
    case (.delivered, .delivered), (.discarded, .discarded): break
    case (.kept(let asked, let words), .kept(let expected, _)): #expect(asked == expected && !words.isEmpty)
    default: Issue.record("\(answer) is \(AnalyticsVerdict.of(answer))")
    }
  }

  @Test func eventsGatherAndGoInOrder() {
    for _ in 0..<120 { analytics.track(.todoAdded) }
    #expect(outbox.posts.isEmpty)
    gather()
    for count in [50, 50, 20] {
      #expect(outbox.posts.last?.batch.lines.count == count)
      outbox.answer()
    }
    #expect(outbox.posts.flatMap(\.batch.lines) == (0..<120).map { "{\($0)}" })
    #expect(outbox.waiting.isEmpty && outbox.sent.count == 120)
    timer.advance(60 * 60 * 1000)
    #expect(outbox.posts.count == 3, "nothing more to send")
  }

  @Test func oneAtATime() {
    analytics.track(.todoAdded)
    gather()
    analytics.track(.todoAdded)
    timer.advance(60_000)
    #expect(outbox.posts.count == 1)
    outbox.answer()
    #expect(outbox.posts.map(\.batch.lines) == [["{0}"], ["{1}"]])
  }

  @Test(
    arguments: [
      .failed("no network"), .answered(status: 500, isReceipt: true, retryAfter: nil),
      .answered(status: 429, isReceipt: true, retryAfter: nil),
      .answered(status: 200, isReceipt: false, retryAfter: nil),
    ] as [AnalyticsAnswer])
  func faultsLoseNothingAndPausesGrow(_ fault: AnalyticsAnswer) {
    analytics.track(.appOpened)
    gather()
    var pauses: [Int64] = []
    for _ in 0..<10 {
      let before = outbox.posts.count
      let since = world.hands.boot
      outbox.answer(fault)
      // An event in between does not bring the next try forward.
      analytics.track(.todoAdded)
      while outbox.posts.count == before { timer.advance(1000) }
      pauses.append((world.hands.boot - since) / 1000)
    }
    #expect(pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    #expect(outbox.log.count == 1, "said once")
    outbox.answer()
    #expect(outbox.sent == (0..<11).map { "{\($0)}" })
  }

  @Test func theServersPatienceCounts() {
    analytics.track(.appOpened)
    gather()
    outbox.answer(.answered(status: 429, isReceipt: true, retryAfter: 600))
    timer.advance(599_000)
    #expect(outbox.posts.count == 1)
    timer.advance(1000)
    #expect(outbox.posts.count == 2)
    outbox.answer()
    // After a success the pauses begin anew.
    analytics.track(.appOpened)
    gather()
    outbox.answer(.failed("no network"))
    timer.advance(30_000)
    #expect(outbox.posts.count == 4)
  }

  /// Failures in a row, what the server asks for in seconds, the pause in milliseconds.
  @Test(
    arguments: [
      (0, nil, 30_000), (1, nil, 60_000), (99, nil, 3_600_000), (0, 10, 30_000), (0, 31, 31_000), (0, 0, 30_000),
      (0, -5, 30_000), (0, .max, 86_400_000), (7, 100_000, 86_400_000), (-1, nil, 30_000),
    ] as [(Int, Int64?, Int64)])
  func pauses(_ failures: Int, _ asked: Int64?, _ pause: Int64) {
    #expect(AnalyticsDelivery.pause(afterFailures: failures, asked: asked) == pause)
  }

  @Test func aRefusedBatchIsThrownAwayAndTheNextGoes() {
    for _ in 0..<60 { analytics.track(.todoAdded) }
    gather()
    outbox.answer(.answered(status: 400, isReceipt: true, retryAfter: nil))
    #expect(outbox.log.count == 1 && outbox.log[0].contains("400"))
    #expect(outbox.posts.last?.batch.lines.count == 10)
    outbox.answer()
    #expect(outbox.sent.count == 10 && outbox.waiting.isEmpty)
  }

  @Test func aDiskThatTakesNothingIsNoFlood() {
    analytics.track(.appOpened)
    gather()
    outbox.fails = true
    outbox.answer()
    timer.advance(29_000)
    #expect(outbox.posts.count == 1)
    outbox.fails = false
    timer.advance(1000)
    #expect(outbox.posts.count == 2, "the same again, which its uuid tells")
  }

  @Test func whatWaitsFromAnEarlierRunIsSent() {
    let outbox = Outbox()
    outbox.waiting = ["{old}"]
    let later = world.analytics(outbox, timer: timer)
    gather()
    #expect(outbox.posts.map(\.batch.lines) == [["{old}"]])
    withExtendedLifetime(later) {}
  }

  // MARK: The end

  @Test func theEndWaitsForTheAnswerButNotForLong() {
    for isInTime in [true, false] {
      let outbox = Outbox()
      let analytics = world.analytics(outbox, timer: timer)
      analytics.track(.todoAdded)
      var ended = 0
      analytics.finish { ended += 1 }
      #expect(outbox.posts.count == 1 && ended == 0)
      if isInTime { outbox.answer() } else { timer.advance(AnalyticsController.lastPatience) }
      #expect(ended == 1)
      timer.advance(AnalyticsController.lastPatience)
      #expect(ended == 1)
    }
  }

  @Test func theEndIsAtOnceWhereNothingIsToBeSent() {
    var ended = 0
    analytics.finish { ended += 1 }
    #expect(ended == 1)
    // A server that was promised a pause is not bothered at the end either.
    analytics.track(.appOpened)
    gather()
    outbox.answer(.answered(status: 429, isReceipt: true, retryAfter: 600))
    analytics.finish { ended += 1 }
    #expect(ended == 2 && outbox.posts.count == 1)
    analytics.set(false)
    analytics.finish { ended += 1 }
    #expect(ended == 3)
  }

  @Test func theEndAfterAFailureIsAtOnce() {
    analytics.track(.todoAdded)
    var ended = 0
    analytics.finish { ended += 1 }
    outbox.answer(.failed("no network"))
    #expect(ended == 1 && outbox.waiting.count == 1)
  }
}
