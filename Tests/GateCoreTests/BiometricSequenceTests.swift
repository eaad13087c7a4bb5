import Testing

@testable import GateCore

/// The app lock in every state, with every event.
@MainActor
struct BiometricSequenceTests {
  enum Event: CaseIterable {
    case come, leave, soon, afterGrace, timer, lock, cancelled, requested, attempt, unlockFresh, unlockOld, turnOn
    case turnOff, outsideOn, outsideOff, outsideShow, outsideHide
  }

  /// All sequences of three events from each beginning, and long ones at random: what must hold always is asked
  /// after each event.
  @Test(arguments: [nil, "true", "false"] as [String?], ["true", "false"])
  func everySequence(_ enabled: String?, _ hides: String) {
    var sequences: [[Event]] = [[]]
    for _ in 0..<3 { sequences = sequences.flatMap { head in Event.allCases.map { head + [$0] } } }
    var numbers = SeededNumbers(state: 7)
    for _ in 0..<100 {
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
    for event in events {
      let wasLocked = lock.isLocked
      let wasEnabled = lock.isEnabled
      var isOpened = false
      switch event {
      case .come:
        let isOverdue = isAway == true && wasEnabled && !wasLocked && world.hands.boot >= leftAt + 1000
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
      case .requested: lock.promptRequested()
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
      case .outsideShow: world.file.change("hideContent", to: "false")
      case .outsideHide: world.file.change("hideContent", to: "true")
      }
      if wasLocked, !lock.isLocked, !isOpened { return "opened by \(event)" }
      if lock.isLocked, isOpened { return "opened and yet locked" }
      if lock.isCovered != (isAway == true && !lock.isLocked && world.preferences[.hideContent]) { return "cover" }
      let deadline = isAway == true && lock.isEnabled && !lock.isLocked ? leftAt + 1000 : nil
      if lock.deadline != deadline { return "deadline" }
      if lock.wantsPrompt, !lock.isLocked || isAway != false { return "prompt" }
    }
    return nil
  }
}
