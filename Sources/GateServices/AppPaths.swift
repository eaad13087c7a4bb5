import GLibKit

/// Where the app's files lie.
///
/// Nothing here touches the disk.
public struct AppPaths: Hashable, Sendable {
  /// The name of the app's folder in each of the user's and the system's.
  static let folder = "app-gates"

  private let xdg: XdgPaths

  /// The app's paths below the given ones; those of the process's environment unless others are given.
  public init(xdg: XdgPaths = XdgPaths()) { self.xdg = xdg }

  /// The preferences, a key file.
  public var preferences: String { xdg.config + "/app-gates/preferences.ini" }
  /// The todos, an SQLite database.
  public var todos: String { xdg.data + "/app-gates/todos.sqlite3" }
  /// What is half-typed in the list of todos, a key file.
  public var todoDrafts: String { xdg.data + "/app-gates/todo-drafts.ini" }
  /// The session's secret, where no Secret Service takes it.
  public var sessionKey: String { xdg.data + "/app-gates/session.key" }
  /// What the lock remembers from one run to the next.
  public var lock: String { xdg.state + "/app-gates/lock.ini" }
  /// The manifest of updates that was fetched last.
  public var manifest: String { xdg.cache + "/app-gates/manifest.ini" }
  /// The folder of what is counted.
  public var analytics: String { xdg.state + "/app-gates/analytics" }
  /// The folder of what crashed runs have written of themselves.
  public var crashes: String { xdg.state + "/app-gates/crashes" }
  /// The marker that is there while the app runs.
  public var run: String { xdg.state + "/app-gates/run" }
  /// The folder of the reports that the user sends.
  public var reports: String { xdg.state + "/app-gates/reports" }
  /// The desktop entry that starts the app at login.
  public var autostart: String { xdg.config + "/autostart/io.github.appgates.AppGates.desktop" }

  /// The packager's settings, the strongest first, whether they are there or not.
  public var secrets: [String] {
    ([xdg.config] + xdg.configFolders + xdg.dataFolders).map { $0 + "/app-gates/app-gates.conf" }
  }

  /// The path as it is shown, `~` standing for the home folder: the user's name is often part of that.
  public func display(_ path: String) -> String {
    guard xdg.home != "/" else { return path }
    if path == xdg.home { return "~" }
    return path.hasPrefix(xdg.home + "/") ? "~" + path.dropFirst(xdg.home.count) : path
  }
}
