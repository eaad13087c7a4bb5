import CGLib

extension DBusCall {
  /// A call that reads one property; its answer is a tuple of a variant, and `value(in:)` takes the value out of it.
  public static func property(
    _ name: String, _ bus: Bus, service: String, path: String, interface: String, startsService: Bool = true
  ) -> DBusCall {
    DBusCall(
      bus, service: service, path: path, interface: "org.freedesktop.DBus.Properties", method: "Get",
      arguments: Variant(tuple: [Variant(interface), Variant(name)]), startsService: startsService)
  }

  /// The value in the answer to a call for a property.
  public static func value(in answer: Variant) -> Variant? { answer[0]?[0] }

  /// Makes a call whose answer is a descriptor, such as logind's Inhibit; `done` runs once, in a later turn.
  ///
  /// The descriptor is closed on exec. One that comes after the deadline is closed at once. Never blocks.
  @MainActor
  public func startForDescriptor(
    atMost milliseconds: Int64, _ done: @escaping @MainActor (Result<OwnedDescriptor, CallFault>) -> Void
  ) {
    start(
      atMost: milliseconds,
      connected: { connection, left, done in
        AsyncCall.start(
          atMost: left,
          { cancellable, ready, box in
            g_dbus_connection_call_with_unix_fd_list(
              connection.raw, service, path, interface, method, arguments?.raw, nil, flags, gint.max, nil, cancellable,
              ready, box)
          }, finish: { (result) throws(GLibError) in try DBusCall.descriptor(connection, result) }, done: done)
      }, done)
  }

  private static func descriptor(
    _ connection: DBusConnection, _ result: OpaquePointer
  ) throws(GLibError) -> OwnedDescriptor {
    var list: UnsafeMutablePointer<GUnixFDList>?
    let raw = try GLibError.check {
      g_dbus_connection_call_with_unix_fd_list_finish(connection.raw, &list, result, $0)
    }
    defer { if let list { g_object_unref(list) } }
    guard let list, let place = raw.map({ Variant(taking: $0) })?[0]?.handle else {
      throw GLibError(
        taking: g_error_new_literal(
          g_io_error_quark(), Int32(G_IO_ERROR_INVALID_DATA.rawValue), "There is no descriptor in the answer."))
    }
    // A duplicate of its own, closed on exec; the list closes the one that came.
    return OwnedDescriptor(taking: try GLibError.check { g_unix_fd_list_get(list, place, $0) })
  }
}
