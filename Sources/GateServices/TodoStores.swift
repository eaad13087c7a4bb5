import GLibKit
import GateCore

/// The todos of each account, one database for each; the one of the session is open.
///
/// Main thread.
@MainActor
public final class TodoStores {
  private let paths: AppPaths
  private var last: (account: Account, store: TodoStore)?

  /// Stores on the app's own files; nothing is opened yet.
  public init(_ paths: AppPaths) { self.paths = paths }

  /// The store of an account, the same for as long as no other is asked for.
  public func store(of account: Account) -> TodoStore {
    if let last, last.account == account { return last.store }
    let store = TodoStore(paths, of: account)
    last = (account, store)
    return store
  }

  /// The stores of all lists that are here, for when nobody can tell whose session it is.
  func all() -> [TodoStore] {
    let names = (try? Files.names(in: paths.data)) ?? []
    return names.compactMap { AppPaths.mark(of: $0) }.map { mark in
      // One that is open is not opened a second time.
      if let last, paths.todos(of: last.account) == paths.todos(marked: mark) { return last.store }
      return TodoStore(paths, marked: mark, wall: { Time.wall })
    }
  }
}
