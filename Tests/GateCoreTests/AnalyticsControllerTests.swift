import Testing

@testable import GateCore

@MainActor
struct AnalyticsControllerTests {
  private let given = ["acceptedConsentVersion": LegalContent.version]

  @Test func withoutAnAddressNothingIsKept() {
    let world = World(given)
    let outbox = Outbox()
    let analytics = world.analytics(outbox, configured: false)
    analytics.track(.onboardingCompleted)
    analytics.consentGiven()
    #expect(outbox.events.isEmpty && analytics.waiting.isEmpty)
  }

  @Test func beforeConsentTheOldestHundredWaitInMemory() {
    let world = World()
    let outbox = Outbox()
    let analytics = world.analytics(outbox)
    for _ in 0..<150 {
      analytics.track(.onboardingCompleted)
      world.hands.wall += 1
    }
    analytics.consentGiven()
    #expect(outbox.events.isEmpty)
    world.preferences.set(.acceptedConsentVersion, to: LegalContent.version)
    analytics.consentGiven()
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
    world.preferences.set(.acceptedConsentVersion, to: LegalContent.version)
    analytics.consentGiven()
    #expect(outbox.events.isEmpty)
  }

  @Test func whatCannotBeAppendedComesWithTheNext() {
    let world = World(given)
    let outbox = Outbox()
    let analytics = world.analytics(outbox)
    outbox.fails = true
    analytics.track(.onboardingCompleted)
    world.hands.wall += 1
    outbox.fails = false
    analytics.track(.onboardingCompleted)
    #expect(outbox.events.map(\.at) == [1_800_000_000, 1_800_000_001])
  }
}
