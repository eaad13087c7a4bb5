import CGLib
import GLibShim

/// The arguments of one emission, valid while the handler runs.
@MainActor
public struct SignalArguments {
  let result: UnsafeMutablePointer<GValue>?
  let count: Int
  let values: UnsafePointer<GValue>

  /// The boolean at a place; place 0 is the instance.
  public func bool(_ place: Int) -> Bool { g_value_get_boolean(values + place) != 0 }
  /// The signed integer at a place.
  public func int(_ place: Int) -> Int { Int(g_value_get_int(values + place)) }
  /// The unsigned integer at a place.
  public func uint(_ place: Int) -> UInt32 { g_value_get_uint(values + place) }
  /// The string at a place.
  public func string(_ place: Int) -> String? { g_value_get_string(values + place).map { String(cString: $0) } }
  /// The C string at a place, not copied.
  public func bytes(_ place: Int) -> UnsafePointer<CChar>? { g_value_get_string(values + place) }
  /// The address at a place, of signals that hand over a bare pointer.
  public func pointer(_ place: Int) -> UnsafeMutableRawPointer? { g_value_get_pointer(values + place) }
  /// The object at a place, borrowed.
  public func object(_ place: Int) -> UnsafeMutableRawPointer? { g_value_get_object(values + place) }
  /// The flags at a place.
  public func flags(_ place: Int) -> UInt32 { g_value_get_flags(values + place) }
  /// Answers a signal that asks for a boolean.
  public func answer(_ value: Bool) {
    if let result { g_value_set_boolean(result, value ? 1 : 0) }
  }
}

/// A handler that can be taken off again; dropping this leaves it on.
@MainActor
public final class Connection {
  private weak var object: Object?
  private let id: gulong

  init(object: Object, id: gulong) {
    self.object = object
    self.id = id
  }

  /// Takes the handler off, where the object and the handler are still there.
  public func disconnect() {
    guard let object, g_signal_handler_is_connected(object.raw, id) != 0 else { return }
    g_signal_handler_disconnect(object.raw, id)
  }

  /// Runs the body with the handler held back, so that a change made by the program is not taken for the user's.
  public func blocked(_ body: () -> Void) {
    guard let object else { return body() }
    g_signal_handler_block(object.raw, id)
    body()
    g_signal_handler_unblock(object.raw, id)
  }

  /// How many handlers are alive now, for tests that look for leaks.
  public static var live: Int { SignalBox.live }
}

/// What a closure holds: the Swift body.
///
/// Freed by the closure's own end, never while it runs.
@MainActor
final class SignalBox {
  static var live = 0
  let body: @MainActor (SignalArguments) -> Void

  init(_ body: @escaping @MainActor (SignalArguments) -> Void) {
    self.body = body
    SignalBox.live += 1
  }

  isolated deinit { SignalBox.live -= 1 }
}

let signalTrampoline: gs_signal_call = { box, result, count, values in
  // The pointers do not leave this call, which GObject makes on the main thread.
  nonisolated(unsafe) let (box, result, values) = (box, result, values)
  MainActor.assumeIsolated {
    guard let box, let values else { return }
    let body = Unmanaged<SignalBox>.fromOpaque(box).takeUnretainedValue().body
    body(SignalArguments(result: result, count: Int(count), values: values))
  }
}

let signalRelease: GDestroyNotify = { box in
  if let box { Unmanaged<SignalBox>.fromOpaque(box).release() }
}
