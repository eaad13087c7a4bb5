import Synchronization

/// An error on the bus, and how often it was posted.
public struct PostedError: Hashable, Sendable {
  /// The error.
  public let error: AppError
  /// How often it was posted since the bus was cleared; at least 1.
  public internal(set) var count: Int
}

/// Where anything that goes wrong is posted, from any thread.
///
/// Identical errors are counted, not stacked. Any thread.
public final class AppErrorBus: Sendable {
  /// The bus of the program: the only global there is.
  public static let shared = AppErrorBus()

  /// So many different errors are kept; further ones are only counted, so that a storm of them takes no memory.
  public static let kindsKept = 32

  private struct State {
    var posted: [PostedError] = []
    var overlooked = 0
    var wakes: [(id: UInt64, wake: @Sendable () -> Void)] = []
    var nextID: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Makes a bus of its own, for tests and for programs that show no card.
  public init() {}

  /// Adds an error, or counts it where it is there already, then wakes the subscribers on this thread.
  public func post(_ error: AppError) {
    let wakes = state.withLock { state in
      if let index = state.posted.firstIndex(where: { $0.error == error }) {
        state.posted[index].count += 1
      } else if state.posted.count < AppErrorBus.kindsKept {
        state.posted.append(PostedError(error: error, count: 1))
      } else {
        state.overlooked += 1
      }
      return state.wakes
    }
    // Outside the lock: a subscriber may look at the bus, or post.
    for (_, wake) in wakes { wake() }
  }

  /// What was posted since the bus was cleared, the oldest first.
  public var current: [PostedError] { state.withLock { $0.posted } }

  /// How many posts were of a kind for which there was no room.
  public var overlooked: Int { state.withLock { $0.overlooked } }

  /// Forgets all errors, then wakes the subscribers on this thread.
  public func clear() {
    let wakes = state.withLock { state in
      state.posted = []
      state.overlooked = 0
      return state.wakes
    }
    for (_, wake) in wakes { wake() }
  }

  /// Calls `wake` after every post and clear, on the thread that did it, until the returned token is dropped.
  ///
  /// A call that another thread has begun already may still come after that.
  public func subscribe(_ wake: @escaping @Sendable () -> Void) -> BusSubscription {
    let id = state.withLock { state in
      state.nextID += 1
      state.wakes.append((state.nextID, wake))
      return state.nextID
    }
    return BusSubscription(self, id)
  }

  fileprivate func end(_ id: UInt64) {
    // The closure is released outside the lock, since what it holds may post while it goes.
    let gone = state.withLock { state in
      state.wakes.firstIndex { $0.id == id }.map { state.wakes.remove(at: $0) }
    }
    _ = gone
  }
}

/// Keeps a subscriber of the bus; dropping it ends that.
///
/// Any thread.
public final class BusSubscription: Sendable {
  private let bus: AppErrorBus
  private let id: UInt64

  fileprivate init(_ bus: AppErrorBus, _ id: UInt64) {
    self.bus = bus
    self.id = id
  }

  deinit { bus.end(id) }
}
