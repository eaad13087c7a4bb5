import CGLib
import Dispatch
import GLibShim

/// The main loop: timers, wake-ups from other threads, and the jobs of Swift's MainActor.
public enum MainLoop {
  /// Lets the loop run MainActor jobs; call once at start, on the first thread.
  ///
  /// False where it cannot.
  @MainActor
  public static func attach() -> Bool {
    // Dispatch is imported in this one file: without a use of it the queue's symbols are not linked.
    _ = DispatchQueue.main
    return gs_main_queue_attach() == 0
  }

  /// Runs the body on the main thread at the loop's next turn, ahead of redraws.
  ///
  /// Any thread.
  public static func wake(_ body: @escaping @MainActor @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Once(body)).toOpaque()
    g_idle_add_full(gint(G_PRIORITY_HIGH), runOnce, box, releaseOnce)
  }

  /// Runs the body once after so many milliseconds; dropping the timer calls it off.
  @MainActor
  public static func after(_ milliseconds: Int64, _ body: @escaping @MainActor () -> Void) -> Timer {
    Timer(milliseconds: milliseconds, body)
  }

  /// Runs the loop until the condition holds or the time is over; for programs without a GApplication, and tests.
  @MainActor
  @discardableResult
  public static func run(atMost milliseconds: Int64, until condition: () -> Bool) -> Bool {
    var isOver = false
    let timer = after(milliseconds) { isOver = true }
    defer { timer.cancel() }
    while !condition() {
      if isOver { return false }
      g_main_context_iteration(nil, 1)
    }
    return true
  }
}

/// A timer that fires once; it is called off when dropped.
@MainActor
public final class Timer {
  private var source: guint = 0
  private var body: (@MainActor () -> Void)?

  init(milliseconds: Int64, _ body: @escaping @MainActor () -> Void) {
    self.body = body
    let box = Unmanaged.passRetained(Once { [weak self] in self?.fire() }).toOpaque()
    source = g_timeout_add_full(
      gint(G_PRIORITY_DEFAULT), guint(clamping: max(0, milliseconds)), runOnce, box, releaseOnce)
  }

  private func fire() {
    source = 0
    let body = self.body
    self.body = nil
    body?()
  }

  /// Calls it off.
  public func cancel() {
    if source != 0 { g_source_remove(source) }
    source = 0
    body = nil
  }

  isolated deinit {
    if source != 0 { g_source_remove(source) }
  }
}

private final class Once: Sendable {
  let body: @MainActor @Sendable () -> Void
  init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }
}

private let runOnce: GSourceFunc = { box in
  guard let box else { return 0 }
  let once = Unmanaged<Once>.fromOpaque(box).takeUnretainedValue()
  MainActor.assumeIsolated { once.body() }
  return 0
}

private let releaseOnce: GDestroyNotify = { box in
  if let box { Unmanaged<Once>.fromOpaque(box).release() }
}
