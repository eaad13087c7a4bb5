/// One password check on a screen: the locked page and questions alike.
///
/// Main thread.
///
/// A wrong password leads to a new conversation by itself once PAM's delay has passed; whatever keeps the password
/// from being checked ends it, until `begin` is called again.
@MainActor
public final class VerifyController {
  /// What is going on.
  public enum Phase: Hashable, Sendable {
    /// Nothing.
    case idle
    /// The helper starts, or an earlier verdict is awaited.
    case starting
    /// PAM asks, and what is typed is `hidden` or shown.
    case asking(prompt: String, hidden: Bool)
    /// PAM has an answer and thinks.
    case checking
    /// PAM's delay after a wrong password: until this time of the boot clock, in milliseconds.
    case waiting(until: Int64)
  }

  /// What is going on.
  public private(set) var phase = Phase.idle
  /// What PAM has said since the last answer, the oldest first.
  public private(set) var messages: [PamMessage] = []
  /// What was wrong with the last try.
  public private(set) var fault: VerifyFault?
  /// Tells that one of these has changed.
  public let changed = Listeners<Void>()
  /// Called once for each password that was verified.
  public var onVerified: (@MainActor (VerifiedBy) -> Void)?

  /// So many messages are kept, the newest.
  public nonisolated static let messagesKept = 32
  /// How long a verdict is awaited for whose answer was cancelled, before a new conversation begins without it.
  public nonisolated static let longestWait: Int64 = 10_000

  private let client: PasswordClient
  private let reader: FingerprintController?
  private let clock: Clock
  private let schedule: @MainActor (_ afterMs: Int64, @escaping @MainActor () -> Void) -> AnyObject
  private var exchange: VerifyExchange?
  private var timer: AnyObject?
  private var freed: Listening?

  /// Takes the client, the clock, and a way to be called later; dropping what `schedule` returns cancels the call.
  ///
  /// A `reader` that is asked for a finger at the same time goes first at each try: see its `clearTheWay`.
  public init(
    client: PasswordClient, after reader: FingerprintController? = nil, clock: Clock,
    schedule: @escaping @MainActor (_ afterMs: Int64, @escaping @MainActor () -> Void) -> AnyObject
  ) {
    self.client = client
    self.reader = reader
    self.clock = clock
    self.schedule = schedule
  }

  isolated deinit {
    // A screen that goes without a word must not leave a helper behind that waits for an answer.
    if phase == .checking { exchange?.letGo() } else { exchange?.cancel() }
  }

  /// Begins a conversation, as soon as the delay of an earlier one has passed.
  ///
  /// Does nothing while one goes on.
  public func begin() {
    guard phase == .idle else { return }
    fault = nil
    messages = []
    proceed()
  }

  /// Gives an answer to the prompt.
  ///
  /// What PAM must not see is refused, and the prompt stays.
  public func answer(_ bytes: UnsafeRawBufferPointer) {
    guard case .asking(_, let hidden) = phase, let exchange else { return }
    if let badInput = BadInput(bytes) {
      fault = .badInput(badInput)
    } else {
      fault = nil
      messages = []
      phase = .checking
      exchange.answer(bytes, hidden: hidden)
    }
    changed.notify(())
  }

  /// Ends the conversation.
  ///
  /// Before an answer this costs no try; after one, its verdict and delay are still awaited.
  public func cancel() {
    guard phase != .idle else { return }
    if phase == .checking { exchange?.letGo() } else { exchange?.cancel() }
    rest()
    fault = nil
    messages = []
    changed.notify(())
  }

  /// Waits for what has to be waited for, then begins.
  private func proceed() {
    rest()
    let left = client.turn.notBefore - clock.boot()
    if client.turn.awaited != nil {
      phase = .starting
      freed = client.turn.freed.listen { [weak self] in self?.proceed() }
      timer = schedule(VerifyController.longestWait) { [weak self] in self?.client.turn.awaited?.cancel() }
    } else if left > 0 {
      phase = .waiting(until: client.turn.notBefore)
      // Asks the clock again when it is called: timers may be early, and sleep may have been long.
      timer = schedule(left) { [weak self] in self?.proceed() }
    } else if let reader, !reader.clearTheWay() {
      phase = .starting
      freed = reader.cleared.listen { [weak self] in self?.proceed() }
    } else {
      let exchange = VerifyExchange(self, turn: client.turn, clock: clock)
      self.exchange = exchange
      phase = .starting
      exchange.begin(client)
    }
    changed.notify(())
  }

  private func rest() {
    exchange = nil
    timer = nil
    freed = nil
    phase = .idle
  }

  func take(_ event: PamEvent, of exchange: VerifyExchange) {
    guard exchange === self.exchange else { return }
    switch event {
    case .prompt(let text, let hidden):
      reader?.passwordAsks()
      phase = .asking(prompt: text, hidden: hidden)
    case .info(let text): say(PamMessage(text, isError: false))
    case .error(let text): say(PamMessage(text, isError: true))
    case .delay, .finished: return
    }
    changed.notify(())
  }

  private func say(_ message: PamMessage) {
    // A stack that greets at each conversation would otherwise fill the screen.
    guard !messages.contains(message) else { return }
    messages.append(message)
    if messages.count > VerifyController.messagesKept { messages.removeFirst() }
  }

  func finished(_ result: Result<VerifiedBy, VerifyFault>, of exchange: VerifyExchange) {
    guard exchange === self.exchange else { return }
    rest()
    reader?.passwordAsks()
    switch result {
    case .success(let by) where by.hiddenAnswered && exchange.hasAnsweredHidden:
      messages = []
      changed.notify(())
      onVerified?(by)
    case .success:
      // Something let us in without a password: that is none.
      fault = .unavailable
      changed.notify(())
    case .failure(.wrong) where exchange.hasAnswered:
      fault = .wrong
      proceedAfterWrong()
    case .failure(.wrong):
      // Refused before it asked: to begin again by itself would only be refused again.
      fault = .unavailable
      changed.notify(())
    case .failure(let fault):
      self.fault = fault
      changed.notify(())
    }
  }

  private func proceedAfterWrong() {
    let until = max(client.turn.notBefore, clock.boot())
    phase = .waiting(until: until)
    // Also without a delay by way of the timer: never from within the event of the conversation that ends.
    timer = schedule(until - clock.boot()) { [weak self] in
      guard let self else { return }
      self.messages.removeAll { !$0.isError }
      self.proceed()
    }
    changed.notify(())
  }
}
