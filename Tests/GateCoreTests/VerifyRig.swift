@testable import GateCore

/// A PAM helper whose lines are spoken by the test.
@MainActor
final class FakeHelper: PamConversation {
  let say: @MainActor (PamEvent) -> Void
  private(set) var answers: [[UInt8]] = []
  private(set) var isCancelled = false

  init(_ say: @escaping @MainActor (PamEvent) -> Void) { self.say = say }

  func answer(_ bytes: UnsafeRawBufferPointer) { answers.append(Array(bytes)) }
  func cancel() { isCancelled = true }

  func ask(_ prompt: String = "Password: ", hidden: Bool = true) { say(.prompt(text: prompt, hidden: hidden)) }
  func succeed(hiddenAnswered: Bool = true) {
    say(.finished(.success(VerifiedBy(hiddenAnswered: hiddenAnswered))))
  }
  func fail(_ fault: VerifyFault, delay: Int64? = nil) {
    if let delay { say(.delay(milliseconds: delay)) }
    say(.finished(.failure(fault)))
  }
}

/// The controller with its world around it.
@MainActor
final class VerifyRig {
  let hands = HandClock()
  let timer: HandTimer
  private(set) var helpers: [FakeHelper] = []
  private(set) var controller: VerifyController?
  private(set) var verified: [VerifiedBy] = []
  /// What a helper says before `begin` has returned.
  var says: [PamEvent] = []

  lazy var client = PasswordClient { [unowned self] onEvent in
    let helper = FakeHelper(onEvent)
    helpers.append(helper)
    for event in says { onEvent(event) }
    return helper
  }

  init() {
    timer = HandTimer(hands)
    controller = makeController()
  }

  func makeController() -> VerifyController {
    let controller = VerifyController(client: client, clock: hands.clock, schedule: timer.schedule)
    controller.onVerified = { [unowned self] in verified.append($0) }
    return controller
  }

  var verify: VerifyController {
    guard let controller else { fatalError("the controller was dropped") }
    return controller
  }
  var helper: FakeHelper {
    guard let helper = helpers.last else { fatalError("no helper was started") }
    return helper
  }
  var phase: VerifyController.Phase { verify.phase }

  func drop() { controller = nil }

  func answer(_ bytes: [UInt8] = Array("secret".utf8)) { bytes.withUnsafeBytes { verify.answer($0) } }

  /// Brings it to a phase by the shortest way.
  func bring(to phase: String) {
    if phase == "idle" { return }
    verify.begin()
    if phase == "starting" { return }
    helper.ask()
    if phase == "asking" { return }
    answer()
    if phase == "checking" { return }
    helper.fail(.wrong, delay: 2000)
  }
}
