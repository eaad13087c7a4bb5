import CGLib

/// Runs a body whenever there is something to read on a descriptor, or its other side has gone.
///
/// Main thread only. Dropping it, or `end()`, ends it; the descriptor stays open. It does not fire again in the same
/// turn of the loop.
@MainActor
public final class DescriptorWatch {
  private var source: guint = 0

  /// Watches the descriptor.
  public init(_ descriptor: Int32, _ body: @escaping @MainActor () -> Void) {
    let box = Unmanaged.passRetained(WatchBox(body)).toOpaque()
    let conditions = GIOCondition(G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue)
    source = g_unix_fd_add_full(
      G_PRIORITY_DEFAULT, descriptor, conditions,
      { _, _, box in
        nonisolated(unsafe) let box = box
        MainActor.assumeIsolated {
          guard let box else { return }
          // Held while it runs: the body may end the watch.
          let held = Unmanaged<WatchBox>.fromOpaque(box).takeUnretainedValue()
          held.body()
        }
        return 1
      }, box,
      { box in if let box { Unmanaged<WatchBox>.fromOpaque(box).release() } })
  }

  /// Ends it.
  public func end() {
    if source != 0 { g_source_remove(source) }
    source = 0
  }

  isolated deinit {
    if source != 0 { g_source_remove(source) }
  }
}

private final class WatchBox: Sendable {
  let body: @MainActor () -> Void
  init(_ body: @escaping @MainActor () -> Void) { self.body = body }
}
