import GateCore

extension TodoClient {
  /// Todos in a store.
  @MainActor
  public static func live(_ store: TodoStore) -> TodoClient {
    TodoClient(
      load: { () throws(FileFault) in try store.load() },
      insert: { (todo) throws(FileFault) in try store.insert(todo) },
      restore: { (todo) throws(FileFault) in try store.restore(todo) },
      update: { (todo) throws(FileFault) in try store.update(todo) },
      delete: { (id) throws(FileFault) in try store.delete(id) })
  }
}
