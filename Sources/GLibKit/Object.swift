import CGLib
import GLibShim

/// A reference to a GObject, held for as long as the Swift object lives.
///
/// Main thread only. Signal handlers that capture an ancestor of the object they are connected to must capture it
/// weakly: the closure belongs to the object, and a strong capture would keep the whole tree for ever.
@MainActor
open class Object {
  /// The instance itself.
  public let raw: UnsafeMutableRawPointer

  /// How many references are held now, for tests that look for leaks.
  public private(set) static var live = 0

  /// Takes a new object, whose floating reference is sunk.
  public init(sinking pointer: UnsafeMutableRawPointer) {
    raw = g_object_ref_sink(pointer)
    Object.live += 1
  }

  /// Takes an object that came with a full reference.
  public init(owning pointer: UnsafeMutableRawPointer) {
    raw = pointer
    Object.live += 1
  }

  /// Takes an object that belongs to someone else, with a reference of our own.
  public init(borrowing pointer: UnsafeMutableRawPointer) {
    raw = g_object_ref(pointer)
    Object.live += 1
  }

  isolated deinit {
    Object.live -= 1
    g_object_unref(raw)
  }

  /// The instance as the opaque type that most GTK functions take.
  public var opaque: OpaquePointer { OpaquePointer(raw) }

  /// The instance as the structure that a function asks for; no check, as GTK's own cast macros do in release.
  public func cast<T>() -> UnsafeMutablePointer<T> { raw.assumingMemoryBound(to: T.self) }

  /// Runs the body at each emission of the signal, until the object goes.
  @discardableResult
  public func on(_ signal: String, _ body: @escaping @MainActor (SignalArguments) -> Void) -> Connection {
    let box = SignalBox(body)
    let id = gs_signal_connect(
      raw, signal, Unmanaged.passRetained(box).toOpaque(), signalTrampoline, signalRelease)
    return Connection(instance: raw, id: id)
  }

  /// Runs the body whenever the property changes.
  @discardableResult
  public func onChange(of property: String, _ body: @escaping @MainActor () -> Void) -> Connection {
    on("notify::" + property) { _ in body() }
  }

  /// Reads a boolean property.
  public func bool(_ property: String) -> Bool { gs_get_boolean(raw, property) != 0 }

  /// Sets a boolean property.
  public func set(_ property: String, _ value: Bool) { gs_set_boolean(raw, property, value ? 1 : 0) }

  /// Sets a string property.
  public func set(_ property: String, _ value: String) { gs_set_string(raw, property, value) }

  /// Sets an integer property, or an enumeration by its number.
  public func set(_ property: String, _ value: Int) { gs_set_int(raw, property, Int32(clamping: value)) }
}
