import GLibKit

/// The instance of the app that runs in this session, spoken to over D-Bus.
@MainActor
public enum RunningInstance {
  private static let name = "io.github.appgates.AppGates"
  private static let path = "/io/github/appgates/AppGates"
  private static let interface = "org.gtk.Actions"

  /// What became of the wish to lock it.
  public enum LockOutcome: Hashable, Sendable {
    case locked
    /// The app does not run in this session, or has no window there yet: there is nothing to lock.
    case notRunning
    /// It runs, and its app lock is switched off.
    case lockIsOff
    /// There is no session bus to reach it on.
    case noBus
    /// It runs, and did not answer in time.
    case noAnswer
  }

  /// Locks it, and returns when it has.
  ///
  /// For the command line: runs the main loop, for at most the time given twice.
  public static func lock(atMost milliseconds: Int64 = 5_000) -> LockOutcome {
    var outcome: LockOutcome?
    ask(atMost: milliseconds) { outcome = $0 }
    MainLoop.run(atMost: milliseconds * 2) { outcome != nil }
    return outcome ?? .noAnswer
  }

  private static func ask(atMost milliseconds: Int64, _ done: @escaping @MainActor (LockOutcome) -> Void) {
    call("Describe", [Variant("lock")]).start(atMost: milliseconds) { answer in
      switch answer {
      case .failure(let fault): done(outcome(of: fault))
      case .success(let description):
        // ((enabled, type of parameter, state)); the app disables the action while its lock is off.
        guard description[0]?[0]?.bool == true else { return done(.lockIsOff) }
        activate(atMost: milliseconds, done)
      }
    }
  }

  private static func activate(atMost milliseconds: Int64, _ done: @escaping @MainActor (LockOutcome) -> Void) {
    let nothing = [Variant(parsing: "@av []"), Variant(parsing: "@a{sv} {}")].compactMap { $0 }
    call("Activate", [Variant("lock")] + nothing).start(atMost: milliseconds) { answer in
      switch answer {
      case .failure(let fault): done(outcome(of: fault))
      case .success: done(.locked)
      }
    }
  }

  private static func call(_ method: String, _ arguments: [Variant]) -> DBusCall {
    DBusCall(
      .session, service: name, path: path, interface: interface, method: method, arguments: Variant(tuple: arguments),
      startsService: false)
  }

  private static func outcome(of fault: CallFault) -> LockOutcome {
    switch fault {
    case .timedOut, .cancelled: return .noAnswer
    case .failed(let error):
      // GIO's answer for an action that is not there: started by D-Bus and without a window, the app has made none.
      let hasNoAction = DBusCall.remoteName(of: error) == "org.freedesktop.DBus.Error.InvalidArgs"
      if hasNoAction || DBusCall.isNobody(error) { return .notRunning }
      return error.isDBus ? .noAnswer : .noBus
    }
  }
}
