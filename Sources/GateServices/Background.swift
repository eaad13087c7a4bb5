import GateCore

/// Work that takes longer than the main thread may be held up.
enum Background {
  /// Runs the body on another thread, to its end: cancelling the task that waits does not stop it.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(FileFault) -> Value
  ) async throws(FileFault) -> Value {
    let task = Task.detached { () -> Result<Value, FileFault> in
      do throws(FileFault) {
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }
    return try await task.value.get()
  }
}
