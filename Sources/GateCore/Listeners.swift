/// Those who want to hear of a change, told at once and in the order in which they began to listen.
///
/// The list holds nobody: a listener lives as long as its `Listening`. Main thread.
@MainActor
public final class Listeners<Value> {
  private final class Ear {
    let body: @MainActor (Value) -> Void
    init(_ body: @escaping @MainActor (Value) -> Void) { self.body = body }
  }

  private struct Place {
    weak var ear: Ear?
  }

  private var places: [Place] = []

  /// Makes an empty list.
  public init() {}

  /// Calls `body` with each value from now on, until the returned token is dropped.
  public func listen(_ body: @escaping @MainActor (Value) -> Void) -> Listening {
    let ear = Ear(body)
    places.append(Place(ear: ear))
    return Listening(ear)
  }

  /// Tells everybody, before it returns.
  ///
  /// Who begins to listen meanwhile hears of the next value; who has stopped meanwhile is not called any more.
  public func notify(_ value: Value) {
    for place in places { place.ear?.body(value) }
    places.removeAll { $0.ear == nil }
  }

  /// How many listen now.
  public var count: Int { places.count { $0.ear != nil } }
}

/// Keeps a listener listening; dropping it ends that.
public final class Listening {
  private let ear: AnyObject
  fileprivate init(_ ear: AnyObject) { self.ear = ear }
}
