@testable import GateCore

/// A fingerprint reader, its service and a password beside it, all spoken by the test.
@MainActor
final class FingerRig {
  let hands = HandClock()
  let timer: HandTimer
  let record: UnlockRecord
  private(set) var helpers: [FakeHelper] = []
  private(set) var passwords: [FakeHelper] = []
  private(set) var verified: [UnlockController.Method] = []
  private(set) var begun = 0
  /// What fprintd answers when it is looked at.
  var state = ReaderState.noReader
  private(set) var looks = 0
  private var controller: UnlockController?
  private let watchers = Listeners<Bool>()

  init(_ memory: UnlockMemory? = nil, hasReader: Bool = true) {
    timer = HandTimer(hands)
    let memory = memory ?? UnlockMemory(passwordAt: hands.wall)
    record = UnlockRecord(
      client: UnlockMemoryClient(load: { memory }, save: { _ in }),
      preferences: AppPreferences(client: MemoryFile().client, bus: AppErrorBus()), clock: hands.clock)
    let fingerprint = FingerprintClient(
      begin: { [unowned self] onEvent in
        let helper = FakeHelper(onEvent)
        helpers.append(helper)
        return helper
      },
      look: { [unowned self] done in
        looks += 1
        return timer.schedule(0) { [unowned self] in done(state) }
      },
      watch: { [unowned self] body in watchers.listen(body) })
    let password = PasswordClient { [unowned self] onEvent in
      let helper = FakeHelper(onEvent)
      passwords.append(helper)
      return helper
    }
    let controller = UnlockController(
      password: password, fingerprint: hasReader ? fingerprint : nil, record: record, clock: hands.clock,
      schedule: timer.schedule)
    controller.onVerified = { [unowned self] in verified.append($0) }
    controller.finger.onBegin = { [unowned self] in begun += 1 }
    self.controller = controller
  }

  var unlocking: UnlockController {
    guard let controller else { fatalError("the controller was dropped") }
    return controller
  }
  var finger: FingerprintController { unlocking.finger }
  var phase: FingerprintController.Phase { finger.phase }
  var helper: FakeHelper {
    guard let helper = helpers.last else { fatalError("no helper was started") }
    return helper
  }

  func drop() { controller = nil }

  /// Lets looks and restarts that wait for no more than the next turn happen.
  func turn() { timer.advance(0) }

  /// PAM has claimed the reader.
  func claim(_ words: String = "Touch it") { helper.say(.info(words)) }

  /// PAM refuses a finger, and the next conversation has begun.
  func refuse() {
    helper.say(.error("No match"))
    helper.fail(.tooManyTries)
    turn()
  }

  /// PAM gives up at once.
  func fail(_ state: ReaderState) {
    self.state = state
    helper.fail(.unavailable)
    turn()
  }

  func serviceChanges(hasCome: Bool = true) { watchers.notify(hasCome) }
  var isWatched: Bool { watchers.count > 0 }
}
