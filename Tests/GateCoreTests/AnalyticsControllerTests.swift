import Testing

@testable import GateCore

@MainActor
struct AnalyticsControllerTests {
  @Test func withoutAnAddressNothingIsKept() {
    for values in [[:], World.counted] {
      let world = World(values)
      let outbox = Outbox()
      outbox.waiting = ["{old}"]
      let analytics = world.analytics(outbox, configured: false)
      analytics.track(.onboardingCompleted)
      analytics.consentGiven()
      #expect(outbox.events.isEmpty && analytics.waiting.isEmpty && outbox.posts.isEmpty)
      #expect(outbox.waiting == ["{old}"], "safe mode touches nothing")
    }
  }

  @Test func beforeConsentTheOldestHundredWaitInMemory() {
    let world = World()
    let outbox = Outbox()
    let analytics = world.analytics(outbox)
    let consent = ConsentController(preferences: world.preferences, analytics: analytics)
    for _ in 0..<150 {
      analytics.track(.onboardingCompleted)
      world.hands.wall += 1
    }
    analytics.consentGiven()
    #expect(outbox.events.isEmpty)
    consent.accept(counting: true)
    #expect(outbox.events.map(\.at) == Array(1_800_000_000..<1_800_000_100))
    #expect(analytics.waiting.isEmpty)
    analytics.consentGiven()
    #expect(outbox.events.count == 100)
  }

  @Test func withdrawnConsentErases() {
    let world = World()
    let outbox = Outbox()
    let analytics = world.analytics(outbox)
    analytics.track(.onboardingCompleted)
    analytics.consentWithdrawn()
    world.preferences.set(many: World.counted.map { PreferenceChange(PreferenceKey($0, fallback: ""), $1) })
    analytics.consentGiven()
    #expect(outbox.events.isEmpty)
  }

  @Test func whatCannotBeWrittenComesWithTheNext() {
    let world = World(World.counted)
    let outbox = Outbox()
    let analytics = world.analytics(outbox)
    outbox.fails = true
    analytics.track(.onboardingCompleted)
    world.hands.wall += 1
    outbox.fails = false
    analytics.track(.onboardingCompleted)
    #expect(outbox.events.map(\.at) == [1_800_000_000, 1_800_000_001])
  }

  /// How the switch stands before the user has touched it, and after.
  @Test(
    arguments: [
      (nil, false, false), (nil, true, true), ("true", false, true), ("false", true, false), ("x", true, false),
    ] as [(String?, Bool, Bool)])
  func theSwitch(_ stored: String?, _ initially: Bool, _ stands: Bool) {
    let world = World(stored.map { ["analyticsEnabled": $0] } ?? [:])
    #expect(world.analytics(initially: initially).choice == stands)
  }

  @Test func aTickedBoxIsNoConsent() {
    // The packager's default says yes, and the user was never asked.
    let world = World(["acceptedConsentVersion": LegalContent.version])
    let outbox = Outbox()
    let timer = HandTimer(world.hands)
    let analytics = world.analytics(outbox, initially: true, timer: timer)
    analytics.track(.appOpened)
    timer.advance(10 * 60 * 1000)
    #expect(!analytics.isCounting && outbox.events.isEmpty && analytics.waiting.isEmpty && outbox.posts.isEmpty)
  }

  /// Every pair of what is stored and what happens: whether an event from before the answer is then on disk.
  @Test func everyPair() {
    for stored in ["", "2020-01-01", LegalContent.version, "2999-01-01", "yes"] {
      for toggle in [nil, "true", "false", "perhaps"] as [String?] {
        for answer in [true, false, nil] as [Bool?] {
          for isTrusted in [true, false] {
            var values = ["acceptedConsentVersion": stored]
            values["analyticsEnabled"] = toggle
            let world = World(values, state: isTrusted ? .sound : .unreadable(.noPermission))
            let outbox = Outbox()
            let analytics = world.analytics(outbox)
            let consent = ConsentController(preferences: world.preferences, analytics: analytics)
            analytics.track(.appOpened)
            let isGiven = stored == LegalContent.version && isTrusted
            let about: Comment = "\(stored) \(toggle ?? "nil") \(String(describing: answer)) \(isTrusted)"
            #expect(outbox.events.count == (isGiven && toggle == "true" ? 1 : 0), about)
            #expect(outbox.posts.isEmpty, about)
            guard !consent.isOpen else { continue }
            if let answer { consent.accept(counting: answer) } else { analytics.consentWithdrawn() }
            #expect(outbox.events.count == (answer == true && isTrusted ? 1 : 0), about)
            #expect(analytics.isCounting == (answer == true && isTrusted), about)
          }
        }
      }
    }
  }

  @Test func switchingOffErasesWhatWaitsAndOnBeginsAnew() {
    for byHand in [false, true] {
      let world = World(World.counted)
      let outbox = Outbox()
      let timer = HandTimer(world.hands)
      let analytics = world.analytics(outbox, timer: timer)
      analytics.track(.appOpened)
      #expect(outbox.waiting.count == 1)
      if byHand { world.file.change("analyticsEnabled", to: "false") } else { analytics.set(false) }
      analytics.track(.todoAdded)
      timer.advance(60 * 60 * 1000)
      #expect(outbox.waiting.isEmpty && outbox.posts.isEmpty && analytics.waiting.isEmpty)
      analytics.set(true)
      analytics.track(.todoCompleted)
      timer.advance(AnalyticsDelivery.gathering)
      #expect(outbox.posts.map(\.batch.lines.count) == [1])
      #expect(outbox.events.map(\.name) == [.appOpened, .todoCompleted])
    }
  }

  @Test func switchingOffGivesUpWhatIsOnItsWay() {
    let world = World(World.counted)
    let outbox = Outbox()
    let timer = HandTimer(world.hands)
    let analytics = world.analytics(outbox, timer: timer)
    analytics.track(.appOpened)
    timer.advance(AnalyticsDelivery.gathering)
    #expect(outbox.posts.last?.isAwaited == true)
    analytics.set(false)
    #expect(outbox.posts.last?.isAwaited == false)
    outbox.answer()
    #expect(outbox.sent.isEmpty)
  }

  @Test func consentTakenBackInTheFileStopsAndErases() {
    let world = World(World.counted)
    let outbox = Outbox()
    let timer = HandTimer(world.hands)
    let analytics = world.analytics(outbox, timer: timer)
    let consent = ConsentController(preferences: world.preferences, analytics: analytics)
    analytics.track(.appOpened)
    world.file.change("acceptedConsentVersion", to: "2020-01-01")
    timer.advance(60 * 60 * 1000)
    #expect(!consent.isOpen && outbox.waiting.isEmpty && outbox.posts.isEmpty)
  }

  /// Taken back while the app did not run, or while no gate but the lock had begun.
  @Test(arguments: ["acceptedConsentVersion", "analyticsEnabled"], [false, true])
  func whatWaitedDoesNotOutliveAWithdrawal(_ key: String, _ isRunning: Bool) {
    let outbox = Outbox()
    outbox.waiting = ["{old}"]
    let world = World(isRunning ? World.counted : World.counted.filter { $0.key != key })
    let timer = HandTimer(world.hands)
    let analytics = world.analytics(outbox, timer: timer)
    if isRunning { world.file.change(key, to: "") }
    #expect(outbox.waiting.isEmpty)
    world.preferences.set(many: World.counted.map { PreferenceChange(PreferenceKey($0, fallback: ""), $1) })
    analytics.consentGiven()
    analytics.track(.appOpened)
    timer.advance(AnalyticsDelivery.gathering)
    #expect(outbox.posts.map(\.batch.lines) == [["{0}"]])
  }

  @Test func nothingIsKeptOrSentBeforeTheErasureSucceeds() {
    let outbox = Outbox()
    outbox.waiting = ["{old}"]
    outbox.failsToErase = true
    let world = World()
    let timer = HandTimer(world.hands)
    let analytics = world.analytics(outbox, timer: timer)
    ConsentController(preferences: world.preferences, analytics: analytics).accept(counting: true)
    analytics.track(.appOpened)
    timer.advance(60 * 60 * 1000)
    var isFinished = false
    analytics.finish { isFinished = true }
    #expect(outbox.posts.isEmpty && outbox.events.isEmpty && analytics.waiting.count == 1 && isFinished)
    #expect(outbox.log.count == 1, "said once")
    outbox.failsToErase = false
    analytics.track(.todoAdded)
    timer.advance(AnalyticsDelivery.gathering)
    #expect(outbox.posts.map(\.batch.lines) == [["{0}", "{1}"]])
  }

  // MARK: Deleting

  @Test func deletingAsksTheServerOnce() {
    let world = World(World.counted)
    let outbox = Outbox()
    let timer = HandTimer(world.hands)
    let analytics = world.analytics(outbox, timer: timer)
    analytics.track(.appOpened)
    var heard: [AnalyticsDeletion] = []
    analytics.deleteData { heard.append($0) }
    #expect(outbox.waiting.isEmpty && !outbox.hasId && heard.isEmpty)
    #expect(outbox.posts.map(\.batch.lines) == [["{delete}"]] && outbox.posts[0].asked)
    outbox.answer()
    #expect(heard == [.asked])
    // Somebody new: nothing to delete until something is counted.
    analytics.deleteData { heard.append($0) }
    #expect(heard == [.asked, .nothingCounted] && outbox.posts.count == 1)
  }

  @Test func deletingWorksWithTheSwitchOff() {
    let world = World(World.counted)
    let outbox = Outbox()
    let analytics = world.analytics(outbox)
    analytics.track(.appOpened)
    analytics.set(false)
    var heard: [AnalyticsDeletion] = []
    analytics.deleteData { heard.append($0) }
    outbox.answer(.failed("no network"))
    #expect(heard == [.notAsked("no network")])
  }

  @Test func whatCannotBeRemovedIsSaid() {
    let world = World(World.counted)
    let outbox = Outbox()
    let analytics = world.analytics(outbox)
    analytics.track(.appOpened)
    outbox.fails = true
    var heard: [AnalyticsDeletion] = []
    analytics.deleteData { heard.append($0) }
    #expect(heard == [.failed(.noSpace)] && outbox.posts.isEmpty)
  }
}
