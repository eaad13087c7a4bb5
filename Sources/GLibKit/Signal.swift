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
  /// Answers a signal that asks for an integer.
  public func answer(_ value: Int32) {
    if let result { g_value_set_int(result, value) }
  }
}

/// A handler that can be taken off again; dropping this leaves it on.
@MainActor
public final class Connection {
  // The instance itself is held weakly, not our wrapper of it: an instance often outlives the wrapper.
  private let instance: UnsafeMutablePointer<GWeakRef>
  private let id: gulong

  init(instance raw: UnsafeMutableRawPointer, id: gulong) {
    instance = .allocate(capacity: 1)
    g_weak_ref_init(instance, raw)
    self.id = id
  }

  isolated deinit {
    g_weak_ref_clear(instance)
    instance.deallocate()
  }

  /// Takes the handler off, where the object and the handler are still there.
  public func disconnect() {
    withInstance { raw in
      if g_signal_handler_is_connected(raw, id) != 0 { g_signal_handler_disconnect(raw, id) }
    }
  }

  /// Runs the body with the handler held back, so that a change made by the program is not taken for the user's.
  public func blocked(_ body: () -> Void) {
    withInstance { g_signal_handler_block($0, id) }
    body()
    withInstance { g_signal_handler_unblock($0, id) }
  }

  private func withInstance(_ body: (UnsafeMutableRawPointer) -> Void) {
    guard let raw = g_weak_ref_get(instance) else { return }
    body(raw)
    g_object_unref(raw)
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
