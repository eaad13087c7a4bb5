/// Where a session's secret lives.
public enum SecretStore: String, Hashable, Sendable {
  /// In the Secret Service.
  case keyring
  /// In a key file of the user's, where there is no Secret Service.
  case file
}

/// Why nothing could be done with a session's secret.
public enum SessionFault: Error, Hashable, Sendable {
  /// The keyring is locked.
  case keyringLocked
  /// The keyring answers, and refuses.
  case keyringRefused
  /// There is no keyring.
  case keyringUnavailable
  /// The keyring did not answer in time.
  case timedOut
  /// The secret that the session had is gone from its store.
  case secretGone
  /// The key file could not be written or removed.
  case file(FileFault)
  /// The user has cancelled.
  case cancelled
}

/// The stores of a session's secret: the Secret Service, and a key file where there is none.
///
/// Main thread. Each waits for the store no longer than its deadline, and throws `cancelled` where its task is
/// cancelled. They do not wait for one another: whoever calls them does one thing after the other, as `SecretKeeper`.
public struct SessionClient: Sendable {
  /// The name of the desktop user.
  public var userName: @MainActor () -> String
  /// Makes a secret for a session on this computer; nil where the system has no random numbers.
  public var makeSecret: @MainActor () -> SessionSecret?
  /// Stores a secret in place of an older one, and says where; puts up the keyring's own prompt where that is locked.
  ///
  /// In the file only where there is no Secret Service.
  public var store: @MainActor (SessionSecret) async throws(SessionFault) -> SecretStore
  /// Asks for the secret; never prompts.
  public var read: @MainActor (SecretStore) async -> SecretReading
  /// Puts up the keyring's own prompt, where it is locked, and returns when it is open.
  public var unlock: @MainActor () async throws(SessionFault) -> Void
  /// Puts another secret in the place of the one in a store, and says where it is now; never prompts.
  ///
  /// That is the file, for one of the keyring, where there is no Secret Service any more.
  public var replace: @MainActor (SessionSecret, SecretStore) async throws(SessionFault) -> SecretStore
  /// Removes the secret; one that is not there is no fault.
  ///
  /// Prompts where the keyring that has it is locked.
  public var remove: @MainActor (SecretStore) async throws(SessionFault) -> Void
  /// Copies the secret of the file into the keyring, and reads it there; never prompts.
  ///
  /// False where there is no Secret Service that is open. The file stays: it goes once it is on record that the
  /// keyring has the secret.
  public var moveToKeyring: @MainActor () async throws(SessionFault) -> Bool
  /// Tells whenever a keyring comes, goes, is locked or unlocked, for as long as what it returns is kept.
  public var follow: @MainActor (@escaping @MainActor () -> Void) -> AnyObject?

  /// Takes them all; where nothing can be followed, nothing is.
  public init(
    userName: @escaping @MainActor () -> String,
    makeSecret: @escaping @MainActor () -> SessionSecret?,
    store: @escaping @MainActor (SessionSecret) async throws(SessionFault) -> SecretStore,
    read: @escaping @MainActor (SecretStore) async -> SecretReading,
    unlock: @escaping @MainActor () async throws(SessionFault) -> Void,
    replace: @escaping @MainActor (SessionSecret, SecretStore) async throws(SessionFault) -> SecretStore,
    remove: @escaping @MainActor (SecretStore) async throws(SessionFault) -> Void,
    moveToKeyring: @escaping @MainActor () async throws(SessionFault) -> Bool,
    follow: @escaping @MainActor (@escaping @MainActor () -> Void) -> AnyObject? = { _ in nil }
  ) {
    self.userName = userName
    self.makeSecret = makeSecret
    self.store = store
    self.read = read
    self.unlock = unlock
    self.replace = replace
    self.remove = remove
    self.moveToKeyring = moveToKeyring
    self.follow = follow
  }
}
