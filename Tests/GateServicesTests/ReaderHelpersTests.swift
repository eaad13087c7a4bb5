import AuthWire
import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

/// What becomes of a helper at the reader while the computer sleeps.
@MainActor
@Suite(.serialized)
struct ReaderHelpersTests {
  private let events = Listeners<DesktopEvent>()

  private func begin(_ recording: Recording, cancels: Bool) throws {
    let helpers = ReaderHelpers(events)
    let conversation = HelperConversation(
      try FakeHelper.program("good"), service: AW_SERVICE_FINGERPRINT,
      deadlines: HelperDeadlines(hello: 10_000, progress: 10_000, exit: 10_000)
    ) { recording.take($0) }
    helpers.add(conversation)
    recording.conversation = conversation
    MainLoop.run(atMost: 10_000) { !recording.events.isEmpty }
    events.notify(.goingToSleep)
    if cancels { conversation.cancel() }
    recording.conversation = nil
    MainLoop.run(atMost: 300) { HelperProcess.livingCount == 0 }
    #expect(HelperProcess.livingCount == 1, "it stands still, and nobody has ended it")
    events.notify(.awake)
    MainLoop.run(atMost: 10_000) { HelperProcess.livingCount == 0 }
    #expect(HelperProcess.livingCount == 0)
    withExtendedLifetime(helpers) {}
  }

  @Test func stoppedAtOnceAndKilledWhenAwake() throws {
    let recording = Recording()
    try begin(recording, cancels: true)
    #expect(recording.result == nil, "nothing is told after a cancel")
  }

  @Test func failsWhereNobodyHasCancelled() throws {
    let recording = Recording()
    try begin(recording, cancels: false)
    #expect(recording.result == .failure(.noAnswer))
  }
}
