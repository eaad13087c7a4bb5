import CGLib

/// One method call on D-Bus, with a deadline over all of it: finding the bus, the call, the answer.
public struct DBusCall: Sendable {
  /// Which bus.
  public enum Bus: Sendable {
    case session
    case system
  }

  /// Which bus.
  public var bus: Bus
  /// The name of the service, such as `org.freedesktop.secrets`.
  public var service: String
  /// The object's path.
  public var path: String
  /// The interface of the method.
  public var interface: String
  /// The method.
  public var method: String
  /// The arguments, a tuple; nil for none.
  public var arguments: Variant?
  /// Whether a service that is not running may be started for the call.
  public var startsService: Bool

  /// Describes a call.
  public init(
    _ bus: Bus, service: String, path: String, interface: String, method: String, arguments: Variant? = nil,
    startsService: Bool = true
  ) {
    self.bus = bus
    self.service = service
    self.path = path
    self.interface = interface
    self.method = method
    self.arguments = arguments
    self.startsService = startsService
  }

  /// Makes the call and returns the answer, a tuple; cancelling the task calls it off.
  ///
  /// Never blocks.
  @MainActor
  public func send(atMost milliseconds: Int64) async throws(CallFault) -> Variant {
    let start = Int64(g_get_monotonic_time()) / 1000
    let connection = try await AsyncCall.run(atMost: milliseconds, connect, finish: Connection.init(from:))
    let left = max(1, milliseconds - (Int64(g_get_monotonic_time()) / 1000 - start))
    return try await AsyncCall.run(atMost: left, begin(connection), finish: finish(connection))
  }

  /// The same for code that is not async; `done` runs once, in a later turn of the main loop.
  @MainActor
  public func start(atMost milliseconds: Int64, _ done: @escaping @MainActor (Result<Variant, CallFault>) -> Void) {
    let start = Int64(g_get_monotonic_time()) / 1000
    AsyncCall.start(atMost: milliseconds, connect, finish: Connection.init(from:)) { connected in
      switch connected {
      case .failure(let fault): done(.failure(fault))
      case .success(let connection):
        let left = max(1, milliseconds - (Int64(g_get_monotonic_time()) / 1000 - start))
        AsyncCall.start(atMost: left, begin(connection), finish: finish(connection), done: done)
      }
    }
  }

  private func connect(
    _ cancellable: UnsafeMutablePointer<GCancellable>, _ ready: @escaping GAsyncReadyCallback,
    _ box: UnsafeMutableRawPointer
  ) {
    g_bus_get(bus == .session ? G_BUS_TYPE_SESSION : G_BUS_TYPE_SYSTEM, cancellable, ready, box)
  }

  @MainActor
  private func begin(_ connection: Connection) -> AsyncCall<Variant>.Begin {
    { cancellable, ready, box in
      g_dbus_connection_call(
        connection.raw, service, path, interface, method, arguments?.raw, nil,
        // No second clock: its own time-out would come out as an error of another kind than our deadline.
        startsService ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START, gint.max, cancellable, ready, box)
    }
  }

  @MainActor
  private func finish(_ connection: Connection) -> AsyncCall<Variant>.Finish {
    { (result) throws(GLibError) in
      let answer = try GLibError.check { g_dbus_connection_call_finish(connection.raw, result, $0) }
      return answer.map { Variant(taking: $0) } ?? Variant(tuple: [])
    }
  }

  /// The D-Bus name of the error that the other side answered with, such as `net.reactivated.Fprint.Error.NoSuchDevice`.
  public static func remoteName(of error: GLibError) -> String? {
    let mark = "GDBus.Error:"
    guard error.message.hasPrefix(mark) else { return nil }
    return String(error.message.dropFirst(mark.count).prefix { $0 != ":" })
  }

  /// Whether the error means that nobody bears the name of the service.
  public static func isNobody(_ error: GLibError) -> Bool {
    let codes = [
      G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER, G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND,
      G_DBUS_ERROR_SPAWN_EXEC_FAILED, G_DBUS_ERROR_SPAWN_FAILED, G_DBUS_ERROR_SPAWN_CHILD_EXITED,
      G_DBUS_ERROR_SPAWN_CHILD_SIGNALED,
    ]
    return codes.contains { error.matches(g_dbus_error_quark(), Int32(bitPattern: $0.rawValue)) }
  }
}

extension DBusCall {
  /// The connection, which GIO shares among all who ask for the same bus; our reference to it goes with this.
  private final class Connection: @unchecked Sendable {
    let raw: OpaquePointer?

    init(from result: OpaquePointer) throws(GLibError) {
      raw = try GLibError.check { g_bus_get_finish(result, $0) }
    }

    deinit { if let raw { g_object_unref(UnsafeMutableRawPointer(raw)) } }
  }
}
