import Testing

@testable import GateCore

@MainActor
struct OnboardingControllerTests {
  private func onboarding(_ world: World, _ outbox: Outbox = Outbox()) -> OnboardingController {
    OnboardingController(preferences: world.preferences, rating: world.rating(), analytics: world.analytics(outbox))
  }

  @Test func goesThroughTheSlidesAndResumesOnTheSame() {
    let world = World()
    let first = onboarding(world)
    #expect(first.page == 0)
    first.previous()
    #expect(first.page == 0 && world.file.writes.isEmpty)
    first.next()
    first.next()
    #expect(onboarding(world).page == 2)
    first.previous()
    first.arrive(at: 99)
    #expect(onboarding(world).page == 3)
    #expect(!first.isOpen)
    first.next()
    #expect(first.isOpen)
  }

  @Test(arguments: [("-3", 0), ("4", 3), ("9223372036854775807", 3), ("x", 0)])
  func aPageWrittenByHandIsOneOfTheFour(_ text: String, _ page: Int) {
    #expect(onboarding(World(["onboardingPage": text])).page == page)
  }

  @Test func finishingRecordsOneActionAndOneEvent() {
    let world = World(World.counted)
    let outbox = Outbox()
    let onboarding = onboarding(world, outbox)
    let heard = Heard(onboarding.changed)
    onboarding.skip()
    onboarding.finish()
    onboarding.next()
    #expect(onboarding.isOpen)
    #expect(heard.count == 1)
    #expect(world.preferences[.ratingActions] == 1)
    #expect(outbox.events.map(\.name) == [.onboardingCompleted])
    #expect(world.file.values["onboardingCompleted"] == "true")
  }
}
