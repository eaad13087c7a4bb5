@testable import GateCore

/// What analytics has been given.
@MainActor
final class Outbox {
  var events: [AnalyticsEvent] = []
  var fails = false
  struct Full: Error {}

  func append(_ new: [AnalyticsEvent]) throws {
    if fails { throw Full() }
    events += new
  }
}

extension World {
  @MainActor
  func analytics(_ outbox: Outbox = Outbox(), configured: Bool = true) -> AnalyticsController {
    AnalyticsController(
      configured: configured, consent: { [preferences] in ConsentController.isGiven(in: preferences) }, clock: clock,
      append: { try outbox.append($0) })
  }
}
