/// Whether the user is signed in.
public enum AuthState: Hashable, Sendable {
  /// There is no session.
  case signedOut
  /// A session is being made.
  case signingIn
  /// There is a session.
  case signedIn(LocalSession)
}

/// A session on this computer.
public struct LocalSession: Hashable, Sendable {
  /// The name of the desktop user, on one line.
  public let name: String
  /// Where the session's secret lives.
  public let store: SecretStore
  /// When it began, in seconds since 1970.
  public let started: Int64

  /// Puts the three together.
  public init(name: String, store: SecretStore, started: Int64) {
    self.name = name
    self.store = store
    self.started = started
  }
}

/// Where a session's secret lives.
public enum SecretStore: String, Hashable, Sendable {
  /// In the Secret Service.
  case keyring
  /// In a key file of the user's, where no Secret Service answers.
  case file
}

/// What is known of a session's secret.
public enum SecretPresence: Hashable, Sendable {
  /// It is there.
  case present
  /// It is not there, says a store that answers and is unlocked.
  case absent
  /// The store is locked, and does not say.
  case locked
  /// The store does not answer.
  case unavailable
}

/// Why a session's secret could not be made or removed.
public enum SessionFault: Error, Hashable, Sendable {
  /// The keyring is locked.
  case keyringLocked
  /// The keyring refuses or cannot be reached.
  case keyringUnavailable
  /// The keyring did not answer in time.
  case timedOut
  /// The key file could not be written or removed.
  case file(FileFault)
  /// The user has cancelled.
  case cancelled
}

/// The session's secret, as `AuthController` uses it.
///
/// Main thread.
public struct SessionClient: Sendable {
  /// The name of the desktop user.
  public var userName: @MainActor () -> String
  /// Makes a secret and stores it, and says where.
  ///
  /// Throws `cancelled` where its task is cancelled.
  public var create: @MainActor () async throws(SessionFault) -> SecretStore
  /// Removes the secret; one that is not there is no fault.
  public var remove: @MainActor (SecretStore) async throws(SessionFault) -> Void
  /// Asks whether the secret is there.
  public var check: @MainActor (SecretStore) async -> SecretPresence

  /// Takes the four.
  public init(
    userName: @escaping @MainActor () -> String,
    create: @escaping @MainActor () async throws(SessionFault) -> SecretStore,
    remove: @escaping @MainActor (SecretStore) async throws(SessionFault) -> Void,
    check: @escaping @MainActor (SecretStore) async -> SecretPresence
  ) {
    self.userName = userName
    self.create = create
    self.remove = remove
    self.check = check
  }
}
