import Testing

@testable import GateCore

@MainActor
struct RatingControllerTests {
  private static let day: Int64 = 24 * 60 * 60
  private static let now: Int64 = 1_800_000_000

  /// Actions, days since each earlier prompt, version of the last prompt, whether to ask.
  @Test(
    arguments: [
      (0, [], nil, false), (2, [], nil, false), (3, [], nil, true), (100, [], nil, true), (3, [], "2.0.0", false),
      (3, [], "1.9", true), (3, [90], "1.9", true), (3, [89], "1.9", false), (3, [0], "1.9", false),
      (3, [300, 200, 100], "1.9", false), (3, [364, 200, 100], "1.9", false), (3, [365, 200, 100], "1.9", true),
      (3, [300, 100], "1.9", true), (3, [-1], "1.9", false), (3, [-5000], "1.9", false),
      (3, [5000, 4000, 3000], "1", true),
      (3, [100, 89], "1.9", false), (3, [400, 300, 200, 100], "1.9", false),
    ] as [(Int, [Int64], String?, Bool)])
  func rules(_ actions: Int, _ daysAgo: [Int64], _ promptVersion: String?, _ asks: Bool) {
    let result = RatingController.mayAsk(
      actions: actions, promptDates: daysAgo.map { Self.now - $0 * Self.day },
      promptVersion: promptVersion.flatMap { AppVersion($0) }, running: AppVersion("2.0"), now: Self.now)
    #expect(result == asks)
  }

  @Test func toTheSecond() {
    func asks(_ dates: [Int64]) -> Bool {
      RatingController.mayAsk(
        actions: 3, promptDates: dates, promptVersion: nil, running: AppVersion("2"), now: Self.now)
    }
    #expect(asks([Self.now - 90 * Self.day]))
    #expect(!asks([Self.now - 90 * Self.day + 1]))
    let recent = [Self.now - 200 * Self.day, Self.now - 100 * Self.day]
    #expect(asks([Self.now - 365 * Self.day] + recent))
    #expect(!asks([Self.now - 365 * Self.day + 1] + recent))
    #expect(asks([.min]) && !asks([.max]))
  }

  @Test func withoutAVersionItNeverAsks() {
    #expect(!RatingController.mayAsk(actions: 9, promptDates: [], promptVersion: nil, running: nil, now: Self.now))
  }

  @Test func asksAtTheThirdActionAndRecordsTheShowing() {
    let world = World()
    let rating = world.rating()
    let heard = Heard(rating.wantsPrompt)
    rating.recordAction()
    rating.recordAction()
    #expect(heard.count == 0)
    rating.recordAction()
    #expect(heard.count == 1)
    // Nothing could be shown then: the moment passes, and comes again.
    rating.recordAction()
    #expect(heard.count == 2)
    rating.promptShown()
    #expect(world.file.values["ratingPromptDates"] == "\(world.hands.wall);")
    #expect(world.file.values["ratingPromptVersion"] == "1.0")
    #expect(world.file.values["ratingActions"] == "0")
  }

  @Test func oneInFlight() {
    let world = World(["ratingActions": "5"])
    let rating = world.rating()
    rating.promptShown()
    let heard = Heard(rating.wantsPrompt)
    world.preferences.set(many: [PreferenceChange(.ratingPromptDates, []), PreferenceChange(.ratingPromptVersion, "")])
    for _ in 0..<5 { rating.recordAction() }
    #expect(heard.count == 0)
    rating.answered(.notNow)
    rating.recordAction()
    #expect(heard.count == 1)
  }

  @Test(arguments: [RatingAnswer.rate, .feedback, .notNow, .never])
  func whoDeclinesIsNotAskedAtTheNextVersion(_ answer: RatingAnswer) {
    let world = World()
    let first = world.rating("1.0")
    first.promptShown()
    first.answered(answer)
    world.hands.wall += 89 * Self.day
    let second = world.rating("1.1")
    let heard = Heard(second.wantsPrompt)
    for _ in 0..<5 { second.recordAction() }
    #expect(heard.count == 0)
    world.hands.wall += Self.day
    second.recordAction()
    #expect(heard.count == (answer == .never ? 0 : 1))
  }

  @Test func atMostThreeIn365DaysWhateverTheVersions() {
    let world = World()
    var shown: [Int64] = []
    for day in 0..<(3 * 365) {
      let rating = world.rating("1.\(day)")
      let heard = Heard(rating.wantsPrompt)
      for _ in 0..<3 { rating.recordAction() }
      if heard.count > 0 {
        shown.append(world.hands.wall)
        rating.promptShown()
        rating.answered(.notNow)
      }
      world.hands.wall += Self.day
    }
    #expect(shown.count == 9)
    for date in shown { #expect(shown.count { $0 > date - 365 * Self.day && $0 <= date } <= 3) }
    #expect(zip(shown, shown.dropFirst()).allSatisfy { $1 - $0 >= 90 * Self.day })
  }

  @Test func aDateInTheFutureIsRepairedAndSaved() {
    let future = 1_900_000_000
    let world = World(["ratingPromptDates": "1700000000;\(future);", "ratingActions": "7"])
    let rating = world.rating()
    let heard = Heard(rating.wantsPrompt)
    rating.recordAction()
    #expect(world.file.values["ratingPromptDates"] == "1700000000;\(world.hands.wall);")
    #expect(heard.count == 0)
    world.hands.wall += 90 * Self.day
    rating.recordAction()
    #expect(heard.count == 1)
  }

  @Test(arguments: [1, 400, 5 * 365] as [Int64])
  func aClockThatWasSetBackForAWhileBringsNoPromptForward(_ daysBack: Int64) {
    let world = World()
    let first = world.rating("1.0")
    first.promptShown()
    first.answered(.notNow)
    let shown = world.hands.wall
    // A dead battery: the machine starts in the past, and an action is recorded there.
    world.hands.wall -= daysBack * Self.day
    let behind = world.rating("1.1")
    let early = Heard(behind.wantsPrompt)
    for _ in 0..<3 { behind.recordAction() }
    #expect(early.count == 0)
    #expect(world.preferences[.ratingPromptDates] == [world.hands.wall], "repaired")
    // The clock is right again, a day later: it is a day since the prompt, and not years.
    world.hands.wall = shown + Self.day
    let right = world.rating("1.2")
    let heard = Heard(right.wantsPrompt)
    for _ in 0..<3 { right.recordAction() }
    #expect(heard.count == 0)
    world.hands.wall = shown + 90 * Self.day
    right.recordAction()
    #expect(heard.count == 1)
  }

  @Test func aClockThatWasAheadByYearsKeepsTheCap() {
    let world = World()
    let start = world.hands.wall
    // Three prompts, each with the clock some years further ahead.
    for (number, years) in [0, 2, 4].enumerated() {
      world.hands.wall = start + Int64(years) * 365 * Self.day
      let rating = world.rating("1.\(number)")
      let heard = Heard(rating.wantsPrompt)
      for _ in 0..<3 { rating.recordAction() }
      #expect(heard.count == 1)
      rating.promptShown()
      rating.answered(.notNow)
    }
    // Right again: all three count as shown now, so there is none for a year.
    for day in [0, 90, 364] as [Int64] {
      world.hands.wall = start + day * Self.day
      let rating = world.rating("2.\(day)")
      let heard = Heard(rating.wantsPrompt)
      for _ in 0..<3 { rating.recordAction() }
      #expect(heard.count == 0, "after \(day) days")
    }
    world.hands.wall = start + 365 * Self.day
    let rating = world.rating("3.0")
    let heard = Heard(rating.wantsPrompt)
    rating.recordAction()
    #expect(heard.count == 1)
  }

  @Test(arguments: ["-5", "9223372036854775807", "x"])
  func aCounterWrittenByHandIsNoTrap(_ text: String) {
    let world = World(["ratingActions": text])
    let rating = world.rating()
    rating.recordAction()
    #expect(world.preferences[.ratingActions] >= 1)
  }
}
