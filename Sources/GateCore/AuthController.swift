extension PreferenceKey where Value == String {
  /// The name of the session's user.
  public static var sessionName: Self { Self("sessionName", fallback: "") }
  /// Where the session's secret lives, `keyring` or `file`; empty means that there is no session.
  public static var sessionStore: Self { Self("sessionStore", fallback: "") }
}

extension PreferenceKey where Value == Int64 {
  /// When the session began, in seconds since 1970.
  public static var sessionStarted: Self { Self("sessionStarted", fallback: 0) }
}

/// Makes, keeps and ends the session.
///
/// Main thread.
///
/// The preferences say at once whether there is one; its secret is looked for in the background.
@MainActor
public final class AuthController {
  /// Whether the user is signed in.
  public private(set) var state: AuthState
  /// Why the last sign-in failed.
  public private(set) var fault: SessionFault?
  /// Whether the keyring may be asking the user something on our behalf.
  public var mayBeAsking: Bool { questions > 0 }
  /// Tells that one of these has changed.
  public let changed = Listeners<Void>()

  private let client: SessionClient
  private let preferences: AppPreferences
  private let clock: Clock
  private let bus: AppErrorBus
  private var listening: Listening?
  /// What is being done with the secret: one thing after the other, since there is one secret only.
  private var work: Task<Void, Never>?
  /// Rises at each change of mind; what an older one has begun then changes nothing any more.
  private var generation = 0
  /// How much of the work may put up the keyring's own prompt.
  private var questions = 0

  /// Takes up the session that the preferences know.
  public init(client: SessionClient, preferences: AppPreferences, clock: Clock, bus: AppErrorBus) {
    self.client = client
    self.preferences = preferences
    self.clock = clock
    self.bus = bus
    state = AuthController.state(in: preferences)
    listening = preferences.changed.listen { [weak self] name in
      if name == PreferenceKey<String>.sessionStore.name { self?.follow() }
    }
  }

  deinit { work?.cancel() }

  /// The name under which a session would be made.
  public var userName: String { AuthController.oneLine(client.userName()) }

  /// Makes a session; does nothing while one is made or there.
  public func signIn() {
    guard state == .signedOut else { return }
    generation += 1
    fault = nil
    state = .signingIn
    enqueue(asks: true) { [client, generation, weak self] in
      do throws(SessionFault) {
        guard let secret = client.makeSecret() else { throw .file(.other(code: 5)) }
        let store = try await client.store(secret)
        // Whoever cancelled meanwhile leaves no secret behind.
        if self?.signedIn(store, generation) != true { try await client.remove(store) }
      } catch {
        self?.failed(error, generation)
      }
    }
    changed.notify(())
  }

  /// Gives up a sign-in that is being made.
  public func cancel() {
    guard state == .signingIn else { return }
    generation += 1
    work?.cancel()
    state = .signedOut
    changed.notify(())
  }

  /// Ends the session at once, and removes its secret in the background.
  public func signOut() {
    guard case .signedIn(let session) = state else { return }
    end()
    enqueue(asks: true) { [client, bus] in
      do throws(SessionFault) {
        try await client.remove(session.store)
      } catch {
        bus.post(.sessionNotRemoved(error))
      }
    }
  }

  /// Looks in the background whether the secret is there.
  ///
  /// Only an answer that it is not ends the session.
  public func verify() {
    guard case .signedIn(let session) = state else { return }
    enqueue { [client, generation, weak self] in
      guard await client.read(session.store) == .absent, let self, generation == self.generation else { return }
      self.end()
    }
  }

  private func enqueue(asks: Bool = false, _ body: @escaping @MainActor () async -> Void) {
    work = Task { [before = work, weak self] in
      await before?.value
      await body()
      if asks { self?.count(-1) }
    }
    if asks { count(1) }
  }

  private func count(_ change: Int) {
    questions += change
    changed.notify(())
  }

  /// False where nobody wants the session any more.
  private func signedIn(_ store: SecretStore, _ generation: Int) -> Bool {
    guard generation == self.generation, state == .signingIn else { return false }
    let session = LocalSession(name: userName, store: store, started: clock.wall())
    state = .signedIn(session)
    preferences.set(many: [
      PreferenceChange(.sessionName, session.name), PreferenceChange(.sessionStore, store.rawValue),
      PreferenceChange(.sessionStarted, session.started),
    ])
    changed.notify(())
    return true
  }

  private func failed(_ error: SessionFault, _ generation: Int) {
    guard generation == self.generation, state == .signingIn else { return }
    state = .signedOut
    fault = error == .cancelled ? nil : error
    changed.notify(())
  }

  private func end() {
    generation += 1
    state = .signedOut
    preferences.set(many: [
      PreferenceChange(.sessionName, ""), PreferenceChange(.sessionStore, ""), PreferenceChange(.sessionStarted, 0),
    ])
    changed.notify(())
  }

  /// A session that is taken out of the file by hand has ended.
  ///
  /// One that is put in there counts at the next launch.
  private func follow() {
    guard case .signedIn = state, AuthController.state(in: preferences) == .signedOut else { return }
    generation += 1
    state = .signedOut
    changed.notify(())
  }

  static func state(in preferences: AppPreferences) -> AuthState {
    guard preferences.isTrusted, let store = SecretStore(rawValue: preferences[.sessionStore]) else {
      return .signedOut
    }
    return .signedIn(
      LocalSession(name: oneLine(preferences[.sessionName]), store: store, started: preferences[.sessionStarted]))
  }

  private static func oneLine(_ name: String) -> String {
    String(name.map { $0.isNewline ? " " : $0 })
  }
}
