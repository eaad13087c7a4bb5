/// The fingerprint reader on a screen that asks who is there, beside a password that may be typed at any time.
///
/// Main thread.
///
/// One conversation at a time. It begins anew by itself: at once after a finger that was not recognised or a wait that
/// PAM gave up, later and later where the reader cannot be had. What it cannot do is never a refusal.
@MainActor
public final class FingerprintController {
  /// What is going on.
  public enum Phase: Hashable, Sendable {
    /// Nothing to say: nobody asks, there is no reader, or it is not known yet.
    case silent
    /// The reader waits for a finger; PAM's own words, which name the finger.
    case ready(String)
    /// The scan was no good; PAM's own words.
    case again(String)
    /// A finger does not do now.
    case passwordDue(PasswordDue)
    /// The reader cannot be had.
    case unavailable(Obstacle)
  }

  /// Why the reader cannot be had, as far as fprintd can tell.
  public enum Obstacle: Hashable, Sendable {
    case noneEnrolled
    /// Another program holds it.
    case inUse
    /// It was there before.
    case unplugged
    /// The PAM service is missing.
    case notSetUp
    /// For another cause, or fprintd does not answer.
    case other
  }

  /// What is going on.
  public private(set) var phase = Phase.silent
  /// Whether the last finger was not recognised; it stays until the next scan, or the next prompt.
  public private(set) var isRefused = false
  /// Tells that one of these has changed.
  public let changed = Listeners<Void>()
  /// Tells that no conversation is on its way to the reader any more.
  public let cleared = Listeners<Void>()
  /// Called before each conversation begins.
  public var onBegin: (@MainActor () -> Void)?
  /// Called when a finger was recognised.
  public var onVerified: (@MainActor () -> Void)?

  /// How long a conversation may take to its first word, in milliseconds: by then PAM has claimed the reader, or fprintd
  /// hangs.
  public nonisolated static let longestStart: Int64 = 3_000
  /// A conversation that held the reader for so long has had its chance: what ended it is no fault of the reader.
  public nonisolated static let fairTime: Int64 = 9_000

  private let client: FingerprintClient?
  private let record: UnlockRecord
  private let clock: Clock
  private let schedule: @MainActor (_ afterMs: Int64, @escaping @MainActor () -> Void) -> AnyObject
  private var isWanted = false
  /// A reader has been seen since the app was started on this screen.
  private var hasReader = false
  private var failures = 0
  /// How often news of fprintd has led to a try, without one that reached the reader.
  private var wakes = 0
  /// One conversation has ended without a failure, and the next begins in a moment.
  private var isBetween = false
  /// The reader was asked for on behalf of the password that is about to ask.
  private var hasHeld = false
  private var lastBegan: Int64?
  private var conversation: FingerConversation?
  private var timer: AnyObject?
  private var look: AnyObject?
  private var watching: AnyObject?

  /// Takes the client, or none where fingers are not asked for at all; see `VerifyController` for `schedule`.
  public init(
    client: FingerprintClient?, record: UnlockRecord, clock: Clock,
    schedule: @escaping @MainActor (_ afterMs: Int64, @escaping @MainActor () -> Void) -> AnyObject
  ) {
    self.client = client
    self.record = record
    self.clock = clock
    self.schedule = schedule
  }

  isolated deinit { conversation?.cancel() }

  /// Asks for fingers from now on.
  public func begin() {
    guard let client, !isWanted else { return }
    isWanted = true
    failures = 0
    wakes = 0
    watching = client.watch { [weak self] in self?.serviceChanged(hasCome: $0) }
    start()
  }

  /// Asks no more, and lets go of the reader at once.
  public func end() {
    guard isWanted else { return }
    isWanted = false
    watching = nil
    rest()
    isRefused = false
    show(.silent)
    cleared.notify(())
  }

  /// Begins anew: a conversation that began before now is worth nothing any more.
  public func restart() {
    // One that only holds the reader opens nothing anyway, and the password leans on it.
    guard isWanted, conversation?.holdsOnly != true else { return }
    rest()
    // A key that is held down locks many times a second.
    if let lastBegan, clock.boot() - lastBegan < FingerprintController.pause(after: 1) {
      isBetween = true
      timer = schedule(FingerprintController.pause(after: 1)) { [weak self] in self?.start() }
    } else {
      start()
    }
    cleared.notify(())
  }

  /// While the user is away no password conversation begins either: what is in its stack may take the reader that was
  /// let go of.
  public var isResting = false {
    didSet { if !isResting { cleared.notify(()) } }
  }

  /// Whether a password conversation may begin; where not, `cleared` tells when.
  ///
  /// A system's own password stack may hold pam_fprintd, which waits for a finger unless somebody holds the reader.
  /// So ours holds it first, where need be for no other purpose.
  public func clearTheWay() -> Bool {
    guard let client else { return true }
    guard !isResting else { return false }
    guard isWanted else { return true }
    if conversation == nil, record.passwordDue != nil {
      // Once for each try of the password, also where the reader cannot be had.
      guard !hasHeld else { return true }
      hasHeld = true
      converse(client, holdsOnly: true)
    } else if conversation == nil, isBetween {
      start()
    }
    return conversation?.isOnItsWay != true
  }

  /// The password's prompt is there: whoever only held the reader lets go.
  public func passwordAsks() {
    hasHeld = false
    guard conversation?.holdsOnly == true else { return }
    conversation?.cancel()
    conversation = nil
    timer = nil
  }

  private func rest() {
    isBetween = false
    hasHeld = false
    conversation?.cancel()
    conversation = nil
    timer = nil
    look = nil
  }

  private func start() {
    isBetween = false
    timer = nil
    look = nil
    guard isWanted, conversation == nil, let client else { return }
    if let due = record.passwordDue { return demandPassword(due) }
    converse(client, holdsOnly: false)
  }

  private func converse(_ client: FingerprintClient, holdsOnly: Bool) {
    if !holdsOnly {
      lastBegan = clock.boot()
      onBegin?()
    }
    let conversation = FingerConversation(holdsOnly: holdsOnly, began: clock.boot()) { [weak self] in
      self?.take($0, of: $1)
    }
    self.conversation = conversation
    timer = schedule(FingerprintController.longestStart) { [weak self, weak conversation] in
      guard let self, let conversation, conversation.isOnItsWay else { return }
      conversation.cancel()
      self.take(.finished(.failure(.noAnswer)), of: conversation)
    }
    conversation.begin(client)
  }

  private func take(_ event: PamEvent, of conversation: FingerConversation) {
    guard conversation === self.conversation else { return }
    switch event {
    case .info(let text):
      timer = nil
      hasReader = true
      wakes = 0
      // The first of a try says what to do. What follows it without an error between is that PAM gives up, and nothing
      // for the user: the next conversation begins in that moment.
      guard !conversation.holdsOnly, !conversation.isWaiting else { break }
      conversation.isWaiting = true
      // What PAM said of the finger that it did not know stays in view until the next one.
      if case .again = phase, isRefused { break }
      show(.ready(text))
    case .error(let text):
      hasReader = true
      isRefused = false
      conversation.isWaiting = false
      if !conversation.holdsOnly { show(.again(text)) }
    case .prompt:
      // The helper lets no question through: this is none of ours. Nobody is there to answer it.
      conversation.cancel()
      return take(.finished(.failure(.helperFailed)), of: conversation)
    case .delay:
      return
    case .finished(let result):
      self.conversation = nil
      timer = nil
      finished(result, of: conversation)
    }
    cleared.notify(())
  }

  private func finished(_ result: Result<VerifiedBy, VerifyFault>, of conversation: FingerConversation) {
    guard !conversation.holdsOnly else { return }
    switch result {
    case .success:
      // Asked again, since the password may have come due meanwhile.
      if let due = record.passwordDue { return demandPassword(due) }
      record.fingerVerified()
      onVerified?()
    case .failure(.wrong), .failure(.tooManyTries):
      failures = 0
      record.fingerRefused()
      isRefused = true
      startSoon(conversation.delay)
      changed.notify(())
    case .failure where clock.boot() - conversation.began >= FingerprintController.fairTime && conversation.hasSpoken:
      failures = 0
      isRefused = false
      startSoon(0)
    case .failure:
      failures += 1
      look = client?.look { [weak self] in self?.looked($0) }
    }
  }

  private func startSoon(_ milliseconds: Int64) {
    isBetween = milliseconds == 0
    // From the next turn on: never from within the event of the conversation that ends.
    timer = schedule(milliseconds) { [weak self] in self?.start() }
  }

  private func looked(_ state: ReaderState) {
    look = nil
    guard isWanted, conversation == nil else { return }
    switch state {
    case .ready, .inUse, .noneEnrolled, .denied, .notSetUp: hasReader = true
    case .noService, .noReader, .noAnswer: break
    }
    // Right after one of ours the reader may not be free yet, or the cause has gone by now: once more, in silence.
    if failures > 1 || !FingerprintController.mayBeBrief(state) {
      show(FingerprintController.phase(for: state, hasReader: hasReader))
    }
    // Where there has never been a reader nobody is kept busy: fprintd's coming, or the next prompt, tells of one.
    guard hasReader || state == .noAnswer else { return }
    timer = schedule(FingerprintController.pause(after: failures, state)) { [weak self] in self?.start() }
  }

  /// fprintd or a reader has come or gone: what was waited for may be there now.
  private func serviceChanged(hasCome: Bool) {
    // What our own look or helper has started is no news, and where there was no reader, fprintd's end brings none.
    guard isWanted, conversation == nil, look == nil, record.passwordDue == nil, hasCome || hasReader else { return }
    wakes += 1
    timer = schedule(FingerprintController.pause(after: wakes)) { [weak self] in self?.start() }
  }

  private func demandPassword(_ due: PasswordDue) {
    isRefused = false
    guard phase != .passwordDue(due) else { return }
    guard !hasReader else { return show(.passwordDue(due)) }
    // No word of a reader where there is none.
    look = client?.look { [weak self] state in
      guard let self, self.isWanted else { return }
      self.look = nil
      switch state {
      // Held, as far as is known, by ours that holds it for the password.
      case .ready, .inUse: self.show(.passwordDue(due))
      case .noService, .noAnswer, .noReader, .noneEnrolled, .denied, .notSetUp: break
      }
    }
  }

  private func show(_ phase: Phase) {
    guard phase != self.phase else { return }
    self.phase = phase
    changed.notify(())
  }
}
