import CGLib

/// Waits for child processes that were started without GLib.
public enum ChildWatch {
  /// Runs the body once with the wait status when the child has ended and been reaped; it cannot be called off.
  ///
  /// Until the body has run, the process id is the child's. Main thread only.
  @MainActor
  public static func add(_ child: Int32, _ body: @escaping @MainActor (Int32) -> Void) {
    let box = Unmanaged.passRetained(ExitBox(body)).toOpaque()
    g_child_watch_add_full(
      G_PRIORITY_DEFAULT, child,
      { _, status, box in
        nonisolated(unsafe) let box = box
        MainActor.assumeIsolated {
          if let box { Unmanaged<ExitBox>.fromOpaque(box).takeUnretainedValue().body(status) }
        }
      }, box,
      { box in if let box { Unmanaged<ExitBox>.fromOpaque(box).release() } })
  }

  /// Whether a wait status says that the process ended by itself with code 0.
  public static func isSuccess(_ status: Int32) -> Bool { status == 0 }
}

private final class ExitBox: Sendable {
  let body: @MainActor (Int32) -> Void
  init(_ body: @escaping @MainActor (Int32) -> Void) { self.body = body }
}
