import AuthWire
import GLibKit
import GateCore
import GateServices
import Gates
import Glibc

/// The program from its arguments to its exit status.
public enum Program {
  /// The application's id on the desktop and on the session bus.
  public static let id = "io.github.appgates.AppGates"
  /// The version, from its one source.
  public static let version = APP_GATES_VERSION

  /// Runs the program and ends the process.
  ///
  /// Call it on the first thread, once.
  @MainActor
  public static func main() -> Never {
    // What is printed comes out in the terminal's encoding.
    setlocale(LC_ALL, "")
    translate(in: DataFiles().translations)
    exit(run(CommandLineRequest(Array(CommandLine.arguments.dropFirst()))))
  }

  @MainActor
  private static func run(_ request: CommandLineRequest) -> Int32 {
    switch request {
    case .run: return window([])
    case .newTodo: return window([], action: App.newTodo)
    case .service: return window(["--gapplication-service"])
    case .version: print("app-gates \(version)")
    case .help: print(CommandLineRequest.helpText)
    case .status: print(StatusReport(AppPaths(), version: version, clock: .live).text(gates: RootView().outline))
    case .lock: return lock()
    case .unknown(let argument):
      complain(tr("“%s” is not an option. See app-gates --help.", argument))
      return 2
    }
    return 0
  }

  @MainActor
  private static func window(_ arguments: [String], action: String? = nil) -> Int32 {
    guard MainLoop.attach() else {
      complain(tr("the main loop cannot run the program’s jobs on this system. Please report this."))
      return 1
    }
    // Before GTK is there: it may crash as well, or find no display.
    let journal = RunJournal(AppPaths())
    journal.watch(version: version)
    EndSignals.onDisplayLoss(RunJournal.displayIsGone)
    let app = App(journal)
    // The handlers hold it weakly.
    let status = withExtendedLifetime(app) { app.run(["app-gates"] + arguments, action: action) }
    guard let safely = app.startsAgain else {
      RunJournal.end()
      return status
    }
    RunJournal.leave(safely: safely)
    Restart.become(DataFiles().running, name: "app-gates")
    complain(tr("the app could not start again by itself. Start it by hand."))
    return 1
  }

  @MainActor
  private static func lock() -> Int32 {
    switch RunningInstance.lock() {
    case .locked: return 0
    case .notRunning: complain(tr("there is nothing to lock: the app does not run, or waits on its first page."))
    case .lockIsOff: complain(tr("the app lock is off. Turn it on under Me, Account Security."))
    case .noBus: complain(tr("there is no session bus. Run this within your desktop session."))
    case .noAnswer: complain(tr("the running app does not answer. Try again."))
    }
    return 1
  }

  private static func complain(_ words: String) { Log.complain("app-gates: " + words) }
}

extension Clock {
  /// The system's clocks.
  static let live = Clock(wall: { Time.wall }, boot: { Time.boot }, east: Time.east)
}
