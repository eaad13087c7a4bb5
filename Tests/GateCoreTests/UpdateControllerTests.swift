import Testing

@testable import GateCore

@MainActor
struct UpdateControllerTests {
  private static let day: Int64 = 24 * 60 * 60

  private func decide(
    _ running: String?, min: String? = nil, latest: String? = nil, skipped: String? = nil, later: String? = nil,
    ago: Int64 = 0
  ) -> UpdateDecision {
    func version(_ text: String?) -> AppVersion? { text.flatMap { AppVersion($0) } }
    return UpdateController.decide(
      running: version(running), minimum: version(min), latest: version(latest), address: nil,
      answers: UpdateAnswers(skipped: version(skipped), later: version(later), laterAt: 1_000_000 - ago),
      now: 1_000_000)
  }

  @Test func idleForEachReason() {
    #expect(decide("1") == .idle(.notConfigured))
    #expect(decide(nil) == .idle(.notConfigured))
    #expect(decide(nil, min: "2", latest: "3") == .idle(.versionUnknown))
    #expect(decide("2", min: "2") == .idle(.upToDate))
    #expect(decide("3", latest: "2") == .idle(.upToDate))
    #expect(decide("2.0", min: "2", latest: "2.0.0") == .idle(.upToDate))
    #expect(decide("1", latest: "2", skipped: "2") == .idle(.skipped))
    #expect(decide("1", latest: "2", later: "2", ago: 0) == .idle(.resting(until: 1_000_000 + 3 * Self.day)))
  }

  @Test func forcedByTheMinimumAlone() throws {
    let (one, two) = (try #require(AppVersion("1.9")), try #require(AppVersion("1.10")))
    #expect(decide("1.9", min: "1.10") == .forced(installed: one, needed: two, address: nil))
    #expect(decide("1.9", min: "1.10", latest: "1.10") == .forced(installed: one, needed: two, address: nil))
    // No answer to a prompt has a say in it.
    #expect(
      decide("1.9", min: "1.10", latest: "1.10", skipped: "1.10", later: "1.10")
        == .forced(installed: one, needed: two, address: nil))
  }

  @Test func aMinimumThatNoUpdateCanReachIsNoTrap() throws {
    let (one, two) = (try #require(AppVersion("1")), try #require(AppVersion("2")))
    #expect(decide("1", min: "3", latest: "2") == .prompt(installed: one, latest: two, address: nil))
    #expect(decide("2", min: "3", latest: "2") == .idle(.minimumAboveLatest))
  }

  @Test func laterRestsThreeDaysForThatVersionOnly() {
    func isPrompt(_ decision: UpdateDecision) -> Bool { if case .prompt = decision { true } else { false } }
    #expect(!isPrompt(decide("1", latest: "2", later: "2", ago: 3 * Self.day - 1)))
    #expect(isPrompt(decide("1", latest: "2", later: "2", ago: 3 * Self.day)))
    #expect(isPrompt(decide("1", latest: "3", later: "2", ago: 0)))
    // The clock was set back a little, or had been far ahead.
    #expect(!isPrompt(decide("1", latest: "2", later: "2", ago: -60)))
    #expect(isPrompt(decide("1", latest: "2", later: "2", ago: -3 * Self.day)))
    #expect(isPrompt(decide("1", latest: "2", later: "2", ago: .min + 2_000_000)))
    #expect(isPrompt(decide("1", latest: "3", skipped: "2")))
    #expect(!isPrompt(decide("1", latest: "1.9", skipped: "2")))
  }

  private final class Store {
    var opened: [String] = []
    var answers: [@MainActor (StoreFault?) -> Void] = []
  }

  private func controller(
    _ world: World, _ values: [String: String], store: Store = Store()
  ) -> UpdateController {
    UpdateController(
      running: AppVersion("1"), secrets: AppSecrets(sources: [SecretSource(path: "/s", values: values)]),
      preferences: world.preferences, clock: world.clock
    ) {
      store.opened.append($0)
      store.answers.append($1)
    }
  }

  private let both = ["LATEST_APP_VERSION": "2", "APP_STORE_URL": "https://store.example/"]

  @Test func showingRecordsNothing() {
    let world = World()
    let update = controller(world, both)
    update.reconsider()
    #expect(world.file.writes.isEmpty)
  }

  @Test func laterAndSkipOpenTheGateAndAreRemembered() {
    for answer in ["later", "skip"] {
      let world = World()
      let update = controller(world, both)
      let heard = Heard(update.changed)
      if answer == "later" { update.later() } else { update.skip() }
      #expect(heard.count == 1)
      guard case .idle = controller(world, both).decision else { Issue.record("\(answer) forgotten"); return }
      world.hands.wall += 3 * Self.day
      update.reconsider()
      if case .prompt = update.decision { #expect(answer == "later") } else { #expect(answer == "skip") }
    }
  }

  @Test func forcedKnowsNeitherLaterNorSkip() {
    let world = World()
    let update = controller(world, ["MIN_APP_VERSION": "2"])
    update.later()
    update.skip()
    update.update()
    guard case .forced = update.decision else { Issue.record("not forced"); return }
    #expect(world.file.writes.isEmpty)
  }

  @Test func openingLeavesTheScreenAndShowsTheFault() {
    let world = World()
    let store = Store()
    let update = controller(world, both, store: store)
    let heard = Heard(update.changed)
    let before = update.decision
    update.update()
    #expect(store.opened == ["https://store.example/"])
    store.answers[0](.notInstalled)
    #expect(update.storeFault == .notInstalled)
    #expect(update.decision == before)
    update.update()
    #expect(update.storeFault == nil)
    // What the first try still says is no news of the second.
    store.answers[0](.failed(3))
    #expect(update.storeFault == nil)
    store.answers[1](.failed(4))
    #expect(update.storeFault == .failed(4))
    #expect(heard.count == 4)
    update.skip()
    #expect(update.storeFault == nil)
  }
}
