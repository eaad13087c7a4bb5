import GLibKit
import Glibc
import Synchronization

@MainActor
let mainLoopTests = Suite(
  "MainLoop",
  [
    Test("runs a MainActor task, on the first thread", runsTask),
    Test("runs Task.sleep", runsSleep),
    Test("runs what another thread asks for, on the first thread", runsWake),
    Test("rests while there is nothing to do", rests),
    Test("does not call a timer that was dropped", dropsTimer),
    Test("calls a timer once", timerFiresOnce),
  ])

@MainActor
private func runsTask() {
  var thread: pthread_t?
  Task { thread = pthread_self() }
  expect(thread == nil, "a task not to run before the loop turns")
  MainLoop.run(atMost: 2000) { thread != nil }
  expect(thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false, "the task on the first thread")
}

@MainActor
private func runsSleep() {
  var slept = 0
  let began = milliseconds()
  Task {
    try? await Task.sleep(for: .milliseconds(40))
    slept = milliseconds() - began
  }
  MainLoop.run(atMost: 2000) { slept > 0 }
  expect(slept >= 40 && slept < 1500, "a sleep of about 40 ms, not \(slept)")
}

@MainActor
private func runsWake() {
  let (woken, caller) = (Note(), Note())
  let thread = Thread {
    caller.thread = pthread_self()
    MainLoop.wake { woken.thread = pthread_self() }
  }
  MainLoop.run(atMost: 2000) { woken.thread != nil }
  thread.join()
  expect(woken.thread == pthread_self(), "the body on the first thread")
  expect(caller.thread.map { $0 != pthread_self() } ?? false, "the caller on another")
}

@MainActor
private func rests() {
  // A wake-up just before is what leaves the queue's descriptor readable, where it is not read.
  var ran = false
  Task { ran = true }
  MainLoop.run(atMost: 2000) { ran }
  let before = milliseconds(CLOCK_PROCESS_CPUTIME_ID)
  MainLoop.run(atMost: 300) { false }
  let spent = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - before
  expect(spent <= 10, "no CPU time over 300 idle ms, not \(spent) ms")
}

@MainActor
private func dropsTimer() {
  var fired = false
  _ = MainLoop.after(1) { fired = true }
  let cancelled = MainLoop.after(1) { fired = true }
  cancelled.cancel()
  MainLoop.run(atMost: 30) { false }
  expect(!fired, "neither the dropped nor the cancelled timer to fire")
}

@MainActor
private func timerFiresOnce() {
  var count = 0
  let timer = MainLoop.after(1) { count += 1 }
  MainLoop.run(atMost: 30) { false }
  expect(count, is: 1, "the number of calls")
  timer.cancel()
}

/// Which thread something ran on, noted there.
private final class Note: Sendable {
  private let noted = Mutex<pthread_t?>(nil)
  var thread: pthread_t? {
    get { noted.withLock { $0 } }
    set { noted.withLock { $0 = newValue } }
  }
}

/// A thread of the system's own, since Swift's tasks share too few.
final class Thread: Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  private let thread: pthread_t

  init(_ run: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let body = Unmanaged.passRetained(Body(run)).toOpaque()
    pthread_create(
      &thread, nil,
      { body in
        if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
        return nil
      }, body)
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }
}
