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
}
