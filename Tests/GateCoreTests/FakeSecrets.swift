@testable import GateCore

/// A session's secret, whose answers come when the test lets them.
@MainActor
final class FakeSecrets {
  var userName = "Ada Example"
  var presence = SecretPresence.present
  var store = SecretStore.keyring
  var createFault: SessionFault?
  var removeFault: SessionFault?
  private(set) var made: [SecretStore] = []
  private(set) var calls: [String] = []
  private var gates: [CheckedContinuation<Void, Never>] = []
  private var arrivals: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  var client: SessionClient {
    SessionClient(
      userName: { self.userName },
      create: { () async throws(SessionFault) in
        await self.pass("create")
        if let fault = self.createFault { throw fault }
        self.made.append(self.store)
        return self.store
      },
      remove: { (store) async throws(SessionFault) in
        await self.pass("remove")
        if let fault = self.removeFault { throw fault }
        self.made.removeAll { $0 == store }
      },
      check: { _ in
        let presence = self.presence
        await self.pass("check")
        return presence
      })
  }

  private func pass(_ name: String) async {
    calls.append(name)
    let here = arrivals.filter { $0.count <= calls.count }
    arrivals.removeAll { $0.count <= calls.count }
    for arrival in here { arrival.continuation.resume() }
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
