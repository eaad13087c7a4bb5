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

  static let helpText = """
    Usage: app-gates [OPTION]

    Shows the window of App Gates, or brings it to the front where it runs already.

      --new-todo  begin a new todo; where the app is locked, after the unlock
      --status    print what each gate would do now, as JSON, without a display
      --lock      lock the running instance
      --version   print the version
      --help      print this text

    Settings lie in ~/.config/app-gates/preferences.ini.
    """
}
