/// How a todo.txt comes in and goes out.
///
/// Main thread; the work is done on another one, and the main loop turns meanwhile.
public struct TodoFileClient {
  /// Reads a file and compares it with the todos that are here; the closure hears how much is done, from 0 to 1.
  ///
  /// Cancelling the task that waits ends it with `.cancelled`.
  public var read:
    @MainActor (String, [Todo], @escaping @MainActor @Sendable (Double) -> Void) async throws(TodoImportFault) ->
      TodoImport
  /// Adds todos behind all others, all or none, and returns them with their ids and places.
  public var add: @MainActor ([Todo]) async throws(FileFault) -> [Todo]
  /// Deletes added ones again, all or none; those that were changed since stay.
  public var takeBack: @MainActor ([Todo]) async throws(FileFault) -> Void
  /// Puts a text in place of a file, whole or not at all, and on disk when it returns.
  public var write: @MainActor (_ text: String, _ path: String) async throws(FileFault) -> Void

  /// Takes the four ways.
  public init(
    read:
      @escaping @MainActor (String, [Todo], @escaping @MainActor @Sendable (Double) -> Void)
      async throws(TodoImportFault) -> TodoImport,
    add: @escaping @MainActor ([Todo]) async throws(FileFault) -> [Todo],
    takeBack: @escaping @MainActor ([Todo]) async throws(FileFault) -> Void,
    write: @escaping @MainActor (String, String) async throws(FileFault) -> Void
  ) {
    self.read = read
    self.add = add
    self.takeBack = takeBack
    self.write = write
  }
}
