import GLibKit
import GateCore

extension SafeModeClient {
  /// On the app's own files, the todos being those of `account` at that time; `leave` starts the program anew.
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
private struct SafeModeFiles {
  let paths: AppPaths
  let stores: TodoStores
  let account: @MainActor () -> Account

  var store: TodoStore { stores.store(of: account()) }

  func todos() throws(FileFault) -> String {
    // To open the list would make one.
    guard store.exists else { throw .missing }
    return TodoText.text(try store.load())
  }

  var damaged: [DamagedFile] {
    var found: [DamagedFile] = []
    switch PreferencesClient.peek(paths).state {
    case .unreadable(.damaged), .unreadable(.empty): found.append(.preferences(path: paths.display(paths.preferences)))
    case .absent, .sound, .repaired, .unreadable: break
    }
    do throws(FileFault) {
      if store.exists { _ = try store.load() }
    } catch {
      if error == .damaged { found.append(.todos(path: store.shownPath)) }
    }
    return found
  }

  func setAside(_ file: DamagedFile) throws(FileFault) -> String {
    switch file {
    case .todos: return try store.setAside()
    case .preferences:
      // What a start does outside of safe mode: the fresh file has the lock on.
      switch PreferencesFile(paths, wall: { Time.wall }).load().state {
      case .repaired(let copy): return copy
      case .unreadable(let fault): throw fault
      case .absent, .sound: throw .missing
      }
    }
  }
}
