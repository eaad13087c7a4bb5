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
    let connection = try await AsyncCall.run(atMost: milliseconds, bus.begin, finish: bus.finish)
    let left = max(1, milliseconds - (Int64(g_get_monotonic_time()) / 1000 - start))
    return try await AsyncCall.run(atMost: left, begin(connection), finish: finish(connection))
  }

  /// The same over a connection that is there already.
  @MainActor
  public func send(over connection: DBusConnection, atMost milliseconds: Int64) async throws(CallFault) -> Variant {
    try await AsyncCall.run(atMost: milliseconds, begin(connection), finish: finish(connection))
  }

  /// The same for code that is not async; `done` runs once, in a later turn of the main loop.
  @MainActor
  public func start(atMost milliseconds: Int64, _ done: @escaping @MainActor (Result<Variant, CallFault>) -> Void) {
    start(
      atMost: milliseconds,
      connected: { connection, left, done in
        AsyncCall.start(atMost: left, begin(connection), finish: finish(connection), done: done)
      }, done)
  }

  /// Finds the bus, and goes on with what is left of the time, in milliseconds.
  @MainActor
  func start<Value>(
    atMost milliseconds: Int64,
    connected:
      @escaping @MainActor (DBusConnection, Int64, @escaping @MainActor (Result<Value, CallFault>) -> Void) ->
      Void,
    _ done: @escaping @MainActor (Result<Value, CallFault>) -> Void
  ) {
    let start = Int64(g_get_monotonic_time()) / 1000
    AsyncCall.start(atMost: milliseconds, bus.begin, finish: bus.finish) { found in
      switch found {
      case .failure(let fault): done(.failure(fault))
      case .success(let connection):
        connected(connection, max(1, milliseconds - (Int64(g_get_monotonic_time()) / 1000 - start)), done)
      }
    }
  }

  @MainActor
  private func begin(_ connection: DBusConnection) -> AsyncCall<Variant>.Begin {
    { cancellable, ready, box in
      g_dbus_connection_call(
        // No second clock: its own time-out would come out as an error of another kind than our deadline.
        connection.raw, service, path, interface, method, arguments?.raw, nil, flags, gint.max, cancellable, ready, box)
    }
  }

  var flags: GDBusCallFlags { startsService ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START }

  @MainActor
  private func finish(_ connection: DBusConnection) -> AsyncCall<Variant>.Finish {
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
