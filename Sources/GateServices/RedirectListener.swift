import GLibKit
import GateCore
import Glibc

/// One wait for the browser to come back to this computer, with a process of its own.
///
/// Main thread. `app-gates-web` listens, since nothing in the app does; it knows the word that the browser brings back, so
/// that whatever else comes is answered there. The process is held until it has been reaped.
@MainActor
final class RedirectListener {
  /// How long the browser is waited for, in milliseconds.
  static let deadline: Int64 = 600_000
  /// How much longer than the program itself we wait, in milliseconds.
  private static let patience: Int64 = 2_000
  /// How long the program may take to show its last page, in milliseconds.
  private static let farewell: Int64 = 5_000
  /// More than the longest of what it says, in bytes.
  private static let limit = 1 << 16

  /// How many processes have not been reaped, for tests that look for leaks.
  private(set) static var livingCount = 0

  private var heard: (@MainActor (RedirectEvent) -> Void)?
  private var process: pid_t = -1
  private var channel: OwnedDescriptor?
  private var watch: DescriptorWatch?
  private var timer: Timer?
  private var said: [UInt8] = []

  init(
    _ program: WebProgram, _ request: RedirectRequest, deadline: Int64 = RedirectListener.deadline,
    heard: @escaping @MainActor (RedirectEvent) -> Void
  ) {
    self.heard = heard
    guard let started = program.start(RedirectWire.encode(request, deadline: deadline)) else {
      // Not from here: the caller does not have the way to cancel yet.
      let fault = program.descriptor < 0 ? RedirectFault.notInstalled : .crashed
      MainLoop.wake { [self] in end(.failed(fault)) }
      return
    }
    process = started.process
    channel = started.channel
    watch = DescriptorWatch(started.channel.number) { [weak self] in self?.receive() }
    RedirectListener.livingCount += 1
    // It holds us until the process has been reaped: until then its id cannot come to mean another one.
    ChildWatch.add(process) { [self] _ in exited() }
    timer = MainLoop.after(deadline + RedirectListener.patience) { [weak self] in self?.end(.failed(.timedOut)) }
  }

  /// Ends the process; nothing is heard any more.
  func cancel() {
    heard = nil
    release()
  }

  private func receive() {
    guard let channel else { return }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(channel.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
    // Its exit decides; without this the watch would fire without end.
    guard count > 0 else { return watch = nil }
    said += bytes[..<count]
    if said.count > RedirectListener.limit { return end(.failed(.crashed)) }
    while let event = RedirectWire.next(&said) {
      switch event {
      case .listening: heard?(event)
      case .arrived: return arrived(event)
      case .failed: return end(event)
      }
    }
  }

  /// The browser is to have its page: the process ends by itself, or is ended a few seconds later.
  private func arrived(_ event: RedirectEvent) {
    let heard = self.heard
    self.heard = nil
    watch = nil
    // Held by its timer: whoever waited for it lets go of it now.
    timer = MainLoop.after(RedirectListener.farewell) { [self] in release() }
    heard?(event)
  }

  private func exited() {
    process = -1
    RedirectListener.livingCount -= 1
    // What it said last may still be in the channel.
    while watch != nil, heard != nil {
      let before = said.count
      receive()
      if said.count == before { break }
    }
    end(.failed(.crashed))
  }

  private func end(_ event: RedirectEvent) {
    let heard = self.heard
    cancel()
    heard?(event)
  }

  private func release() {
    timer = nil
    watch = nil
    channel = nil
    said = []
    if process > 0 { kill(process, SIGKILL) }
  }
}
