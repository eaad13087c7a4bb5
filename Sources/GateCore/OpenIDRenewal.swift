/// How a session stands towards its provider.
public enum SessionConnection: Hashable, Sendable {
  /// The session is of this computer, and needs no server.
  case none
  /// Nothing has been asked of the provider yet in this run, and nothing is due.
  case unknown
  /// The tokens are good.
  case fresh
  /// The tokens cannot be renewed now, and are tried again by themselves; the session stays.
  case offline(OpenIDFault)
  /// The provider gave nothing to renew the tokens with, and they have expired; the session stays.
  case expired
}

/// What the renewal of a session's tokens asks of the session's secret.
@MainActor
struct RenewalStore {
  /// Reads the secret; never prompts.
  var read: () async -> SecretReading
  /// Puts another in its place; false where that failed.
  var replace: (SessionSecret) async -> Bool
}

/// Renews a session's tokens before they expire, only while the app is unlocked, one request at a time.
///
/// Main thread. A fault of the network or of the server ends nothing: it is tried again, ever more seldom. Only the
/// provider's own word about the refresh token ends the session. A new refresh token is written before anything else is
/// done with it; where it cannot be written, it is kept here and tried again, and no other is asked for.
@MainActor
final class OpenIDRenewal {
  /// The first pause after a try that failed, and the longest, in milliseconds; each is twice the one before.
  nonisolated static let firstPause: Int64 = 30_000
  nonisolated static let longestPause: Int64 = 1_800_000
  /// The loop's timers stand still while the computer sleeps: no wait is longer without a look at the clock.
  private static let longestWait: Int64 = 900_000

  /// How the session stands towards the provider.
  private(set) var connection = SessionConnection.unknown
  /// The tokens, once they are known.
  private(set) var tokens: OpenIDTokens?

  private let account: OpenIDAccount
  private let provider: OpenIDProvider?
  private let client: OpenIDClient
  private let web: WebClient
  private let preferences: AppPreferences
  private let clock: Clock
  private let store: RenewalStore
  private let changed: @MainActor () -> Void
  private let ended: @MainActor (OpenIDFault) -> Void
  private var isUnlocked = false
  private var isBusy = false
  private var isOver = false
  /// Tokens that are newer than what the store has.
  private var isUnsaved = false
  /// On the boot clock, in milliseconds.
  private var due: Int64 = .min
  private var restsUntil: Int64 = .min
  private var failures = 0
  /// Whether it is the store, and not the provider, that the wait is for.
  private var isWaitingForStore = false
  /// Until when the provider wants to be left alone.
  private var busyUntil: Int64 = .min
  private var timer: AnyObject?
  private var cancelWeb: WebCancel?
  /// Called once nothing is under way any more; nothing new is begun while it is there.
  private var finished: (@MainActor () -> Void)?

  /// Takes tokens that are fresh, or reads those of an earlier run when it is unlocked.
  ///
  /// `changed` tells of a new connection, `ended` once that the provider has ended the session.
  init(
    _ account: OpenIDAccount, fresh tokens: OpenIDTokens?, provider: OpenIDProvider?, client: OpenIDClient,
    web: WebClient, preferences: AppPreferences, clock: Clock, store: RenewalStore,
    changed: @escaping @MainActor () -> Void, ended: @escaping @MainActor (OpenIDFault) -> Void
  ) {
    self.account = account
    self.tokens = tokens
    self.provider = provider
    self.client = client
    self.web = web
    self.preferences = preferences
    self.clock = clock
    self.store = store
    self.changed = changed
    self.ended = ended
    if let tokens {
      connection = .fresh
      due = clock.boot() + OpenIDRenewal.rest(of: tokens, now: clock.wall()) * 1000
    }
  }

  isolated deinit { cancelWeb?() }

  /// How long the tokens may be left alone, in seconds; `now` is in seconds since 1970.
  ///
  /// They are renewed a fifth of their lifetime before its end, at most five minutes. A clock that was set back behind
  /// the moment when they were given out tells nothing about them: then it is time.
  nonisolated static func rest(of tokens: OpenIDTokens, now: Int64) -> Int64 {
    let lifetime = tokens.expires - tokens.issued
    let left = tokens.expires - now
    guard now >= tokens.issued - IDToken.leeway, left > 0 else { return 0 }
    return max(0, min(left, lifetime) - min(300, lifetime / 5))
  }

  /// The pause after so many tries in a row that failed, in milliseconds.
  nonisolated static func pause(after failures: Int) -> Int64 {
    min(longestPause, firstPause << Int64(min(max(0, failures - 1), 16)))
  }

  /// Hears whether the app is unlocked; nothing is asked while it is not.
  func setUnlocked(_ isUnlocked: Bool) {
    self.isUnlocked = isUnlocked
    plan()
  }

  /// Hears that the store can be read again: what waited for it goes on, and nothing else.
  func storeIsThere() {
    if isWaitingForStore { hurry() }
  }

  /// Tries at once what is to be tried again later, when the user asks for it; not before the provider wants it.
  func hurry() {
    restsUntil = busyUntil
    if connection == .expired { due = .min }
    plan()
  }

  /// Stops for good: nothing is asked, and nothing is heard of what was.
  func stop() {
    isOver = true
    timer = nil
    cancelWeb?()
    cancelWeb = nil
    isBusy = false
    settle()
  }

  /// Brings what is under way to its end, and begins nothing new; then calls `done`, at once where nothing is.
  ///
  /// A request that the provider has answered, or is about to, may have cost the old refresh token: broken off now, the
  /// session would be over. New tokens that could not be stored are tried once more.
  func finish(_ done: @escaping @MainActor () -> Void) {
    timer = nil
    finished = done
    if isUnsaved, !isBusy, !isOver { renew() }
    settle()
  }

  private func settle() {
    guard !isBusy, let finished else { return }
    self.finished = nil
    isOver = true
    finished()
  }

  private func plan() {
    timer = nil
    if finished != nil { return settle() }
    guard isUnlocked, !isBusy, !isOver else { return }
    // What waits to be written is due by itself.
    let next = isUnsaved ? restsUntil : max(due, restsUntil)
    let wait = next.subtractingReportingOverflow(clock.boot())
    guard !wait.overflow, wait.partialValue > 0 else { return renew() }
    timer = client.schedule(min(wait.partialValue, OpenIDRenewal.longestWait)) { [weak self] in self?.plan() }
  }

  /// Reads what the store has at this moment, and goes on from there: it may be newer than what is in memory, and where
  /// it cannot be read now, new tokens could not be written either.
  private func renew() {
    isBusy = true
    Task { [weak self, store] in
      if let self, isUnsaved { return await self.save() }
      let reading = await store.read()
      self?.take(reading)
    }
  }

  private func take(_ reading: SecretReading) {
    guard !isOver else { return }
    if finished != nil {
      isBusy = false
      return settle()
    }
    // Locked meanwhile: the unlock plans it anew.
    guard isUnlocked else {
      isBusy = false
      return
    }
    switch reading {
    case .present(let secret):
      guard let read = OpenIDTokens(secret), read.account == account else {
        client.log("The session's secret holds no tokens of this session.")
        return failed(.garbage)
      }
      if tokens != read {
        tokens = read
        due = clock.boot() + OpenIDRenewal.rest(of: read, now: clock.wall()) * 1000
      }
      guard due <= clock.boot() else { return succeeded() }
      guard let refresh = read.refresh else { return expire(read) }
      guard let provider, read.isOf(provider) else { return failed(.appRefused) }
      ask(read, refresh, provider, isSecond: false)
    // One that is gone is for `SecretKeeper` to tell, and for the user to decide.
    case .absent, .locked, .refused, .unreadable, .noService, .frozen, .cancelled: rest(forStore: true)
    }
  }

  /// Nothing to renew them with: they are good until they are not, and the session goes on without.
  private func expire(_ tokens: OpenIDTokens) {
    let left = tokens.expires - clock.wall()
    if left > 0, clock.wall() >= tokens.issued - IDToken.leeway {
      due = clock.boot() + min(left, tokens.expires - tokens.issued) * 1000
      return succeeded()
    }
    isBusy = false
    set(.expired)
    // By a clock that may be put right.
    due = clock.boot() + OpenIDRenewal.longestWait
    plan()
  }

  private func ask(_ tokens: OpenIDTokens, _ refresh: String, _ provider: OpenIDProvider, isSecond: Bool) {
    send(tokens.refreshRequest(refresh)) { renewal, result in
      let now = renewal.clock.wall()
      switch TokenAnswer(result, now: now, renewal.client.tools) {
      case .tokens(let json): renewal.take(json, tokens, provider)
      case .grantRefused: renewal.end(.sessionRefused)
      // Something in between may have said so: it counts where the provider itself can be had, and says so again.
      case .bareRefusal: isSecond ? renewal.end(.sessionRefused) : renewal.confirm(tokens, refresh, provider)
      case .fault(let fault): renewal.failed(fault)
      }
    }
  }

  private func confirm(_ tokens: OpenIDTokens, _ refresh: String, _ provider: OpenIDProvider) {
    let request = WebRequest(
      .get, provider.metadata, headers: [.init("Accept", "application/json")], limit: 1 << 18)
    send(request) { renewal, result in
      do throws(OpenIDFault) {
        let now = renewal.clock.wall()
        let metadata = try OpenIDSignIn.metadata(result, of: provider, now: now, renewal.client.tools)
        renewal.ask(tokens.moved(to: metadata), refresh, provider, isSecond: true)
      } catch {
        renewal.failed(error)
      }
    }
  }

  private func take(_ json: JsonValue, _ old: OpenIDTokens, _ provider: OpenIDProvider) {
    let now = clock.wall()
    do throws(OpenIDFault) {
      if let token = json["id_token"]?.text { try check(token, provider) }
      let new = try old.renewed(json, now: now)
      tokens = new
      // Its lifetime counts from now on, by the clock that nobody sets. A provider that gives none is not asked all the
      // time.
      due = clock.boot() + max(10, OpenIDRenewal.rest(of: new, now: now)) * 1000
    } catch {
      return failed(error)
    }
    isUnsaved = true
    Task { await self.save() }
  }

  private func check(_ token: String, _ provider: OpenIDProvider) throws(OpenIDFault) {
    do throws(IDTokenFault) {
      _ = try IDToken(token, of: provider, subject: account.subject, now: nil, client.tools)
    } catch {
      throw .idToken(error)
    }
  }

  /// Writes the new tokens; held by its task until that is done, since there is no second copy of them.
  private func save() async {
    guard let tokens, !isOver else { return }
    guard let secret = tokens.secret else { return failed(.tooLarge) }
    guard await store.replace(secret) else {
      client.log("The session's new tokens could not be stored; they are kept in memory, and stored later.")
      return rest(forStore: true)
    }
    guard !isOver else { return }
    isUnsaved = false
    succeeded()
  }

  private func succeeded() {
    isBusy = false
    failures = 0
    isWaitingForStore = false
    restsUntil = .min
    set(.fresh)
    plan()
  }

  private func failed(_ fault: OpenIDFault) {
    guard !isOver else { return }
    set(.offline(fault))
    var wanted: Int64 = 0
    if case .busy(let seconds?) = fault { wanted = seconds * 1000 }
    busyUntil = clock.boot() + wanted
    rest(atLeast: wanted)
  }

  private func rest(atLeast wanted: Int64 = 0, forStore: Bool = false) {
    guard !isOver else { return }
    isWaitingForStore = forStore
    isBusy = false
    failures += 1
    restsUntil = clock.boot() + max(wanted, OpenIDRenewal.pause(after: failures))
    plan()
  }

  private func end(_ fault: OpenIDFault) {
    guard !isOver else { return }
    stop()
    ended(fault)
  }

  private func set(_ connection: SessionConnection) {
    guard connection != self.connection else { return }
    self.connection = connection
    changed()
  }

  private func send(
    _ request: WebRequest, _ then: @escaping @MainActor (OpenIDRenewal, Result<WebAnswer, WebFault>) -> Void
  ) {
    var isAnswered = false
    let permission = WebPermission.consent(in: preferences) { [weak self] in self?.isUnlocked == true }
    let cancel = web.send(request, with: permission) { [weak self] result in
      isAnswered = true
      guard let self, !isOver else { return }
      cancelWeb = nil
      then(self, result)
    }
    if !isAnswered { cancelWeb = cancel }
  }
}
