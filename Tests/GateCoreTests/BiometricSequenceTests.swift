import Testing

@testable import GateCore

/// The app lock in every state, with every event.
@MainActor
struct BiometricSequenceTests {
  enum Event: CaseIterable {
    case come, leave, soon, afterGrace, timer, lock, cancelled, requested, attempt, unlockFresh, unlockOld, turnOn
    case turnOff, outsideOn, outsideOff, outsideShow, outsideHide
    // Only in pairs and at random, or the sequences are too many.
    case lockRequested, screenLocked, screenUnlocked, switchedAway, goingToSleep, awake, hold, holdEnd
  }

  /// Sequences of three events and pairs from each beginning, and long ones at random: what must hold always is asked
  /// after each event.
  @Test(arguments: [nil, "true", "false"] as [String?], ["true", "false"])
  func everySequence(_ enabled: String?, _ hides: String) {
    var sequences: [[Event]] = [[]]
    let plain = Event.allCases.prefix { $0 != .lockRequested }
    for _ in 0..<3 { sequences = sequences.flatMap { head in plain.map { head + [$0] } } }
    sequences += Event.allCases.flatMap { first in Event.allCases.map { [first, $0] } }
    var numbers = SeededNumbers(state: 7)
    for _ in 0..<150 {
      sequences.append((0..<50).map { _ in Event.allCases.randomElement(using: &numbers) ?? .come })
    }
    var faults: [String] = []
    for sequence in sequences where faults.count < 5 {
      if let fault = run(sequence, enabled, hides) { faults.append("\(sequence): \(fault)") }
    }
    #expect(faults == [])
  }

  private func run(_ events: [Event], _ enabled: String?, _ hides: String) -> String? {
    var values = ["hideContent": hides]
    values["biometricEnabled"] = enabled
    let world = World(values)
    let lock = BiometricController(initialLocked: nil, preferences: world.preferences, clock: world.clock)
    var attempt: UnlockAttempt?
    var isStale = false
    var isAway: Bool?
    var leftAt: Int64 = 0
    var hold: GraceHold?
    var heldAt: Int64?
    var pauses: Set<String> = []
    for event in events {
      let wasLocked = lock.isLocked
      let wasEnabled = lock.isEnabled
      var isOpened = false
      switch event {
      case .come:
        let begin = max(leftAt, heldAt.map { $0 + 60_000 } ?? leftAt)
        let isOverdue = isAway == true && wasEnabled && !wasLocked && world.hands.boot >= begin + 1000
        lock.setActive(true)
        isAway = false
        if isOverdue, !lock.isLocked { return "came back late and found it open" }
        if lock.isLocked, !wasLocked, !isOverdue { return "locked too early" }
      case .leave:
        if isAway != true { leftAt = world.hands.boot }
        lock.setActive(false)
        isAway = true
      case .soon: world.hands.boot += 10
      case .afterGrace: world.hands.boot += 1000
      case .timer: lock.deadlineReached()
      case .lock:
        lock.lock()
        isStale = attempt != nil && (wasEnabled || wasLocked) || isStale
        if wasEnabled, !lock.isLocked { return "did not lock" }
      case .cancelled: lock.promptCancelled()
      case .requested:
        lock.promptRequested()
        pauses.formIntersection(["goingToSleep"])
      case .attempt:
        attempt = lock.beginAttempt()
        isStale = false
        if (attempt != nil) != wasLocked { return "attempt without need, or none" }
      case .unlockFresh:
        isOpened = lock.beginAttempt().map { lock.unlock($0) } ?? false
        isStale = isStale || isOpened
        if isOpened, isAway == true { leftAt = world.hands.boot }
      case .unlockOld:
        isOpened = attempt.map { lock.unlock($0) } ?? false
        if isOpened, isStale { return "an old attempt opened it" }
        isStale = isStale || isOpened
        if isOpened, isAway == true { leftAt = world.hands.boot }
      case .turnOn, .outsideOn:
        if !wasEnabled, isAway == true { leftAt = world.hands.boot }
        if event == .turnOn { lock.setEnabled(true) } else { world.file.change("biometricEnabled", to: "true") }
        if !lock.isEnabled { return "is not on" }
      case .turnOff:
        lock.setEnabled(false)
        if wasLocked, wasEnabled, !lock.isEnabled { return "turned off while locked" }
      case .outsideOff:
        world.file.change("biometricEnabled", to: "false")
        if wasEnabled, !lock.isEnabled { return "turned off from outside" }
      case .lockRequested, .screenLocked, .switchedAway, .goingToSleep:
        let told: [Event: DesktopEvent] = [
          .lockRequested: .lockRequested, .screenLocked: .screenLocked, .switchedAway: .switchedAway,
          .goingToSleep: .goingToSleep,
        ]
        if event != .lockRequested { pauses.insert("\(event)") }
        lock.heard(told[event] ?? .lockRequested)
        isStale = attempt != nil && (wasEnabled || wasLocked) || isStale
        if wasEnabled, !lock.isLocked { return "did not lock" }
        if !wasEnabled, lock.isLocked != wasLocked { return "locked though it is off" }
      case .screenUnlocked:
        lock.heard(.screenUnlocked)
        pauses.remove("screenLocked")
      case .awake:
        lock.heard(.awake)
        pauses.remove("goingToSleep")
      case .hold where hold == nil:
        hold = lock.holdGrace()
        if hold != nil { heldAt = world.hands.boot }
        if (hold != nil) != (isAway == false && !wasLocked) { return "hold" }
      case .hold: break
      case .holdEnd:
        // The period begins now, though not where the minute has passed: no sequence here is that long.
        if hold != nil, isAway == true { leftAt = max(leftAt, world.hands.boot) }
        hold = nil
        heldAt = nil
      case .outsideShow: world.file.change("hideContent", to: "false")
      case .outsideHide: world.file.change("hideContent", to: "true")
      }
      if wasLocked, !lock.isLocked, !isOpened { return "opened by \(event)" }
      if lock.isLocked, isOpened { return "opened and yet locked" }
      if lock.isCovered != (isAway == true && !lock.isLocked && world.preferences[.hideContent]) { return "cover" }
      let begin = max(leftAt, heldAt.map { $0 + 60_000 } ?? leftAt)
      let deadline = isAway == true && lock.isEnabled && !lock.isLocked ? begin + 1000 : nil
      if lock.deadline != deadline { return "deadline" }
      if lock.isPaused != !pauses.isEmpty { return "pause" }
      if lock.wantsPrompt, lock.isPaused { return "prompt though paused" }
      if lock.wantsPrompt, !lock.isLocked || isAway != false { return "prompt" }
    }
    return nil
  }
}
