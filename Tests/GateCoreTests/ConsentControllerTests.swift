import Testing

@testable import GateCore

@MainActor
struct ConsentControllerTests {
  private func consent(_ world: World, _ outbox: Outbox = Outbox()) -> ConsentController {
    ConsentController(preferences: world.preferences, analytics: world.analytics(outbox))
  }

  @Test(arguments: ["", "2026-11-29", "2026-12-01", "9999-12-31", "2026-11-3", " 2026-11-30", "true", "2026-11-30;"])
  func anyOtherVersionIsNoConsent(_ stored: String) {
    #expect(!consent(World(["acceptedConsentVersion": stored])).isOpen)
  }

  /// What is on record, and how it stands.
  @Test(
    arguments: [
      ("", .none), ("2026-04-30", .given), ("2026-04-29", .outdated("2026-04-29")),
      ("1999-12-31", .outdated("1999-12-31")), ("2026-05-01", .unknown), ("9999-12-31", .unknown),
      ("2026-4-30", .unknown), ("2026-13-01", .unknown), ("2026-00-10", .unknown), ("2026-01-32", .unknown),
      ("2025-01-0x", .unknown), ("20250101", .unknown), (" ", .unknown), ("2025-01-01-01", .unknown),
      ("２０２５-01-01", .unknown),
    ] as [(String, ConsentStanding)])
  func standings(_ stored: String, _ standing: ConsentStanding) {
    #expect(ConsentStanding.of(stored, present: "2026-04-30") == standing)
    #expect(ConsentStanding.of(stored, present: "2026-04-30", isTrusted: false) == .unreadable)
  }

  @Test func withoutASwitchOnThePageNothingIsRecordedOfIt() {
    let world = World()
    consent(world).accept()
    #expect(world.file.values == ["acceptedConsentVersion": LegalContent.version])
  }

  @Test func thePresentVersionIsConsentWhereItCanBeRead() {
    #expect(consent(World(["acceptedConsentVersion": LegalContent.version])).isOpen)
    #expect(!consent(World()).isOpen)
    #expect(
      !consent(World(["acceptedConsentVersion": LegalContent.version], state: .unreadable(.noPermission))).isOpen)
  }

  @Test func acceptingIsSavedAndLetsAnalyticsBegin() {
    let world = World()
    let outbox = Outbox()
    let analytics = world.analytics(outbox)
    let consent = ConsentController(preferences: world.preferences, analytics: analytics)
    let heard = Heard(consent.changed)
    analytics.track(.onboardingCompleted)
    #expect(outbox.events.isEmpty)
    consent.accept(counting: true)
    consent.accept(counting: false)
    #expect(consent.isOpen)
    #expect(heard.count == 1)
    #expect(world.file.values["analyticsEnabled"] == "true")
    #expect(world.file.values["acceptedConsentVersion"] == LegalContent.version)
    #expect(outbox.events.count == 1)
  }

  @Test func whereItCannotBeReadAcceptingOpensTheGateAndNothingElse() {
    let world = World(state: .unreadable(.noPermission))
    let outbox = Outbox()
    let analytics = world.analytics(outbox)
    let consent = ConsentController(preferences: world.preferences, analytics: analytics)
    analytics.track(.onboardingCompleted)
    consent.accept(counting: true)
    #expect(consent.isOpen)
    #expect(outbox.events.isEmpty)
  }

  @Test func takenBackInTheFileClosesTheGateAndForgetsWhatWaits() {
    let world = World(World.counted)
    let outbox = Outbox()
    outbox.fails = true
    let analytics = world.analytics(outbox)
    let consent = ConsentController(preferences: world.preferences, analytics: analytics)
    let heard = Heard(consent.changed)
    analytics.track(.onboardingCompleted)
    #expect(analytics.waiting.count == 1)
    world.file.change("acceptedConsentVersion", to: nil)
    #expect(!consent.isOpen)
    #expect(heard.count == 1)
    #expect(analytics.waiting.isEmpty)
  }
}
