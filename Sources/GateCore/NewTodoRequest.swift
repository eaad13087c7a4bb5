/// The wish to begin a new todo, kept until the list is there for it.
///
/// It can be made at any time, also while a gate stands before the list, and shows nothing by itself. Several wishes
/// are one. Main thread.
@MainActor
public final class NewTodoRequest {
  /// Whether the wish is still to be met.
  public private(set) var isPending = false
  /// Tells that the wish was made.
  public let made = Listeners<Void>()

  /// Makes a request that nobody has made yet.
  public init() {}

  /// Makes the wish.
  public func make() {
    isPending = true
    made.notify(())
  }

  /// Whether it is to be met now: true once for all the wishes since the last time.
  public func take() -> Bool {
    defer { isPending = false }
    return isPending
  }
}
