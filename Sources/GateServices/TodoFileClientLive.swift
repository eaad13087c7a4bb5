import GLibKit
import GateCore
import Glibc

extension TodoFileClient {
  /// Files of the user's choice, and the todos of a store.
  @MainActor
  public static func live(_ store: TodoStore, clock: Clock) -> TodoFileClient {
    TodoFileClient(
      read: { (path, todos, heard) async throws(TodoImportFault) in
        try await read(path, beside: todos, at: clock.wall(), heard)
      },
      add: { (todos) async throws(FileFault) in try await store.append(todos) },
      takeBack: { (todos) async throws(FileFault) in try await store.take(back: todos) },
      write: { (text, path) async throws(FileFault) in
        try await Background.run { () throws(FileFault) in
          guard Files.isReplaceable(path) else { throw .readOnly }
          try Files.faulting { () throws(SystemError) in try Files.write([UInt8](text.utf8), to: path) }
        }
      })
  }

  @MainActor
  private static func read(
    _ path: String, beside todos: [Todo], at now: Int64, _ heard: @escaping @MainActor @Sendable (Double) -> Void
  ) async throws(TodoImportFault) -> TodoImport {
    let task = Task.detached { () -> Result<TodoImport, TodoImportFault> in
      do throws(TodoImportFault) {
        let found = try TodoImport(bytes(of: path), beside: todos, at: now) { part in
          MainLoop.wake { heard(part) }
          return !Task.isCancelled
        }
        return .success(found)
      } catch {
        return .failure(error)
      }
    }
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }.get()
  }

  private static func bytes(of path: String) throws(TodoImportFault) -> [UInt8] {
    do throws(SystemError) {
      return try Files.read(path, limit: TodoImport.sizeLimit)
    } catch {
      switch error.code {
      case EISDIR: throw .folder
      // A pipe or a device: the first is asked for its kind, a socket cannot even be opened.
      case EINVAL, ENXIO: throw .notAFile
      case EFBIG: throw .tooLarge
      default: throw .file(FileFault(error))
      }
    }
  }
}
