/// When the next password may be tried, whichever screen asks for it: it outlives Cancel, and the screen.
///
/// Main thread.
@MainActor
public final class VerifyTurn {
  /// A try whose verdict never came, because the app was ended, costs so many milliseconds: about what PAM asks for.
  public nonisolated static let assumedDelay: Int64 = 3_000

  /// No conversation begins before this time of the boot clock, in milliseconds.
  public internal(set) var notBefore: Int64 {
    didSet { record?.notBefore = notBefore }
  }
  /// Tells that a verdict which was awaited after a Cancel is there.
  private(set) lazy var freed = Listeners<Void>()
  /// A try that was cancelled after its answer: its verdict, and the delay that follows, are awaited.
  private(set) var awaited: VerifyExchange?

  private let record: UnlockRecord?

  /// Begins where the record says that the last run ended; without a record, freely.
  public init(_ record: UnlockRecord? = nil) {
    self.record = record
    notBefore = record?.notBefore ?? 0
  }

  /// An answer goes to PAM: whoever ends the app before the verdict is no better off for it.
  func answered(at time: Int64) { record?.notBefore = max(notBefore, time + VerifyTurn.assumedDelay) }

  /// There is a verdict, and what was assumed is forgotten.
  func judged() { record?.notBefore = notBefore }

  func await(_ exchange: VerifyExchange) {
    // Two at once can only be where two screens ask at once; the older one's delay is then set by itself as well.
    awaited = exchange
  }

  func settled(_ exchange: VerifyExchange) {
    guard awaited === exchange else { return }
    awaited = nil
    freed.notify(())
  }
}

/// One conversation: it hands its events to the screen while that wants them, and sees the delay through by itself.
@MainActor
final class VerifyExchange {
  weak var controller: VerifyController?
  private let turn: VerifyTurn
  private let clock: Clock
  private var conversation: (any PamConversation)?
  private var isFinished = false
  private var delay: Int64 = 0
  /// Whether one of our own answers went to a hidden prompt, whatever the helper says of it.
  private(set) var hasAnsweredHidden = false
  private(set) var hasAnswered = false

  init(_ controller: VerifyController, turn: VerifyTurn, clock: Clock) {
    self.controller = controller
    self.turn = turn
    self.clock = clock
  }

  func begin(_ client: PasswordClient) {
    let conversation = client.begin { self.take($0) }
    // It may have finished, or have been cancelled, before the client has returned.
    if isFinished { conversation.cancel() } else { self.conversation = conversation }
  }

  func answer(_ bytes: UnsafeRawBufferPointer, hidden: Bool) {
    hasAnswered = true
    if hidden { hasAnsweredHidden = true }
    turn.answered(at: clock.boot())
    conversation?.answer(bytes)
  }

  func cancel() {
    guard !isFinished else { return }
    isFinished = true
    controller = nil
    let conversation = conversation
    self.conversation = nil
    conversation?.cancel()
    turn.settled(self)
  }

  /// The screen has gone; the verdict on the answer given is awaited all the same, so that Cancel spares no delay.
  func letGo() {
    controller = nil
    turn.await(self)
  }

  private func take(_ event: PamEvent) {
    guard !isFinished else { return }
    switch event {
    case .delay(let milliseconds):
      delay = max(delay, milliseconds)
    case .finished(let result):
      isFinished = true
      conversation = nil
      if case .failure = result {
        let (until, overflow) = clock.boot().addingReportingOverflow(delay)
        turn.notBefore = max(turn.notBefore, overflow ? .max : until)
      }
      turn.judged()
      controller?.finished(result, of: self)
      turn.settled(self)
    case .prompt where controller == nil:
      // Nobody is there to answer a second prompt, and no verdict comes without.
      cancel()
    case .prompt, .info, .error:
      controller?.take(event, of: self)
    }
  }
}
