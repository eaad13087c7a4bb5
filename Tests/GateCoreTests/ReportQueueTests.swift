import Testing

@testable import GateCore

struct ReportQueueTests {
  private let start = ReportQueue.Now(wall: 1_800_000_000, boot: 5_000_000)

  private func later(_ milliseconds: Int64) -> ReportQueue.Now {
    ReportQueue.Now(wall: start.wall + milliseconds / 1000, boot: start.boot + milliseconds)
  }

  private func sends(_ queue: ReportQueue, _ now: ReportQueue.Now) -> String? {
    if case .send(let id, _) = queue.next(now) { return id }
    return nil
  }

  @Test func sendsTheOldestFirst() {
    let queue = ReportQueue([.made(2), .made(1), .made(3)])
    #expect(sends(queue, start) == "01")
    #expect(ReportQueue().next(start) == .rest)
    #expect(ReportQueue([.made(1, state: .sent(at: 1))]).next(start) == .rest)
  }

  @Test(arguments: [200, 202, 204]) func arrives(_ status: Int) {
    var queue = ReportQueue([.made(1), .made(2)])
    queue.heard(.success(WebAnswer(status: status)), of: "01", start)
    #expect(queue["01"]?.state == .sent(at: start.wall) && queue["01"]?.parts == [])
    #expect(queue.next(start) == .wait(100), "100 ms between two sends")
    #expect(sends(queue, later(100)) == "02")
  }

  @Test func eachPartByItself() {
    let parts = [ReportPart(.event, id: "e", payload: "E"), ReportPart(.feedback, id: "f", payload: "F")]
    let report = QueuedReport(id: "01", madeAt: 1, title: "", likeness: "", parts: parts, state: .waiting)
    var queue = ReportQueue([report])
    #expect(queue.next(start) == .send(id: "01", parts[0]))
    queue.heard(.success(WebAnswer(status: 200)), of: "01", start)
    #expect(queue["01"]?.state == .waiting)
    queue.heard(.failure(.unreachable), of: "01", later(100))
    // What has arrived is not sent again.
    #expect(queue.next(later(40_000)) == .send(id: "01", parts[1]))
    queue.heard(.success(WebAnswer(status: 200)), of: "01", later(40_000))
    #expect(queue["01"]?.state == .sent(at: later(40_000).wall))
  }

  @Test(arguments: [301, 304, 400, 401, 403, 404, 413, 429, 500, 502, 503]) func anyOtherAnswerIsTheLast(_ status: Int)
  {
    var queue = ReportQueue([.made(1)])
    queue.heard(.success(WebAnswer(status: status)), of: "01", start)
    #expect(queue["01"]?.state == .refused(.status(status), at: start.wall))
    #expect(queue.next(later(10_000_000)) == .rest)
    queue.retry("01")
    #expect(sends(queue, later(90_000_000)) == "01", "by hand")
  }

  @Test(arguments: [
    (WebFault.redirected(to: "evil.example"), ReportRefusal.redirected(to: "evil.example")), (.malformed, .malformed),
    (.tooLarge, .malformed), (.crashed, .failed), (.refusedAddress, .failed),
  ])
  func whatIsNoNetworkFaultIsTheLast(_ fault: WebFault, _ refusal: ReportRefusal) {
    var queue = ReportQueue([.made(1)])
    queue.heard(.failure(fault), of: "01", start)
    #expect(queue["01"]?.state == .refused(refusal, at: start.wall))
  }

  @Test(arguments: [WebFault.unreachable, .timedOut, .truncated, .badCertificate, .notInstalled])
  func networkFaultsAreTriedAgain(_ fault: WebFault) {
    var queue = ReportQueue([.made(1)])
    var (time, pauses): (Int64, [Int64]) = (0, [])
    for _ in 0..<10 {
      queue.heard(.failure(fault), of: "01", later(time))
      #expect(queue["01"]?.state == .waiting)
      guard case .wait(let pause) = queue.next(later(time)) else { break }
      pauses.append(pause / 1000)
      time += pause
      #expect(sends(queue, later(time)) == "01")
    }
    #expect(pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    queue.hurry()
    #expect(sends(queue, later(time + 100)) == "01")
    queue.heard(.success(WebAnswer(status: 500)), of: "01", later(time + 100))
    queue.retry("01")
    queue.heard(.failure(fault), of: "01", later(time + 200))
    #expect(queue.next(later(time + 200)) == .wait(30_000), "after an answer the pauses begin anew")
  }

  @Test func oneThatCannotBeSentDoesNotHoldUpTheOthers() {
    var queue = ReportQueue([.made(1), .made(2), .made(3)])
    var order: [String] = []
    var time: Int64 = 0
    for _ in 0..<5 {
      guard let id = sends(queue, later(time)) else { break }
      order.append(id)
      queue.heard(id == "01" ? .failure(.truncated) : .success(WebAnswer(status: 200)), of: id, later(time))
      time += 3_600_000
    }
    #expect(order == ["01", "02", "01", "03", "01"])
  }

  @Test func limitsHoldUpTheirCategoryAlone() {
    let event = QueuedReport(
      id: "02", madeAt: 2, title: "", likeness: "e", parts: [ReportPart(.event, id: "e", payload: "E")], state: .waiting
    )
    var queue = ReportQueue([.made(1), event, .made(3)])
    let answer = WebAnswer(status: 200, headers: ["x-sentry-rate-limits": "90:feedback:o"])
    queue.heard(.success(answer), of: "01", start)
    #expect(sends(queue, later(100)) == "02")
    queue.heard(.success(WebAnswer(status: 200)), of: "02", later(100))
    #expect(queue.next(later(200)) == .wait(91_000))
    queue.hurry()
    #expect(queue.next(later(1000)) == .wait(90_000), "the user cannot pass it")
    #expect(queue.next(later(90_000)) == .wait(1000), "rather late than early: the clock has but seconds")
    #expect(sends(queue, later(91_000)) == "03")
  }

  @Test func roomIsMadeByWhatIsOver() {
    var reports: [QueuedReport] = (1...28).map { .made($0) }
    reports += [.made(29, state: .refused(.malformed, at: 1)), .made(30, state: .sent(at: 1))]
    var queue = ReportQueue(reports)
    let admission1 = queue.add(.made(31))
    #expect(admission1 == .added(dropped: ["30"]), "first what has arrived")
    let admission2 = queue.add(.made(32))
    #expect(admission2 == .added(dropped: ["29"]), "then what was refused")
    let admission3 = queue.add(.made(33))
    #expect(admission3 == .full)
    #expect(queue.reports.count == 30)
    #expect(queue["01"] != nil, "the oldest unsent stays")
  }

  @Test func theOldestUnsentStaysBeforeTheNewestDuplicate() {
    var reports: [QueuedReport] = (1...30).map { .made($0) }
    reports[9] = .made(10, likeness: "same")
    reports[19] = .made(20, likeness: "same")
    reports[24] = .made(25, likeness: "same")
    var queue = ReportQueue(reports)
    let admission4 = queue.add(.made(31, likeness: "same"))
    #expect(admission4 == .duplicate)
    let admission5 = queue.add(.made(32))
    #expect(admission5 == .added(dropped: ["25"]))
    let admission6 = queue.add(.made(33))
    #expect(admission6 == .added(dropped: ["20"]))
    let admission7 = queue.add(.made(34))
    #expect(admission7 == .full)
    #expect(queue["10"] != nil && queue["01"] != nil)
  }

  @Test func moreThanFitWereKept() {
    let reports: [QueuedReport] = (1...40).map { .made($0, likeness: $0 == 35 ? "01" : nil) }
    let queue = ReportQueue(reports)
    #expect(queue.reports.count == 30)
    #expect(queue["01"] != nil && queue["35"] == nil)
  }

  @Test func comesBackToItsPlace() throws {
    var queue = ReportQueue([.made(1), .made(2), .made(3)])
    let taken = queue.remove("02")
    let gone = try #require(taken)
    #expect(queue.reports.map(\.id) == ["01", "03"])
    let restored = [queue.restore(gone), queue.restore(gone)]
    #expect(restored == [true, false])
    #expect(queue.reports.map(\.id) == ["01", "02", "03"])
    let nobody = queue.remove("09")
    #expect(nobody == nil)
    for number in 4...30 { _ = queue.add(.made(number)) }
    let final = queue.remove("30")
    let last = try #require(final)
    let admission8 = queue.add(.made(31))
    #expect(admission8 == .added(dropped: []))
    let hasRoom = queue.restore(last)
    #expect(!hasRoom, "its room was taken")
  }

  /// Whatever comes in whatever order, nothing that waits is lost but newer duplicates, and 30 are the most.
  @Test(arguments: 0..<50) func anySequence(_ seed: UInt64) {
    var numbers = SeededNumbers(state: seed)
    var queue = ReportQueue()
    var now = start
    for number in 0..<300 {
      let before = queue
      now.boot += Int64.random(in: 0...200_000, using: &numbers)
      now.wall += Int64.random(in: -10...200, using: &numbers)
      if Bool.random(using: &numbers) {
        let report = QueuedReport(
          id: "\(number)", madeAt: Int64(number), title: "", likeness: "\(Int.random(in: 0...40, using: &numbers))",
          parts: [ReportPart(.feedback, id: "f", payload: "P")], state: .waiting)
        if case .added(let dropped) = queue.add(report) {
          for id in dropped {
            guard let gone = before[id], gone.state == .waiting else { continue }
            let others = before.reports.filter { $0.likeness == gone.likeness && $0.madeAt < gone.madeAt }
            #expect(!others.isEmpty, "one that waited went, and no older one says the same")
          }
        }
      } else if case .send(let id, _) = queue.next(now) {
        let results: [Result<WebAnswer, WebFault>] = [
          .success(WebAnswer(status: 200)), .success(WebAnswer(status: 429)), .failure(.unreachable),
          .failure(.malformed), .success(WebAnswer(status: 500)),
        ]
        queue.heard(results.randomElement(using: &numbers)!, of: id, now)
        #expect(sends(queue, now) == nil, "100 ms between two sends")
      }
      #expect(queue.reports.count <= 30)
    }
  }
}
