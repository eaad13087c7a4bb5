extension PreferenceKey where Value == String {
  /// The store that may have a secret which no session owns, `keyring` or `file`; empty means none.
  public static var sessionLeftover: Self { Self("sessionLeftover", fallback: "") }
}

/// Sees to it that no secret stays behind without a session that owns it.
///
/// Main thread. It is put on record before a secret is stored and when a session ends; what then breaks off, by a cancel, a
/// store that does not answer or the end of the program, is removed at the next chance: when a keyring comes or is
/// unlocked, and at each start. Nobody is asked for that.
@MainActor
final class SessionLeftover {
  private let client: SessionClient
  private let preferences: AppPreferences
  private let queue: SecretQueue
  private var following: AnyObject?
  /// A look that has not begun yet is the same as one more.
  private var isOwed = false

  /// The store of a session that is there at the moment, whatever is on record: preferences that cannot be read have none.
  var owned: @MainActor () -> SecretStore? = { nil }

  /// Takes the stores, and the queue of what is done with the secret.
  init(client: SessionClient, preferences: AppPreferences, queue: SecretQueue) {
    self.client = client
    self.preferences = preferences
    self.queue = queue
  }

  /// The store that may have one; nil where none is on record.
  var store: SecretStore? { SecretStore(rawValue: preferences[.sessionLeftover]) }

  /// Puts on record that a store may have one.
  func note(_ store: SecretStore) { preferences.set(.sessionLeftover, to: store.rawValue) }

  /// Removes what is left after all that is being done with the secret; `failed` says why it stays, where it is known to
  /// be there.
  func sweep(failed: @escaping @MainActor (SessionFault) -> Void = { _ in }) {
    guard store != nil, !isOwed else { return }
    isOwed = true
    queue.add { [self] in
      isOwed = false
      if let fault = await look() { failed(fault) }
      if store == nil {
        following = nil
      } else if following == nil {
        following = client.follow { [weak self] in self?.sweep() }
      }
    }
  }

  /// Removes what is left, in the queue's turn, and nothing that the session of the moment owns.
  func look() async -> SessionFault? {
    guard let left = store else { return nil }
    let owner = owned() ?? Session(in: preferences)?.store
    do throws(SessionFault) {
      var isCertain = true
      // What the keyring had has made room for the session's; a file besides is for `SecretKeeper`, which looks first
      // whether the keyring shows the secret.
      if owner != .keyring {
        switch await client.read(.keyring) {
        // One that is no longer ours may be left where nobody remembers it.
        case .present, .unreadable: try await client.remove(.keyring)
        case .absent: break
        case .noService: isCertain = left == .file
        case .locked, .refused, .frozen, .cancelled: isCertain = false
        }
        if owner == nil { try await client.remove(.file) }
      }
      if isCertain { preferences.set(.sessionLeftover, to: "") }
      return nil
    } catch {
      return error
    }
  }
}
