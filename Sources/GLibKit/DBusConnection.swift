import CGLib

/// A connection to a message bus, which GIO shares among all who ask for the same bus; or one of our own.
///
/// Our reference to it goes with this, and one of our own is closed with it.
public final class DBusConnection: @unchecked Sendable {
  let raw: OpaquePointer?
  private let isOwn: Bool

  fileprivate init(from result: OpaquePointer, _ bus: DBusCall.Bus) throws(GLibError) {
    raw = try GLibError.check { g_bus_get_finish(result, $0) }
    isOwn = false
    // GIO ends the process with a shared connection. The session goes with its bus; that of the system only restarts.
    if bus == .system { g_dbus_connection_set_exit_on_close(raw, 0) }
  }

  fileprivate init(ownFrom result: OpaquePointer) throws(GLibError) {
    raw = try GLibError.check { g_dbus_connection_new_for_address_finish(result, $0) }
    isOwn = true
  }

  deinit {
    guard let raw else { return }
    if isOwn { g_dbus_connection_close(raw, nil, nil, nil) }
    g_object_unref(UnsafeMutableRawPointer(raw))
  }

  /// Connects to the system bus anew, for a few calls: some services count whoever has asked them as their client for
  /// as long as the connection lasts.
  ///
  /// Main thread; never blocks.
  @MainActor
  public static func own(atMost milliseconds: Int64) async throws(CallFault) -> DBusConnection {
    try await AsyncCall.run(
      atMost: milliseconds,
      { cancellable, ready, box in
        // No more than a look at the environment; without an address the call below says so.
        let address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, nil, nil)
        let flags =
          G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
          | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        g_dbus_connection_new_for_address(address, GDBusConnectionFlags(flags), nil, cancellable, ready, box)
        g_free(address)
      }, finish: { (result) throws(GLibError) in try DBusConnection(ownFrom: result) })
  }
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
