/// Makes and ends the session.
///
/// Main thread.
///
/// The preferences say at once whether there is one; its secret is looked for in the background. What keeps it alive
/// is `SessionUpkeep`'s, what follows its end is `SessionEnd`'s.
@MainActor
public final class AuthController {
  /// Whether the user is signed in.
  public private(set) var state: AuthState
  /// Why there is no session, where one was wanted or was there before.
  public private(set) var fault: SignInFault?
  /// Where a sign-in with the provider stands, while one is being made and its secret is not being stored yet.
  public var phase: OpenIDPhase? { remote?.phase }
  /// How the session stands towards its provider.
  public var connection: SessionConnection { upkeep.connection }
  /// Whether the keyring may be asking the user something on our behalf.
  public var mayBeAsking: Bool { queue.mayBeAsking }
  /// How the session's secret stands in its store.
  public let keeper: SecretKeeper
  /// Tells that one of these has changed.
  public let changed = Listeners<Void>()
  /// Tells that the browser has done its part: the user is in another window.
  public let returned = Listeners<Void>()
  /// The provider that can be signed in with, where one is set.
  public var provider: OpenIDProvider? { services?.provider }

  private let client: SessionClient
  private let preferences: AppPreferences
  private let clock: Clock
  private let bus: AppErrorBus
  private let services: SignInServices?
  private let queue = SecretQueue()
  private let leftover: SessionLeftover
  /// The storing of a secret for a session that is being made.
  private var storing: Task<Void, Never>?
  private var listening: Listening?
  private var verifying: Listening?
  private var opening: Listening?
  /// Rises at each change of mind; what an older one has begun then changes nothing any more.
  private var generation = 0
  private var remote: OpenIDSignIn?
  private let upkeep: SessionUpkeep
  private let sessionEnd: SessionEnd

  /// Takes up the session that the preferences know; without services there are sessions of this computer only.
  public init(
    client: SessionClient, preferences: AppPreferences, clock: Clock, bus: AppErrorBus,
    services: SignInServices? = nil
  ) {
    self.client = client
    self.preferences = preferences
    self.clock = clock
    self.bus = bus
    self.services = services
    keeper = SecretKeeper(client: client, preferences: preferences, queue: queue)
    leftover = SessionLeftover(client: client, preferences: preferences, queue: queue)
    state = AuthController.state(in: preferences)
    upkeep = SessionUpkeep(client: client, preferences: preferences, clock: clock, services: services, queue: queue)
    sessionEnd = SessionEnd(client: client, services: services, queue: queue, leftover: leftover, bus: bus)
    upkeep.session = { [weak self] in self?.session }
    upkeep.changed = { [weak self] in self?.changed.notify(()) }
    upkeep.stored = { [weak self] in self?.moved($0) }
    upkeep.ended = { [weak self] in self?.over($0, $1) }
    leftover.owned = { [weak self] in self?.session?.store }
    keeper.erasing = { [weak self] in await self?.beforeErasing() }
    keeper.erased = { [weak self] in self?.afterErasing($0) }
    queue.changed = { [weak self] in self?.changed.notify(()) }
    // What had to wait for the keyring goes on.
    var wasThere = false
    opening = keeper.changed.listen { [weak self, weak keeper] in
      var isThere = false
      if case .present = keeper?.standing { isThere = true }
      if isThere, !wasThere { self?.upkeep.storeIsThere() }
      wasThere = isThere
    }
    listening = preferences.changed.listen { [weak self] name in
      if name == PreferenceKey<String>.sessionStore.name { self?.follow() }
    }
    if let session { upkeep.begin(session, fresh: nil) }
  }

  isolated deinit { remote?.cancel() }

  /// The name under which a session of this computer would be made.
  public var userName: String { Session.oneLine(client.userName()) }

  /// The session, where there is one.
  public var session: Session? {
    guard case .signedIn(let session) = state else { return nil }
    return session
  }

  /// Makes a session of this computer; does nothing while one is made or there.
  public func signIn() {
    guard begin() else { return }
    keep(SessionDraft(account: .local, name: client.userName()) { [client] in client.makeSecret() }, generation)
    changed.notify(())
  }

  /// Begins a sign-in with the provider; does nothing while one is made or there is a session.
  ///
  /// `pages` is what the browser shows when it comes back.
  public func signIn(pages: RedirectPages) {
    guard let services, let provider = services.provider, begin() else { return }
    let signIn = OpenIDSignIn(
      provider, client: services.client, web: services.web, clock: clock, pages: pages,
      changed: { [weak self] in self?.phaseChanged() }
    ) { [weak self, generation] result in self?.arrived(result, generation) }
    remote = signIn
    signIn.begin()
    changed.notify(())
  }

  /// Asks the browser once more, while the user is expected there.
  public func openBrowser() { remote?.open() }

  /// Gives up a sign-in that is being made; nothing is left of it.
  public func cancel() {
    guard state == .signingIn else { return }
    generation += 1
    // Before the tokens are there, nothing has been done with the secret. A store that is slow may do it all the same:
    // what it then has is looked for, by a task that is not cancelled.
    if remote == nil {
      storing?.cancel()
      leftover.note(.keyring)
      leftover.sweep()
    }
    remote?.cancel()
    remote = nil
    state = .signedOut
    changed.notify(())
  }

  /// Ends the session at once; its secret is removed, and the provider told, in the background.
  public func signOut() {
    guard let session else { return }
    let tokens = upkeep.tokens
    end(nil, leaving: session.store)
    sessionEnd.signOut(of: session, with: tokens) { [generation, weak self] in self?.notRevoked($0, generation) }
  }

  /// Looks in the background how the secret stands, now and whenever that may have changed.
  ///
  /// Only an answer that it is gone ends the session, and only the first one: later, the user is told and decides.
  public func verify() {
    leftover.sweep()
    guard session != nil else { return keeper.begin() }
    verifying = keeper.changed.listen { [generation, weak self] in
      guard let self, let standing = keeper.standing else { return }
      verifying = nil
      if standing == .absent, generation == self.generation { end(.secret(.secretGone), leaving: nil) }
    }
    keeper.begin()
  }

  /// Hears whether the app is unlocked: tokens are renewed only while it is.
  public func setUnlocked(_ isUnlocked: Bool) { upkeep.setUnlocked(isUnlocked) }

  /// Tries at once to renew the tokens, where that is due.
  public func renewNow() { upkeep.hurry() }

  /// Tells the provider to forget the session whose secret `SecretKeeper.erase` has removed; calls `done` when it has
  /// answered, after five seconds without an answer, or at once where there is nothing to tell.
  public func revokeErased(_ done: @escaping @MainActor () -> Void) {
    sessionEnd.revokeErased(with: upkeep.tokens, done)
  }

  /// Brings a renewal of the tokens that is under way to its end, before the program ends; calls `done` then, at once
  /// where none is.
  ///
  /// Nothing is renewed any more in this run. Whoever calls keeps the controller until then, and sets the limit.
  public func finish(_ done: @escaping @MainActor () -> Void) { upkeep.finish(done) }

  private func begin() -> Bool {
    guard state == .signedOut else { return false }
    generation += 1
    fault = nil
    state = .signingIn
    return true
  }

  private func phaseChanged() {
    if phase == .redeeming { returned.notify(()) }
    changed.notify(())
  }

  private func arrived(_ result: Result<(tokens: OpenIDTokens, name: String?), OpenIDFault>, _ generation: Int) {
    guard generation == self.generation, state == .signingIn else { return }
    let wasInBrowser = phase != .asking && phase != .redeeming
    let dropped = remote?.dropped
    remote = nil
    switch result {
    case .failure(let fault):
      failed(.provider(fault), generation)
      if let dropped { revoke(dropped, generation) }
      // Back with a refusal.
      if wasInBrowser { returned.notify(()) }
    case .success(let (tokens, name)):
      guard let secret = tokens.secret else {
        revoke(tokens, generation)
        return failed(.provider(.tooLarge), generation)
      }
      let account = Account.openID(tokens.account)
      keep(SessionDraft(account: account, name: name ?? tokens.account.subject, tokens: tokens) { secret }, generation)
      changed.notify(())
    }
  }

  /// Stores the secret of a session that is being made; whoever cancels meanwhile leaves none behind.
  private func keep(_ draft: SessionDraft, _ generation: Int) {
    storing = queue.add(asks: true) { [client, leftover, weak self] in
      let earlier = leftover.store
      do throws(SessionFault) {
        guard let secret = draft.secret() else { throw .file(.other(code: 5)) }
        leftover.note(.keyring)
        let store = try await client.store(secret)
        if self?.signedIn(draft, store, generation, isAlone: earlier == nil) == true { return leftover.sweep() }
        leftover.note(store)
      } catch {
        self?.failed(.secret(error), generation)
      }
      leftover.sweep()
      if let tokens = draft.tokens { self?.revoke(tokens, generation) }
    }
  }

  /// False where nobody wants the session any more.
  private func signedIn(_ draft: SessionDraft, _ store: SecretStore, _ generation: Int, isAlone: Bool) -> Bool {
    guard generation == self.generation, state == .signingIn else { return false }
    let session = Session(
      account: draft.account, name: Session.oneLine(draft.name), store: store, started: clock.wall())
    state = .signedIn(session)
    // The session owns what was stored.
    preferences.set(many: Session.changes(session) + (isAlone ? [PreferenceChange(.sessionLeftover, "")] : []))
    // Where everything was to be deleted and could not be, this is another session than the one that was.
    goOn()
    upkeep.begin(session, fresh: draft.tokens)
    changed.notify(())
    return true
  }

  private func failed(_ error: SignInFault, _ generation: Int) {
    guard generation == self.generation, state == .signingIn else { return }
    state = .signedOut
    fault = error == .secret(.cancelled) ? nil : error
    changed.notify(())
  }

  private func end(_ why: SignInFault?, leaving store: SecretStore?) {
    generation += 1
    upkeep.stop()
    fault = why
    state = .signedOut
    // One that is looked for in the keyring already may not be forgotten for the file's sake.
    let left =
      (leftover.store == .keyring ? .keyring : store).map { [PreferenceChange(.sessionLeftover, $0.rawValue)] } ?? []
    preferences.set(many: Session.changes(nil) + left)
    changed.notify(())
  }

  private func beforeErasing() async -> SessionFault? {
    upkeep.hold(true)
    do throws(SessionFault) {
      try await sessionEnd.prepareErasing(of: session, with: upkeep.tokens)
      return nil
    } catch {
      return error
    }
  }

  private func afterErasing(_ fault: SessionFault?) {
    if fault != nil { goOn() }
  }

  /// Nothing is being erased any more.
  private func goOn() {
    sessionEnd.callOffErasing()
    upkeep.hold(false)
  }

  /// The secret is in the other store now: in the file, where the keyring is gone, or in the keyring, once there is one.
  private func moved(_ store: SecretStore) {
    guard let session, session.store != store else { return }
    state = .signedIn(
      Session(account: session.account, name: session.name, store: store, started: session.started))
    // Older tokens stay in a keyring that has gone, and are removed when it comes back.
    if store == .file { leftover.note(.keyring) }
    preferences.set(.sessionStore, to: store.rawValue)
    changed.notify(())
  }

  /// The provider has ended the session; the secret that is left opens nothing any more.
  private func over(_ fault: OpenIDFault, _ session: Session) {
    end(.provider(fault), leaving: self.session?.store ?? session.store)
    leftover.sweep { [bus] in bus.post(.sessionNotRemoved($0)) }
  }

  /// Tells the provider to forget tokens of a sign-in that came to nothing.
  private func revoke(_ tokens: OpenIDTokens, _ generation: Int) {
    sessionEnd.revoke(tokens, with: .click()) { [weak self] in self?.notRevoked($0, generation) }
  }

  /// That the provider could not be told is said where nothing else is to be said.
  private func notRevoked(_ why: OpenIDFault?, _ generation: Int) {
    guard generation == self.generation, state == .signedOut, fault == nil else { return }
    fault = .notRevoked(why)
    changed.notify(())
  }

  /// A session that is taken out of the file by hand has ended.
  ///
  /// One that is put in there counts at the next launch; a secret that has moved is followed.
  private func follow() {
    guard session != nil else { return }
    if let store = keeper.store { return moved(store) }
    generation += 1
    upkeep.stop()
    state = .signedOut
    changed.notify(())
  }

  static func state(in preferences: AppPreferences) -> AuthState {
    Session(in: preferences).map { .signedIn($0) } ?? .signedOut
  }
}
