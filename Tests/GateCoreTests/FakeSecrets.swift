@testable import GateCore

/// A session's secret, whose answers come when the test lets them.
@MainActor
final class FakeSecrets {
  var userName = "Ada Example"
  var reading = FakeSecrets.present
  var store = SecretStore.keyring
  var storeFault: SessionFault?
  var removeFault: SessionFault?
  var unlockFault: SessionFault?
  /// Whether the file's secret can be copied into the keyring.
  var canMove = false
  /// Answers come at once.
  var isPrompt = false
  /// Runs in the middle of a move.
  var whileMoving: @MainActor () -> Void = {}
  /// What `follow` calls.
  private(set) var follower: (@MainActor () -> Void)?
  private(set) var follows = 0
  nonisolated static let secret = SessionSecret(line: "0123")
  nonisolated static let present = secret.map(SecretReading.present) ?? .unreadable
  private(set) var made: [SecretStore] = []
  private(set) var calls: [String] = []
  private var gates: [CheckedContinuation<Void, Never>] = []
  private var arrivals: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  var client: SessionClient {
    SessionClient(
      userName: { self.userName },
      makeSecret: { FakeSecrets.secret },
      store: { (_) async throws(SessionFault) in
        await self.pass("store")
        if let fault = self.storeFault { throw fault }
        // A service that is slow does it all the same.
        self.made.append(self.store)
        if Task.isCancelled { throw .cancelled }
        return self.store
      },
      read: { store in
        let reading = self.reading
        await self.pass(self.isPrompt ? "read \(store)" : "read")
        return Task.isCancelled ? .cancelled : reading
      },
      unlock: { () async throws(SessionFault) in
        await self.pass("unlock")
        if let fault = self.unlockFault { throw fault }
      },
      replace: { (_, store) async throws(SessionFault) in
        await self.pass("replace")
        return store
      },
      remove: { (store) async throws(SessionFault) in
        if Task.isCancelled { throw .cancelled }
        await self.pass(self.isPrompt ? "remove \(store)" : "remove")
        if let fault = self.removeFault { throw fault }
        self.made.removeAll { $0 == store }
      },
      moveToKeyring: { () async throws(SessionFault) in
        await self.pass("move")
        self.whileMoving()
        return self.canMove
      },
      follow: { changed in
        self.follower = changed
        self.follows += 1
        return self
      })
  }

  private func pass(_ name: String) async {
    calls.append(name)
    let here = arrivals.filter { $0.count <= calls.count }
    arrivals.removeAll { $0.count <= calls.count }
    for arrival in here { arrival.continuation.resume() }
    if isPrompt { return }
    await withCheckedContinuation { gates.append($0) }
  }

  /// Waits until so many calls have come in all.
  func arrived(_ count: Int) async {
    if calls.count >= count { return }
    await withCheckedContinuation { arrivals.append((count, $0)) }
  }

  /// Lets the oldest call that waits go on.
  func letGo() { gates.removeFirst().resume() }
}
