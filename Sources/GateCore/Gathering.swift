import Synchronization

/// Makes few calls of many wishes for one.
///
/// Any thread.
public final class Gathering: Sendable {
  private enum State { case idle, owed, owedAgain }
  private let state = Mutex(State.idle)

  /// Begins with nothing owed.
  public init() {}

  /// Wishes for the call; true where it is now to be arranged, false where one is owed already.
  public func wish() -> Bool {
    state.withLock { state in
      defer { state = state == .idle ? .owed : .owedAgain }
      return state == .idle
    }
  }

  /// After the call: true where it was wished for again meanwhile, and is owed once more.
  public func goesOn() -> Bool {
    state.withLock { state in
      defer { state = state == .owedAgain ? .owed : .idle }
      return state == .owedAgain
    }
  }

  /// Before the call, where the next wish is not to wait for its end.
  public func begin() { state.withLock { $0 = .idle } }
}
