import Testing

@testable import GateCore

@MainActor
struct ConsentControllerTests {
  private func consent(_ world: World, _ outbox: Outbox = Outbox()) -> ConsentController {
    ConsentController(preferences: world.preferences, analytics: world.analytics(outbox))
  }

  @Test(arguments: ["", "2026-04-29", "2026-05-01", "9999-12-31", "2026-4-30", " 2026-04-30", "true", "2026-04-30;"])
  func anyOtherVersionIsNoConsent(_ stored: String) {
    #expect(!consent(World(["acceptedConsentVersion": stored])).isOpen)
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
    consent.accept()
    consent.accept()
    #expect(consent.isOpen)
    #expect(heard.count == 1)
    #expect(world.file.values["acceptedConsentVersion"] == LegalContent.version)
    #expect(outbox.events.count == 1)
  }

  @Test func whereItCannotBeReadAcceptingOpensTheGateAndNothingElse() {
    let world = World(state: .unreadable(.noPermission))
    let outbox = Outbox()
    let analytics = world.analytics(outbox)
    let consent = ConsentController(preferences: world.preferences, analytics: analytics)
    analytics.track(.onboardingCompleted)
    consent.accept()
    #expect(consent.isOpen)
    #expect(outbox.events.isEmpty)
  }

  @Test func takenBackInTheFileClosesTheGateAndForgetsWhatWaits() {
    let world = World(["acceptedConsentVersion": LegalContent.version])
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
