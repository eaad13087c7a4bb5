/// Knows how the session's secret stands in its store, and brings it from the key file into the keyring.
///
/// Main thread.
///
/// A store that does not answer, or not well, changes nothing but the standing: no session ends by it and nothing is
/// deleted. What is done with the secret goes through the queue that is shared with `AuthController`.
@MainActor
public final class SecretKeeper {
  /// What the store said last; nil before it has, and where there is no session.
  public private(set) var standing: SecretReading?
  /// Whether it is being asked now.
  public private(set) var isLooking = false
  /// Whether the user is being asked to unlock the keyring.
  public private(set) var isUnlocking = false
  /// Why the last unlock has failed.
  public private(set) var fault: SessionFault?
  /// Tells that one of these, or the store, has changed.
  public let changed = Listeners<Void>()

  /// Called in the queue's turn before the secret is removed for good, with what is in the way of that, and after it has
  /// been, or has not.
  var erasing: @MainActor () async -> SessionFault? = { nil }
  var erased: @MainActor (SessionFault?) -> Void = { _ in }

  private let client: SessionClient
  private let preferences: AppPreferences
  private let queue: SecretQueue
  private var following: AnyObject?
  private var listening: Listening?
  /// A look that has not begun yet is the same as one more.
  private var isOwed = false
  /// Whether it is certain that no key file is left behind.
  private var isTidy = false

  /// Takes the stores, and the queue of what is done with the secret.
  init(client: SessionClient, preferences: AppPreferences, queue: SecretQueue) {
    self.client = client
    self.preferences = preferences
    self.queue = queue
    listening = preferences.changed.listen { [weak self] name in
      if name == PreferenceKey<String>.sessionStore.name { self?.storeChanged() }
    }
  }

  /// Where the session's secret lives; nil where there is no session.
  public var store: SecretStore? { Session(in: preferences)?.store }

  /// Looks now, and from then on whenever a keyring comes, goes, is locked or unlocked.
  public func begin() {
    if following == nil { following = client.follow { [weak self] in self?.check() } }
    check()
  }

  /// Looks in the background how the secret stands; a secret that is in the key file moves where it can.
  public func check() {
    guard store != nil, !isOwed else { return }
    isOwed = true
    isLooking = true
    queue.add { [weak self] in await self?.look() }
    changed.notify(())
  }

  /// Puts up the keyring's own prompt, and looks again; does nothing while it is up.
  public func unlock() {
    guard !isUnlocking else { return }
    isUnlocking = true
    fault = nil
    queue.add(asks: true) { [weak self] in await self?.ask() }
    changed.notify(())
  }

  /// Removes the session's secret from both stores, before everything is deleted; tells nil when that is done.
  ///
  /// A keyring that is on record as having it has to answer.
  public func erase(_ done: @escaping @MainActor (SessionFault?) -> Void) {
    queue.add(asks: true) { [client, weak self] in
      var fault = await self?.erasing()
      if fault == nil { fault = await SecretKeeper.remove(with: client, from: self?.store) }
      self?.standing = nil
      self?.erased(fault)
      done(fault)
      self?.check()
    }
  }

  private static func remove(with client: SessionClient, from store: SecretStore?) async -> SessionFault? {
    do throws(SessionFault) {
      if store == .keyring {
        try await client.remove(.keyring)
      } else {
        switch await client.read(.keyring) {
        // One that is no longer ours may be left where nobody remembers it.
        case .present, .unreadable: try await client.remove(.keyring)
        case .absent, .locked, .refused, .noService, .frozen, .cancelled: break
        }
      }
      try await client.remove(.file)
      return nil
    } catch {
      return error
    }
  }

  private func ask() async {
    do throws(SessionFault) {
      try await client.unlock()
    } catch {
      fault = error == .cancelled ? nil : error
    }
    isUnlocking = false
    await look()
  }

  private func look() async {
    isOwed = false
    isLooking = true
    if store == .file { await move() }
    if let asked = store {
      let reading = await client.read(asked)
      // Ended or moved meanwhile: the answer is about another secret.
      if asked == store, reading != .cancelled {
        standing = reading
        if case .present = reading {
          fault = nil
          if asked == .keyring { await tidy() }
        }
      }
    }
    isLooking = isOwed
    changed.notify(())
  }

  /// From the file into the keyring: written and read there, then put on record, and only then is the file removed.
  ///
  /// Wherever this breaks off, what is on record is a store that has the secret.
  private func move() async {
    guard (try? await client.moveToKeyring()) == true else { return }
    guard store == .file else {
      // Signed out meanwhile; nothing of the session may be left.
      try? await client.remove(.keyring)
      return
    }
    preferences.set(.sessionStore, to: SecretStore.keyring.rawValue)
    isTidy = false
  }

  /// Removes a file from which the secret has moved; not before that is on record.
  private func tidy() async {
    guard !isTidy, preferences.isSaved(.sessionStore) else { return }
    isTidy = (try? await client.remove(.file)) != nil
  }

  private func storeChanged() {
    standing = nil
    fault = nil
    changed.notify(())
  }
}
