/// A file of the app's that is damaged, and can be moved out of the way.
public enum DamagedFile: Hashable, Sendable {
  /// The settings, by the path that is shown.
  case preferences(path: String)
  /// The list, by the path that is shown.
  case todos(path: String)

  /// The path, with `~` for the home folder.
  public var path: String {
    switch self {
    case .preferences(let path), .todos(let path): path
    }
  }
}

/// What can be done in safe mode besides using the app.
///
/// Main thread. Nothing is read or written before one of them is called.
public struct SafeModeClient {
  /// The todos as text; throws where they cannot be read, `.missing` where there are none.
  public var todos: @MainActor () throws(FileFault) -> String
  /// Writes a text to a file of the user's choice.
  public var save: @MainActor (_ text: String, _ path: String) throws(FileFault) -> Void
  /// The files that are damaged now.
  public var damaged: @MainActor () -> [DamagedFile]
  /// Moves a damaged file beside and returns the path that it has then, as it is shown; nothing is deleted.
  public var setAside: @MainActor (DamagedFile) throws(FileFault) -> String
  /// Ends the program and starts it anew, without safe mode.
  public var leave: @MainActor () -> Void

  /// Takes all five.
  public init(
    todos: @escaping @MainActor () throws(FileFault) -> String,
    save: @escaping @MainActor (String, String) throws(FileFault) -> Void,
    damaged: @escaping @MainActor () -> [DamagedFile],
    setAside: @escaping @MainActor (DamagedFile) throws(FileFault) -> String,
    leave: @escaping @MainActor () -> Void
  ) {
    self.todos = todos
    self.save = save
    self.damaged = damaged
    self.setAside = setAside
    self.leave = leave
  }
}
