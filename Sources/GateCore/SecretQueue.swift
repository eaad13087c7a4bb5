/// What is being done with the session's secret: one thing after the other, since there is one secret only.
///
/// Main thread.
@MainActor
final class SecretQueue {
  /// Whether something may put up the keyring's own prompt.
  var mayBeAsking: Bool { questions > 0 }

  private var work: Task<Void, Never>?
  private var questions = 0
  /// Tells when `mayBeAsking` may have changed.
  var changed: @MainActor () -> Void = {}

  isolated deinit { work?.cancel() }

  /// Runs a body after all that came before it; whoever cancels the task calls the body off, and nothing else.
  @discardableResult
  func add(asks: Bool = false, _ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    let work = Task { [before = work, weak self] in
      await before?.value
      await body()
      if asks { self?.count(-1) }
    }
    self.work = work
    if asks { count(1) }
    return work
  }

  /// The same, and waits for what it gives.
  func run<Value: Sendable>(_ body: @escaping @MainActor () async -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      add { continuation.resume(returning: await body()) }
    }
  }

  private func count(_ change: Int) {
    questions += change
    changed()
  }
}
