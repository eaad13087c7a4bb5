import CGLib

/// Why an asynchronous call brought no result.
public enum CallFault: Error, Hashable, Sendable {
  /// The deadline passed.
  case timedOut
  /// The task that waited was cancelled.
  case cancelled
  /// The call failed.
  case failed(GLibError)
}

/// One asynchronous call in GIO's manner, with a deadline that holds even where the other side never answers.
///
/// Main thread only.
@MainActor
public final class AsyncCall<Value: Sendable> {
  /// Makes the call, with these three arguments at its end.
  public typealias Begin =
    (UnsafeMutablePointer<GCancellable>, @escaping GAsyncReadyCallback, UnsafeMutableRawPointer) -> Void
  /// Calls the `_finish` function with the result, a `GAsyncResult`.
  public typealias Finish = @MainActor (OpaquePointer) throws(GLibError) -> Value

  private let cancellable = Object(owning: UnsafeMutableRawPointer(g_cancellable_new()))
  private let finish: Finish
  private var done: (@MainActor (Result<Value, CallFault>) -> Void)?
  private var deadline: Timer?

  private init(
    finish: @escaping Finish,
    done: @escaping @MainActor (Result<Value, CallFault>) -> Void
  ) {
    self.finish = finish
    self.done = done
  }

  /// Starts a call; `done` runs exactly once, in a later turn of the loop or at the deadline in milliseconds.
  ///
  /// After the deadline or a cancel, `finish` is not called, and what still comes is dropped.
  /// Returns what calls it off: `done` then runs at once with `.cancelled`.
  @discardableResult
  public static func start(
    atMost milliseconds: Int64,
    _ begin: Begin,
    finish: @escaping Finish,
    done: @escaping @MainActor (Result<Value, CallFault>) -> Void
  ) -> AsyncCancel {
    let call = AsyncCall(finish: finish, done: done)
    let box = AsyncBox { call.ready($0) }
    // Held by the call in flight, and given back by its callback.
    begin(call.cancellable.cast(), asyncReady, Unmanaged.passRetained(box).toOpaque())
    call.deadline = MainLoop.after(milliseconds) { [weak call] in call?.end(.timedOut) }
    return AsyncCancel { [weak call] in call?.end(.cancelled) }
  }

  /// The same for an async function; cancelling the task cancels the call.
  public static func run(
    atMost milliseconds: Int64,
    _ begin: Begin,
    finish: @escaping Finish
  ) async throws(CallFault) -> Value {
    if Task.isCancelled { throw .cancelled }
    let handle = CancelHandle()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, CallFault>, Never>) in
        handle.cancel = start(atMost: milliseconds, begin, finish: finish) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      MainLoop.wake { handle.cancel?.callOff() }
    }
    return try result.get()
  }

  private func ready(_ result: OpaquePointer) {
    guard done != nil else { return }
    do throws(GLibError) {
      answer(.success(try finish(result)))
    } catch {
      answer(.failure(error.isCancelled ? .cancelled : .failed(error)))
    }
  }

  private func end(_ fault: CallFault) {
    guard done != nil else { return }
    answer(.failure(fault))
    g_cancellable_cancel(cancellable.cast())
  }

  private func answer(_ result: Result<Value, CallFault>) {
    deadline?.cancel()
    deadline = nil
    let body = done
    done = nil
    body?(result)
  }
}

/// Calls a call in flight off; dropping it does not.
@MainActor
public final class AsyncCancel {
  private let body: @MainActor () -> Void
  init(_ body: @escaping @MainActor () -> Void) { self.body = body }
  /// Calls it off, where it has not ended.
  public func callOff() { body() }
}

@MainActor
private final class CancelHandle {
  var cancel: AsyncCancel?
}

@MainActor
private final class AsyncBox {
  let body: @MainActor (OpaquePointer) -> Void
  init(_ body: @escaping @MainActor (OpaquePointer) -> Void) { self.body = body }
}

private let asyncReady: GAsyncReadyCallback = { _, result, box in
  nonisolated(unsafe) let (result, box) = (result, box)
  MainActor.assumeIsolated {
    guard let result, let box else { return }
    Unmanaged<AsyncBox>.fromOpaque(box).takeRetainedValue().body(result)
  }
}
