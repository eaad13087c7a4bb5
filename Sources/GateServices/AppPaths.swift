import GLibKit
import GateCore

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
  /// The todos of an account, an SQLite database.
  public func todos(of account: Account) -> String {
    todos(marked: Self.mark(account))
  }
  /// What is half-typed in an account's list of todos, a key file.
  public func todoDrafts(of account: Account) -> String {
    todoDrafts(marked: Self.mark(account))
  }
  func todos(marked mark: String) -> String { data + "/todos" + mark + ".sqlite3" }
  func todoDrafts(marked mark: String) -> String { data + "/todo-drafts" + mark + ".ini" }
  /// The todos of the desktop user.
  public var todos: String { todos(of: .local) }
  /// What is half-typed in the list of the desktop user.
  public var todoDrafts: String { todoDrafts(of: .local) }
  /// The folder of the todos, of what is half-typed, and of the session's secret where it is in a file.
  public var data: String { xdg.data + "/app-gates" }
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

  /// What tells the files of an account from those of others: nothing for the desktop user, whose were there before there
  /// were others; else a dash and 16 digits of a hash, since an issuer and a subject may hold anything.
  static func mark(_ account: Account) -> String {
    guard case .openID(let person) = account else { return "" }
    let hash = Sha256.bytes(Array(person.issuer.utf8) + [0] + Array(person.subject.utf8))
    return "-" + hash.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The mark in the name of a file of todos; nil for a name of another kind, such as that of a copy set aside.
  static func mark(of name: String) -> String? {
    let (head, tail) = ("todos", ".sqlite3")
    guard name.hasPrefix(head), name.hasSuffix(tail), name.utf8.count >= head.utf8.count + tail.utf8.count else {
      return nil
    }
    let mark = name.dropFirst(head.count).dropLast(tail.count)
    let digits = Set("0123456789abcdef")
    return mark.isEmpty || mark.count == 17 && mark.first == "-" && mark.dropFirst().allSatisfy(digits.contains)
      ? String(mark) : nil
  }

  /// The path as it is shown, `~` standing for the home folder: the user's name is often part of that.
  public func display(_ path: String) -> String {
    guard xdg.home != "/" else { return path }
    if path == xdg.home { return "~" }
    return path.hasPrefix(xdg.home + "/") ? "~" + path.dropFirst(xdg.home.count) : path
  }
}
