import GLibKit

/// What logind tells of this user's session and of sleep.
///
/// The session is the one that logind calls the user's display: a program that D-Bus has started is in no session of
/// its own. A logind that restarts is followed; one that hangs is waited for, at no cost. Main thread only.
@MainActor
final class LoginSession {
  enum News: Hashable {
    /// logind has come, or has gone.
    case present(Bool)
    case lockRequested
    case screenLocked(Bool)
    /// Whether the session is the one in front.
    case active(Bool)
    /// Whether the computer is about to sleep.
    case preparesForSleep(Bool)
  }

  static let service = "org.freedesktop.login1"
  static let root = "/org/freedesktop/login1"
  static let manager = service + ".Manager"
  private static let session = service + ".Session"

  /// How long logind may take for an answer before it is asked again, in milliseconds.
  private static let deadline: Int64 = 120_000

  private let tell: @MainActor (News) -> Void
  private var managerWatch: DBusWatch?
  private var sessionWatch: DBusWatch?
  private var path: String?
  /// Whether the session's signals are heard and its state was read; for tests, which tell it something then.
  private(set) var isFollowing = false
  /// Rises when logind comes or goes: what an older one answers counts no more.
  private var generation = 0

  /// Begins to follow; `tell` is told all news until this is dropped.
  init(_ tell: @escaping @MainActor (News) -> Void) {
    self.tell = tell
    let matches = ["PrepareForSleep", "SessionNew", "SessionRemoved"].map {
      DBusMatch(path: Self.root, interface: Self.manager, member: $0)
    }
    managerWatch = DBusWatch(
      .system, service: Self.service, matches, present: { [weak self] in self?.present($0) },
      heard: { [weak self] in self?.heard($0) })
  }

  private func present(_ isPresent: Bool) {
    generation += 1
    leaveSession()
    tell(.present(isPresent))
    guard isPresent else { return }
    ask(.property("PreparingForSleep", .system, service: Self.service, path: Self.root, interface: Self.manager)) {
      if let isPreparing = $0.flatMap(DBusCall.value)?.bool { $1.tell(.preparesForSleep(isPreparing)) }
    }
    findSession()
  }

  private func heard(_ signal: DBusSignal) {
    switch signal.member {
    case "PrepareForSleep":
      if let isPreparing = signal.arguments[0]?.bool { tell(.preparesForSleep(isPreparing)) }
    case "SessionNew":
      if path == nil { findSession() }
    case "SessionRemoved":
      guard let path, signal.arguments[1]?.text == path else { return }
      leaveSession()
      findSession()
    default:
      break
    }
  }

  // MARK: The session

  private func findSession() {
    let user = Self.service + ".User"
    ask(.property("Display", .system, service: Self.service, path: Self.root + "/user/self", interface: user)) {
      if let path = $0.flatMap(DBusCall.value)?[1]?.text, path != "/" { return $1.follow(path) }
      // Older than that property, or no display: the session of this process, or else the user's most fitting one.
      let auto = DBusCall(
        .system, service: Self.service, path: Self.root, interface: Self.manager, method: "GetSession",
        arguments: Variant(tuple: [Variant("auto")]))
      $1.ask(auto) { if let path = $0?[0]?.text, path != "/" { $1.follow(path) } }
    }
  }

  private func follow(_ path: String) {
    guard path != self.path else { return }
    self.path = path
    let matches = [
      DBusMatch(path: path, interface: Self.session, member: "Lock"), .properties(of: Self.session, at: path),
    ]
    sessionWatch = DBusWatch(
      .system, service: Self.service, matches,
      present: { [weak self] isPresent in if isPresent { self?.readSession(path) } },
      heard: { [weak self] in self?.heardSession($0) })
  }

  private func leaveSession() {
    sessionWatch = nil
    path = nil
    isFollowing = false
  }

  private func heardSession(_ signal: DBusSignal) {
    if signal.member == "Lock" { return tell(.lockRequested) }
    guard let changes = signal.arguments[1] else { return }
    if let isLocked = changes.value(of: "LockedHint")?.bool { tell(.screenLocked(isLocked)) }
    if let isActive = changes.value(of: "Active")?.bool { tell(.active(isActive)) }
  }

  private func readSession(_ path: String) {
    let all = DBusCall(
      .system, service: Self.service, path: path, interface: "org.freedesktop.DBus.Properties", method: "GetAll",
      arguments: Variant(tuple: [Variant(Self.session)]))
    ask(all) {
      guard $1.path == path, let values = $0?[0] else { return }
      $1.isFollowing = true
      if let isLocked = values.value(of: "LockedHint")?.bool { $1.tell(.screenLocked(isLocked)) }
      // A text console that is not in front says nothing of a desktop that logind does not know, such as VNC's.
      let isGraphical = ["x11", "wayland", "mir"].contains(values.value(of: "Type")?.text ?? "")
      if let isActive = values.value(of: "Active")?.bool, isActive || isGraphical { $1.tell(.active(isActive)) }
    }
  }

  // MARK: Asking

  /// Asks until there is an answer: nil where it is an error, nothing where logind has come or gone meanwhile.
  private func ask(_ call: DBusCall, _ answered: @escaping @MainActor (Variant?, LoginSession) -> Void) {
    var call = call
    // Only a logind that is there is asked; to start one is the system's business.
    call.startsService = false
    call.start(atMost: Self.deadline) { [weak self, generation, call] result in
      guard let self, generation == self.generation else { return }
      switch result {
      case .success(let answer): answered(answer, self)
      case .failure(let fault) where fault.isSilence: ask(call, answered)
      case .failure: answered(nil, self)
      }
    }
  }
}

extension CallFault {
  /// Whether the other side is there and said nothing in time, by our clock or by the bus's.
  fileprivate var isSilence: Bool {
    switch self {
    case .timedOut: true
    case .cancelled: false
    case .failed(let error): DBusCall.remoteName(of: error) == "org.freedesktop.DBus.Error.NoReply"
    }
  }
}
