import GLibKit

/// What the program was asked to do by its arguments.
enum CommandLineRequest: Equatable {
  /// Show the window.
  case run
  /// Be started by D-Bus, and show a window only when asked.
  case service
  /// Show the window, and begin a new todo once the list is there.
  case newTodo
  case status, lock, version, help
  /// The argument is not known.
  case unknown(String)

  /// Reads the arguments after the program's name.
  ///
  /// One request at a time; a second one is not known.
  init(_ arguments: [String]) {
    guard let first = arguments.first else {
      self = .run
      return
    }
    if arguments.count > 1 {
      self = .unknown(arguments[1])
      return
    }
    switch first {
    case "--status": self = .status
    case "--lock": self = .lock
    case "--new-todo": self = .newTodo
    case "--version": self = .version
    case "--help", "-h": self = .help
    case "--gapplication-service": self = .service
    default: self = .unknown(first)
    }
  }

  /// What `--help` prints.
  static var helpText: String {
    let options = [
      ("--new-todo", tr("begin a new todo; where the app is locked, after the unlock")),
      ("--status  ", tr("print what each gate would do now, as JSON, without a display")),
      ("--lock    ", tr("lock the running instance")),
      ("--version ", tr("print the version")),
      ("--help    ", tr("print this text")),
    ]
    return [
      tr("Usage: app-gates [OPTION]"), "",
      tr("Shows the window of App Gates, or brings it to the front where it runs already."), "",
      options.map { "  \($0)  \($1)" }.joined(separator: "\n"), "",
      tr("Settings lie in %s.", "~/.config/app-gates/preferences.ini"),
    ].joined(separator: "\n")
  }
}
