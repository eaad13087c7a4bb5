import GLibKit
import GateCore

extension SafeModeClient {
  /// On the app's own files; `leave` starts the program anew.
  ///
  /// The todos are those of `account` at that time. Where the settings are damaged or cannot be read, nobody can tell
  /// whose they are, and those of all accounts come one list after the other.
  @MainActor
  public static func live(
    _ paths: AppPaths, stores: TodoStores, account: @escaping @MainActor () -> Account,
    leave: @escaping @MainActor () -> Void
  ) -> SafeModeClient {
    let files = SafeModeFiles(paths: paths, stores: stores, account: account)
    return SafeModeClient(
      todos: { () throws(FileFault) in try files.todos() },
      save: { (text, path) throws(FileFault) in
        try Files.faulting { () throws(SystemError) in try Files.write([UInt8](text.utf8), to: path) }
      },
      damaged: { files.damaged },
      setAside: { (file) throws(FileFault) in try files.setAside(file) },
      leave: leave)
  }
}

extension PreferencesClient {
  /// Preferences in the user's own file, for safe mode: a damaged one is not repaired before the user asks for it.
  ///
  /// Until then a save throws `.damaged` or `.empty`.
  @MainActor
  public static func careful(_ paths: AppPaths) -> PreferencesClient {
    live(PreferencesFile(paths, wall: { Time.wall }, repairs: false))
  }
}

/// The files that safe mode exports and sets aside.
@MainActor
private final class SafeModeFiles {
  private let paths: AppPaths
  private let stores: TodoStores
  private let account: @MainActor () -> Account
  /// Whether the settings with the session were set aside in this run: what took their place knows of none.
  private var hasLostSettings = false

  init(paths: AppPaths, stores: TodoStores, account: @escaping @MainActor () -> Account) {
    self.paths = paths
    self.stores = stores
    self.account = account
  }

  /// The lists that are there; to open one that is not would make it.
  private var lists: [TodoStore] {
    if hasLostSettings { return stores.all() }
    if case .unreadable = PreferencesClient.peek(paths).state { return stores.all() }
    return [stores.store(of: account())].filter(\.exists)
  }

  func todos() throws(FileFault) -> String {
    let lists = lists
    guard !lists.isEmpty else { throw .missing }
    var todos: [Todo] = []
    for list in lists { todos += try list.load() }
    return TodoText.text(todos)
  }

  var damaged: [DamagedFile] {
    var found: [DamagedFile] = []
    switch PreferencesClient.peek(paths).state {
    case .unreadable(.damaged), .unreadable(.empty): found.append(.preferences(path: paths.display(paths.preferences)))
    case .absent, .sound, .repaired, .unreadable: break
    }
    for list in lists {
      do throws(FileFault) {
        _ = try list.load()
      } catch {
        if error == .damaged { found.append(.todos(path: list.shownPath)) }
      }
    }
    return found
  }

  func setAside(_ file: DamagedFile) throws(FileFault) -> String {
    switch file {
    case .todos(let path):
      guard let list = lists.first(where: { $0.shownPath == path }) else { throw .missing }
      return try list.setAside()
    case .preferences:
      // What a start does outside of safe mode: the fresh file has the lock on.
      switch PreferencesFile(paths, wall: { Time.wall }).load().state {
      case .repaired(let copy):
        hasLostSettings = true
        return copy
      case .unreadable(let fault): throw fault
      case .absent, .sound: throw .missing
      }
    }
  }
}
