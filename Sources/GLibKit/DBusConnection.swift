import CGLib

/// A connection to a message bus, which GIO shares among all who ask for the same bus.
///
/// Our reference to it goes with this.
final class DBusConnection: @unchecked Sendable {
  let raw: OpaquePointer?

  fileprivate init(from result: OpaquePointer, _ bus: DBusCall.Bus) throws(GLibError) {
    raw = try GLibError.check { g_bus_get_finish(result, $0) }
    // GIO ends the process with a shared connection. The session goes with its bus; that of the system only restarts.
    if bus == .system { g_dbus_connection_set_exit_on_close(raw, 0) }
  }

  deinit { if let raw { g_object_unref(UnsafeMutableRawPointer(raw)) } }
}

extension DBusCall.Bus {
  /// Looks for the bus, in the manner of `AsyncCall`.
  func begin(
    _ cancellable: UnsafeMutablePointer<GCancellable>, _ ready: @escaping GAsyncReadyCallback,
    _ box: UnsafeMutableRawPointer
  ) {
    g_bus_get(self == .session ? G_BUS_TYPE_SESSION : G_BUS_TYPE_SYSTEM, cancellable, ready, box)
  }

  /// Takes what was found.
  @MainActor
  func finish(_ result: OpaquePointer) throws(GLibError) -> DBusConnection { try DBusConnection(from: result, self) }
}
