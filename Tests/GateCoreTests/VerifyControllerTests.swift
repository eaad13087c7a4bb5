import Testing

@testable import GateCore

@MainActor
struct VerifyControllerTests {
  @Test func aRightPassword() {
    let rig = VerifyRig()
    let heard = Heard(rig.verify.changed)
    rig.verify.begin()
    #expect(rig.phase == .starting)
    rig.helper.ask("Password: ")
    #expect(rig.phase == .asking(prompt: "Password: ", hidden: true))
    rig.answer()
    #expect(rig.phase == .checking)
    #expect(rig.helper.answers == [Array("secret".utf8)])
    rig.helper.say(.delay(milliseconds: 2000))
    rig.helper.succeed()
    #expect(rig.phase == .idle)
    #expect(rig.verified == [VerifiedBy(hiddenAnswered: true)])
    #expect(heard.count == 4)
    // The delay is for those who fail.
    #expect(rig.client.turn.notBefore == 0)
  }

  @Test func aWrongPasswordWaitsAndBeginsAnewByItself() {
    let rig = VerifyRig()
    rig.bring(to: "checking")
    rig.helper.fail(.wrong, delay: 2000)
    #expect(rig.phase == .waiting(until: rig.hands.boot + 2000))
    #expect(rig.verify.fault == .wrong)
    rig.timer.advance(1999)
    #expect(rig.helpers.count == 1)
    rig.timer.advance(1)
    #expect(rig.helpers.count == 2)
    #expect(rig.phase == .starting)
    rig.helper.ask()
    #expect(rig.verify.fault == .wrong)
    rig.answer()
    #expect(rig.verify.fault == nil)
    rig.helper.succeed()
    #expect(rig.verified.count == 1)
  }

  @Test func withoutADelayItBeginsAnewAtTheNextTurn() {
    let rig = VerifyRig()
    rig.bring(to: "checking")
    rig.helper.fail(.wrong)
    #expect(rig.helpers.count == 1)
    #expect(rig.phase == .waiting(until: rig.hands.boot))
    rig.timer.advance(0)
    #expect(rig.helpers.count == 2)
  }

  @Test func theLongestDelayCountsAndANegativeOneNothing() {
    let rig = VerifyRig()
    rig.bring(to: "checking")
    for delay: Int64 in [500, 3000, -10, .min] { rig.helper.say(.delay(milliseconds: delay)) }
    rig.helper.fail(.wrong)
    #expect(rig.phase == .waiting(until: rig.hands.boot + 3000))
  }

  @Test func theDelayOutlivesCancelAndTheScreen() {
    let rig = VerifyRig()
    rig.bring(to: "waiting")
    rig.verify.cancel()
    #expect(rig.phase == .idle)
    #expect(rig.verify.fault == nil)
    rig.timer.advance(500)
    #expect(rig.helpers.count == 1)
    rig.verify.begin()
    #expect(rig.phase == .waiting(until: rig.hands.boot + 1500))
    // Another screen has to wait as well.
    let other = rig.makeController()
    other.begin()
    #expect(other.phase == .waiting(until: rig.hands.boot + 1500))
    rig.timer.advance(1500)
    #expect(rig.helpers.count == 3)
  }

  @Test func cancellingAfterTheAnswerSparesNoDelay() {
    let rig = VerifyRig()
    rig.bring(to: "checking")
    rig.verify.cancel()
    #expect(rig.phase == .idle)
    #expect(!rig.helper.isCancelled)
    rig.verify.begin()
    #expect(rig.phase == .starting)
    #expect(rig.helpers.count == 1)
    rig.helper.fail(.wrong, delay: 2000)
    #expect(rig.phase == .waiting(until: rig.hands.boot + 2000))
    rig.timer.advance(2000)
    #expect(rig.helpers.count == 2)
    #expect(rig.phase == .starting)
  }

  @Test func aSuccessThatComesAfterCancelOpensNothing() {
    let rig = VerifyRig()
    rig.bring(to: "checking")
    rig.verify.cancel()
    rig.verify.begin()
    rig.helper.succeed()
    #expect(rig.verified.isEmpty)
    #expect(rig.helpers.count == 2)
    rig.helpers[0].succeed()
    #expect(rig.verified.isEmpty)
  }

  @Test func aVerdictThatNeverComesIsNotAwaitedForEver() {
    let rig = VerifyRig()
    rig.bring(to: "checking")
    rig.verify.cancel()
    rig.verify.begin()
    rig.timer.advance(VerifyController.longestWait)
    #expect(rig.helpers[0].isCancelled)
    #expect(rig.helpers.count == 2)
  }

  @Test func aSecondPromptAfterCancelEndsTheHelper() {
    let rig = VerifyRig()
    rig.bring(to: "checking")
    rig.verify.cancel()
    rig.helper.ask("Code: ")
    #expect(rig.helper.isCancelled)
    rig.verify.begin()
    #expect(rig.helpers.count == 2)
  }

  @Test func theScreenThatGoesLeavesNoHelperAndNoWayRoundTheDelay() {
    for phase in ["starting", "asking"] {
      let rig = VerifyRig()
      rig.bring(to: phase)
      rig.drop()
      #expect(rig.helper.isCancelled, "\(phase)")
    }
    let rig = VerifyRig()
    rig.bring(to: "checking")
    rig.drop()
    let other = rig.makeController()
    other.begin()
    #expect(rig.helpers.count == 1)
    rig.helper.fail(.wrong, delay: 2000)
    #expect(other.phase == .waiting(until: rig.hands.boot + 2000))
  }

  @Test(arguments: [
    ([], BadInput.empty), ([UInt8](repeating: 97, count: 512), .tooLong), ([97, 0, 98], .containsNUL),
    ([0], .containsNUL),
  ])
  func whatPamMustNotSeeIsRefused(_ bytes: [UInt8], _ fault: BadInput) {
    let rig = VerifyRig()
    rig.bring(to: "asking")
    rig.answer(bytes)
    #expect(rig.verify.fault == .badInput(fault))
    #expect(rig.phase == .asking(prompt: "Password: ", hidden: true))
    #expect(rig.helper.answers.isEmpty)
  }

  @Test func theLongestInputAndBytesOfAnyKindPass() {
    let rig = VerifyRig()
    rig.bring(to: "asking")
    let bytes = [UInt8](repeating: 0xFF, count: 511)
    rig.answer(bytes)
    #expect(rig.helper.answers == [bytes])
  }

  @Test func successWithoutAPasswordIsNone() {
    // Nothing asked; only a visible answer; a helper that claims what did not happen.
    for (asks, hidden, claims) in [
      (false, false, false), (true, false, false), (true, false, true), (false, true, true),
    ] {
      let rig = VerifyRig()
      rig.verify.begin()
      if asks {
        rig.helper.ask("Name: ", hidden: hidden)
        rig.answer()
      }
      rig.helper.succeed(hiddenAnswered: claims)
      #expect(rig.verified.isEmpty)
      #expect(rig.verify.fault == .unavailable)
      #expect(rig.phase == .idle)
    }
    let rig = VerifyRig()
    rig.bring(to: "checking")
    rig.helper.succeed(hiddenAnswered: false)
    #expect(rig.verified.isEmpty)
  }

  @Test func severalPromptsEachTakeAFreshAnswer() {
    let rig = VerifyRig()
    rig.bring(to: "checking")
    rig.helper.ask("Code: ", hidden: false)
    #expect(rig.phase == .asking(prompt: "Code: ", hidden: false))
    rig.answer(Array("123".utf8))
    rig.helper.succeed()
    #expect(rig.helper.answers.count == 2)
    #expect(rig.verified.count == 1)
  }

  @Test func messagesShowUntilTheNextAnswer() {
    let rig = VerifyRig()
    rig.verify.begin()
    rig.helper.say(.info("Hello"))
    rig.helper.say(.info("Hello"))
    rig.helper.say(.error("2 tries left"))
    rig.helper.ask()
    #expect(rig.verify.messages == [PamMessage("Hello", isError: false), PamMessage("2 tries left", isError: true)])
    rig.answer()
    #expect(rig.verify.messages.isEmpty)
    rig.helper.say(.error("Locked for 5 minutes"))
    rig.helper.say(.info("Bye"))
    rig.helper.fail(.wrong)
    rig.timer.advance(0)
    #expect(rig.verify.messages == [PamMessage("Locked for 5 minutes", isError: true)])
    for number in 0..<1000 { rig.helper.say(.info("\(number)")) }
    #expect(rig.verify.messages.count == VerifyController.messagesKept)
    #expect(rig.verify.messages.last == PamMessage("999", isError: false))
  }

  @Test func refusedBeforeItAskedDoesNotSpin() {
    let rig = VerifyRig()
    rig.verify.begin()
    rig.helper.fail(.wrong)
    rig.timer.advance(1_000_000)
    #expect(rig.helpers.count == 1)
    #expect(rig.phase == .idle)
    #expect(rig.verify.fault == .unavailable)
  }

  @Test(arguments: [
    VerifyFault.accountExpired, .accountRefused, .serviceMissing, .noNewPrivileges, .runsAsRoot, .notSelf,
    .helperMissing, .helperFailed, .versionMismatch, .noAnswer, .tooManyTries, .unavailable, .badInput(.tooLong),
  ])
  func whatKeepsItFromBeingCheckedEndsIt(_ fault: VerifyFault) {
    for answers in [true, false] {
      let rig = VerifyRig()
      rig.bring(to: answers ? "checking" : "starting")
      rig.helper.fail(fault, delay: 100)
      rig.timer.advance(1_000_000)
      #expect(rig.phase == .idle)
      #expect(rig.verify.fault == fault)
      #expect(rig.helpers.count == 1)
      rig.verify.begin()
      #expect(rig.verify.fault == nil)
      #expect(rig.helpers.count == 2)
    }
  }

  @Test func aHelperThatFinishesBeforeItHasBegun() {
    let rig = VerifyRig()
    rig.says = [.finished(.failure(.helperMissing)), .prompt(text: "late", hidden: true)]
    rig.verify.begin()
    #expect(rig.phase == .idle)
    #expect(rig.verify.fault == .helperMissing)
    #expect(rig.helper.isCancelled)
  }

  @Test func cancelFromWithinAnEventEndsTheHelper() {
    let rig = VerifyRig()
    let token = rig.verify.changed.listen { if case .asking = rig.phase { rig.verify.cancel() } }
    rig.says = [.prompt(text: "Password: ", hidden: true)]
    rig.verify.begin()
    #expect(rig.phase == .idle)
    #expect(rig.helper.isCancelled)
    withExtendedLifetime(token) {}
  }

  /// Every phase with every event; nothing but a hidden answer and a success after it verifies.
  @Test(arguments: ["idle", "starting", "asking", "checking", "waiting"])
  func everyPhaseWithEveryEvent(_ start: String) {
    let expected: [String: [String: String]] = [
      "begin": ["idle": "starting"],
      "answer": ["asking": "checking"],
      "cancel": ["starting": "idle", "asking": "idle", "checking": "idle", "waiting": "idle"],
      "prompt": ["starting": "asking", "checking": "asking"],
      "message": [:],
      "delay": [:],
      "success": ["starting": "idle", "asking": "idle", "checking": "idle"],
      "wrong": ["starting": "idle", "asking": "idle", "checking": "waiting"],
      "fault": ["starting": "idle", "asking": "idle", "checking": "idle"],
      "time": ["waiting": "starting"],
    ]
    for (event, outcomes) in expected {
      let rig = VerifyRig()
      rig.bring(to: start)
      switch event {
      case "begin": rig.verify.begin()
      case "answer": rig.answer()
      case "cancel": rig.verify.cancel()
      case "time": rig.timer.advance(2000)
      default:
        // From the helper of the present or, where there is none, of the last conversation.
        guard let helper = rig.helpers.last else { continue }
        switch event {
        case "prompt": helper.ask()
        case "message": helper.say(.info("x"))
        case "delay": helper.say(.delay(milliseconds: 5))
        case "success": helper.succeed()
        case "wrong": helper.fail(.wrong)
        default: helper.fail(.unavailable)
        }
      }
      let name = String("\(rig.phase)".prefix { $0 != "(" })
      #expect(name == outcomes[start] ?? start, "\(start) \(event)")
      #expect(rig.verified.count == (event == "success" && start == "checking" ? 1 : 0), "\(start) \(event)")
    }
  }
}
