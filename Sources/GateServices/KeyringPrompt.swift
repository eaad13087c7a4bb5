import GLibKit
import GateCore

/// One question that the keyring puts to the user, in a window of its own.
///
/// Main thread. It is watched: a service that ends while it asks has refused, and one that does not answer a ping has
/// frozen; only the user may take their time. libsecret's own waits on in either case, or never calls back (0.20.5).
@MainActor
final class KeyringPrompt {
  private static let interface = "org.freedesktop.Secret.Prompt"
  private let path: String
  private let patience: Int64
  private let pause: Int64
  private var watch: DBusWatch?
  private var limit: Timer?
  private var pinging: Timer?
  private var wasThere = false
  private var done: (@MainActor (Result<Bool, SessionFault>) -> Void)?

  private init(_ path: String, patience: Int64, pause: Int64) {
    self.path = path
    self.patience = patience
    self.pause = pause
  }

  /// Puts the question and waits for its answer: false where the user turns it down.
  ///
  /// It has so many milliseconds in all, and so many for each sign of life. Cancelling the task takes the question away.
  static func answer(_ path: String, atMost limit: Int64, signs pause: Int64) async throws(SessionFault) -> Bool {
    let prompt = KeyringPrompt(path, patience: limit, pause: pause)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<Bool, SessionFault>, Never>) in
        prompt.begin { continuation.resume(returning: $0) }
      }
    } onCancel: {
      MainLoop.wake { prompt.giveUp(.cancelled) }
    }
    return try result.get()
  }

  private func begin(_ done: @escaping @MainActor (Result<Bool, SessionFault>) -> Void) {
    self.done = done
    limit = MainLoop.after(patience) { [weak self] in self?.giveUp(.timedOut) }
    watch = DBusWatch(
      .session, service: Keyring.service,
      [DBusMatch(path: path, interface: Self.interface, member: "Completed")],
      present: { [weak self] in self?.follow($0) },
      heard: { [weak self] in self?.end(.success($0.arguments[0]?.bool == false)) })
    // At once: of a service that has gone already the watch never says a word.
    ping(in: 0)
  }

  private func follow(_ isThere: Bool) {
    guard isThere, !wasThere else { return end(.failure(.keyringRefused)) }
    wasThere = true
    // Without a parent: the id of a window tells nothing on Wayland.
    call(Self.interface, "Prompt", Variant(tuple: [Variant("")])) { [weak self] result in
      if case .failure(let fault) = result { self?.end(.failure(SessionFault(fault))) }
    }
  }

  private func ping(in wait: Int64) {
    pinging = MainLoop.after(wait) { [weak self] in
      self?.call("org.freedesktop.DBus.Peer", "Ping", nil) { result in
        guard let prompt = self, prompt.done != nil else { return }
        switch result {
        case .failure(.timedOut): prompt.end(.failure(.timedOut))
        case .failure(.failed(let error)) where DBusCall.isNobody(error): prompt.end(.failure(.keyringRefused))
        case .failure, .success: prompt.ping(in: prompt.pause)
        }
      }
    }
  }

  private func giveUp(_ fault: SessionFault) {
    guard done != nil else { return }
    call(Self.interface, "Dismiss", nil) { _ in }
    end(.failure(fault))
  }

  private func end(_ result: Result<Bool, SessionFault>) {
    let body = done
    done = nil
    (watch, limit, pinging) = (nil, nil, nil)
    body?(result)
  }

  private func call(
    _ interface: String, _ method: String, _ arguments: Variant?,
    _ answered: @escaping @MainActor (Result<Variant, CallFault>) -> Void
  ) {
    DBusCall(
      .session, service: Keyring.service, path: path, interface: interface, method: method, arguments: arguments,
      startsService: false
    ).start(atMost: pause, answered)
  }
}
