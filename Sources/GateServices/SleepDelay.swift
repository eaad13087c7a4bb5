import GLibKit

/// Holds the computer's sleep up for the moment that locking takes: logind's delay inhibitor.
///
/// Main thread only.
@MainActor
final class SleepDelay {
  /// How long logind may take, in milliseconds; it is asked again after each sleep.
  private static let deadline: Int64 = 600_000

  /// Whether it is to be held at all.
  var isWanted = false { didSet { settle() } }
  /// Whether logind is there; a new one has to be asked anew.
  var isPossible = false {
    didSet {
      if isPossible != oldValue { drop() }
      settle()
    }
  }
  /// Whether the computer may sleep now.
  var isReleased = false { didSet { settle() } }

  private var held: OwnedDescriptor?
  private var isAsking = false
  /// Rises when it is let go: one that was asked for before is let go as soon as it comes.
  private var generation = 0

  private func settle() {
    guard isWanted, isPossible, !isReleased else { return drop() }
    guard held == nil, !isAsking else { return }
    isAsking = true
    let words = ["sleep", "App Gates", tr("Locks before the computer sleeps"), "delay"]
    let call = DBusCall(
      .system, service: LoginSession.service, path: LoginSession.root, interface: LoginSession.manager,
      method: "Inhibit", arguments: Variant(tuple: words.map { Variant($0) }), startsService: false)
    call.startForDescriptor(atMost: Self.deadline) { [weak self, generation] result in
      guard let self, generation == self.generation else { return }
      isAsking = false
      // Without it the lock comes all the same, though perhaps not before the screen goes dark.
      if case .success(let descriptor) = result { held = descriptor }
    }
  }

  private func drop() {
    held = nil
    isAsking = false
    generation += 1
  }
}
