import CGLib

/// A signal that has come over D-Bus.
public struct DBusSignal: Sendable {
  /// The object that sent it.
  public let path: String
  /// The interface of the signal.
  public let interface: String
  /// Its name.
  public let member: String
  /// What it says, a tuple.
  public let arguments: Variant
}

/// Which signals of a service are listened for.
public struct DBusMatch: Hashable, Sendable {
  /// The object; nil for any.
  public var path: String?
  /// The interface of the signal.
  public var interface: String
  /// Its name; nil for any.
  public var member: String?
  /// The first argument, a string; nil for any.
  public var firstArgument: String?

  /// Describes signals.
  public init(path: String? = nil, interface: String, member: String? = nil, firstArgument: String? = nil) {
    self.path = path
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }

  /// Changes of an object's properties: the signal says the interface, an `a{sv}` of new values, and names without.
  public static func properties(of interface: String, at path: String) -> DBusMatch {
    DBusMatch(
      path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged", firstArgument: interface)
  }
}

/// Follows a service on a message bus: whether somebody bears its name, and the signals that it sends.
///
/// Main thread only, and never blocks: a bus that is absent or hangs means silence. Dropping it ends it. Only signals
/// of the name's present owner are heard, by the unique name that the bus itself puts into each message: GIO of before
/// 2.80 also hands over what anybody else on the bus addresses to us directly (CVE-2024-34397). A service that
/// restarts is followed, and so is a system bus that does. The service is not started by this.
@MainActor
public final class DBusWatch {
  private let bus: DBusCall.Bus
  private let service: String
  private let matches: [DBusMatch]
  private let present: @MainActor (Bool) -> Void
  private let heard: @MainActor (DBusSignal) -> Void

  private var connection: DBusConnection?
  private var closed: Connection?
  private var name: guint = 0
  private var subscriptions: [guint] = []
  private var pending: AsyncCancel?
  private var pause: Timer?
  private var patience = DBusWatch.shortestPause

  /// How long a bus may take to answer, and how long to wait before it is looked for again, in milliseconds.
  private static let deadline: Int64 = 60_000
  private static let shortestPause: Int64 = 2_000
  private static let longestPause: Int64 = 256_000

  /// Begins to follow; `present` is told when the service comes or goes, `heard` each signal that matches.
  ///
  /// When `present` is told that the service has come, its signals are heard already: what is asked of it then is
  /// not older than what they say.
  public init(
    _ bus: DBusCall.Bus, service: String, _ matches: [DBusMatch],
    present: @escaping @MainActor (Bool) -> Void = { _ in }, heard: @escaping @MainActor (DBusSignal) -> Void
  ) {
    self.bus = bus
    self.service = service
    self.matches = matches
    self.present = present
    self.heard = heard
    connect()
  }

  isolated deinit {
    pending?.callOff()
    release()
  }

  private func connect() {
    pending = AsyncCall.start(atMost: DBusWatch.deadline, bus.begin, finish: bus.finish) { [weak self] result in
      guard let self else { return }
      pending = nil
      switch result {
      case .success(let connection): follow(connection)
      case .failure: retry()
      }
    }
  }

  private func follow(_ connection: DBusConnection) {
    guard let raw = connection.raw else { return }
    self.connection = connection
    closed = Object(borrowing: UnsafeMutableRawPointer(raw)).on("closed") { [weak self] _ in self?.lost() }
    let box = Unmanaged.passRetained(WatchBox(self)).toOpaque()
    name = g_bus_watch_name_on_connection(
      raw, service, G_BUS_NAME_WATCHER_FLAGS_NONE,
      { _, _, owner, box in
        nonisolated(unsafe) let (owner, box) = (owner, box)
        MainActor.assumeIsolated { WatchBox.watch(box)?.came(owner.map { String(cString: $0) }) }
      },
      { _, _, box in
        nonisolated(unsafe) let box = box
        MainActor.assumeIsolated { WatchBox.watch(box)?.went() }
      }, box, WatchBox.release)
  }

  private func came(_ owner: String?) {
    guard let raw = connection?.raw, let owner else { return }
    patience = DBusWatch.shortestPause
    unsubscribe()
    subscriptions = matches.map { match in
      g_dbus_connection_signal_subscribe(
        raw, owner, match.interface, match.member, match.path, match.firstArgument, G_DBUS_SIGNAL_FLAGS_NONE,
        { _, _, path, interface, member, arguments, box in
          nonisolated(unsafe) let (path, interface, member, arguments, box) = (path, interface, member, arguments, box)
          MainActor.assumeIsolated {
            guard let path, let interface, let member, let arguments, let watch = WatchBox.watch(box) else { return }
            watch.heard(
              DBusSignal(
                path: String(cString: path), interface: String(cString: interface), member: String(cString: member),
                arguments: Variant(borrowing: arguments)))
          }
        }, Unmanaged.passRetained(WatchBox(self)).toOpaque(), WatchBox.release)
    }
    isPresent = true
    present(true)
  }

  private var isPresent = false

  private func went() {
    unsubscribe()
    guard isPresent else { return }
    isPresent = false
    present(false)
  }

  /// The bus itself has gone.
  private func lost() {
    release()
    went()
    retry()
  }

  /// Only the system's bus comes again; to look for that of the session once more could start one.
  private func retry() {
    guard bus == .system else { return }
    pause = MainLoop.after(patience) { [weak self] in
      self?.pause = nil
      self?.connect()
    }
    patience = min(patience * 2, DBusWatch.longestPause)
  }

  private func unsubscribe() {
    for subscription in subscriptions { g_dbus_connection_signal_unsubscribe(connection?.raw, subscription) }
    subscriptions = []
  }

  private func release() {
    closed?.disconnect()
    closed = nil
    if name != 0 { g_bus_unwatch_name(name) }
    name = 0
    unsubscribe()
    // GIO hands out a closed connection for as long as somebody holds on to it.
    connection = nil
  }
}

/// Leads from GIO's callbacks, which may come late, to a watch that may be gone.
@MainActor
private final class WatchBox {
  private weak var watch: DBusWatch?

  init(_ watch: DBusWatch) { self.watch = watch }

  static func watch(_ box: UnsafeMutableRawPointer?) -> DBusWatch? {
    box.flatMap { Unmanaged<WatchBox>.fromOpaque($0).takeUnretainedValue().watch }
  }

  static let release: GDestroyNotify = { box in
    if let box { Unmanaged<WatchBox>.fromOpaque(box).release() }
  }
}
