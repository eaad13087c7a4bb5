import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

/// What logind tells, over a real bus; one after the other with all else that is on it.
extension SessionBusTests {
  /// The live client, and what it has told.
  @MainActor
  private final class Desktop {
    let watch = DesktopWatch()
    private(set) var events: [DesktopEvent] = []
    private var listening: Listening?

    init() { listening = watch.events.listen { [weak self] in self?.events.append($0) } }

    /// Waits until a signal of logind's is sure to be heard.
    func follow(_ logind: FakeLogind) {
      watch.delay.isWanted = true
      logind.waitFor("inhibited")
      MainLoop.run(atMost: 20_000) { watch.login?.isFollowing == true }
    }

    /// Waits for the next events, and forgets them.
    func expect(_ expected: [DesktopEvent], _ place: SourceLocation = #_sourceLocation) {
      MainLoop.run(atMost: 20_000) { events.count >= expected.count }
      #expect(events == expected, sourceLocation: place)
      events = []
    }
  }

  @Test func theSessionsNews() async throws {
    try await bus.start()
    let logind = try FakeLogind()
    defer { logind.end() }
    let desktop = Desktop()
    desktop.follow(logind)
    logind.tell(#"["lock", "/org/freedesktop/login1/session/c9"]"#)
    logind.tell(#"["forge", "Lock", "Unlock", "PrepareForSleep", "PropertiesChanged"]"#)
    logind.tell(#"["lock"]"#)
    desktop.expect([.lockRequested])
    logind.tell(#"["unlock"]"#)
    logind.tell(#"["hint", true]"#)
    logind.tell(#"["hint", true]"#)
    logind.tell(#"["hint", false]"#)
    logind.tell(#"["activate", false]"#)
    logind.tell(#"["activate", true]"#)
    desktop.expect([.screenLocked, .screenLocked, .screenUnlocked, .switchedAway, .switchedBack])
  }

  @Test func sleepIsDelayedUntilTheGateIsReady() async throws {
    try await bus.start()
    let logind = try FakeLogind()
    defer { logind.end() }
    let desktop = Desktop()
    desktop.watch.readyForSleep()
    desktop.watch.delay.isWanted = true
    logind.waitFor("inhibited")
    desktop.watch.delay.isWanted = false
    logind.waitFor("released")
    desktop.watch.delay.isWanted = true
    logind.waitFor("inhibited", number: 2)
    // Nothing but a sleep to come releases it.
    desktop.watch.readyForSleep()
    logind.tell(#"["suspend", 20]"#)
    desktop.expect([.goingToSleep])
    #expect(logind.count("released") == 1 && logind.count("asleep") == 0)
    desktop.watch.readyForSleep()
    logind.waitFor("asleep")
    #expect(logind.count("released") == 2)
    // None can be had in the meantime; it is taken after the sleep.
    desktop.watch.delay.isWanted = false
    desktop.watch.delay.isWanted = true
    logind.tell(#"["resume"]"#)
    desktop.expect([.awake])
    logind.waitFor("inhibited", number: 3)
  }

  @Test func aGateThatIsNeverReadyDelaysForAMoment() async throws {
    try await bus.start()
    let logind = try FakeLogind()
    defer { logind.end() }
    let desktop = Desktop()
    desktop.watch.delay.isWanted = true
    logind.waitFor("inhibited")
    logind.tell(#"["suspend", 20]"#)
    desktop.expect([.goingToSleep])
    let began = Time.boot
    logind.waitFor("asleep")
    #expect(Time.boot - began >= 300, "not before its time")
    #expect(logind.count("released") == 1)
  }

  @Test func aLogindThatRestartsIsFollowed() async throws {
    try await bus.start()
    let first = try FakeLogind()
    let desktop = Desktop()
    desktop.watch.delay.isWanted = true
    first.waitFor("inhibited")
    first.tell(#"["prepare", true]"#)
    desktop.expect([.goingToSleep])
    first.end()
    // Meanwhile the computer has slept, and the session has another name; it is locked, and another user is in front.
    let second = try FakeLogind(session: "c7", isActive: false)
    defer { second.end() }
    second.waitFor("inhibited")
    desktop.expect([.awake, .switchedAway])
    desktop.follow(second)
    second.tell(#"["hint", true]"#)
    second.tell(#"["lock"]"#)
    desktop.expect([.screenLocked, .lockRequested])
  }

  @Test func aUserWithoutADisplayHasASessionAllTheSame() async throws {
    try await bus.start()
    let logind = try FakeLogind(isGraphical: false, isActive: false)
    defer { logind.end() }
    let desktop = Desktop()
    desktop.follow(logind)
    logind.tell(#"["lock"]"#)
    // The console is not in front, and that says nothing of a desktop of which logind does not know.
    desktop.expect([.lockRequested])
    logind.tell(#"["activate", true]"#)
    logind.tell(#"["activate", false]"#)
    desktop.expect([.switchedAway])
  }

  @Test func aLogindThatHangsIsHeardWhenItWakes() async throws {
    try await bus.start()
    let logind = try FakeLogind()
    defer { logind.end() }
    logind.freeze(true)
    let began = Time.boot
    let desktop = Desktop()
    desktop.watch.delay.isWanted = true
    #expect(Time.boot - began < 100, "it waits for nobody")
    logind.freeze(false)
    desktop.follow(logind)
    logind.tell(#"["lock"]"#)
    desktop.expect([.lockRequested])
  }

  @Test func descriptorsAreAskedForWithADeadline() async throws {
    try await bus.start()
    let logind = try FakeLogind()
    defer { logind.end() }
    // GIO closes a connection that nobody holds on to.
    let desktop = Desktop()
    defer { withExtendedLifetime(desktop) {} }
    func ask(_ method: String, _ words: [String]) -> DBusCall {
      DBusCall(
        .system, service: LoginSession.service, path: LoginSession.root, interface: LoginSession.manager,
        method: method, arguments: Variant(tuple: words.map { Variant($0) }))
    }
    func answer(_ call: DBusCall, atMost deadline: Int64) -> Result<OwnedDescriptor, CallFault>? {
      var result: Result<OwnedDescriptor, CallFault>?
      call.startForDescriptor(atMost: deadline) { result = $0 }
      MainLoop.run(atMost: 20_000) { result != nil }
      return result
    }
    let inhibit = ask("Inhibit", ["sleep", "test", "why", "delay"])
    var held = try #require(try answer(inhibit, atMost: 20_000)?.get()) as OwnedDescriptor?
    let number = try #require(held).number
    #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0, "no program that is started keeps the computer awake")
    #expect(logind.count("released") == 0)
    held = nil
    #expect(held == nil)
    logind.waitFor("released")
    #expect(throws: CallFault.self, "an answer without one") {
      try answer(ask("GetSession", ["auto"]), atMost: 20_000)?.get()
    }
    #expect(throws: CallFault.self, "refused") {
      try answer(ask("Inhibit", ["x", "", "", "delay"]), atMost: 20_000)?.get()
    }
    logind.freeze(true)
    #expect(throws: CallFault.timedOut) { try answer(inhibit, atMost: 200)?.get() }
    logind.freeze(false)
    // What comes too late is closed at once.
    logind.waitFor("inhibited", number: 2)
    logind.waitFor("released", number: 2)
  }
}
