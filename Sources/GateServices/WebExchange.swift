import GLibKit
import GateCore
import Glibc

/// One request, with a process of its own.
///
/// Main thread. An answer is one that is whole, in its form, and followed by an exit with 0. The process is held until it
/// has been reaped; whatever it does, it is ended when its time is over or it has said too much.
@MainActor
final class WebExchange {
  /// How much longer than the program itself we wait, in milliseconds: its own word on a deadline is better than ours.
  private static let patience: Int64 = 2_000
  /// For an answer's headers, in bytes.
  private static let headroom = 1 << 18
  /// How much is read in one turn of the loop, so that a flood does not hold up the window.
  private static let chunk = 1 << 16

  /// How many processes have not been reaped, for tests that look for leaks.
  private(set) static var livingCount = 0

  private let limit: Int
  private var done: (@MainActor (Result<WebAnswer, WebFault>) -> Void)?
  private var process: pid_t = -1
  private var channel: OwnedDescriptor?
  private var watch: DescriptorWatch?
  private var deadline: Timer?
  private var said: [UInt8] = []

  init(
    _ program: WebProgram, _ request: WebRequest, patience: Int64 = WebExchange.patience,
    done: @escaping @MainActor (Result<WebAnswer, WebFault>) -> Void
  ) {
    limit = min(request.limit, WebWire.limit)
    self.done = done
    if let fault = begin(program, request) {
      // Not from here: the caller does not have the way to cancel yet.
      MainLoop.wake { [self] in end(.failure(fault)) }
      return
    }
    deadline = MainLoop.after(request.deadline + patience) { [weak self] in self?.end(.failure(.timedOut)) }
  }

  private func begin(_ program: WebProgram, _ request: WebRequest) -> WebFault? {
    guard program.descriptor >= 0 else { return .notInstalled }
    guard let bytes = WebWire.encode(request) else { return .tooLarge }
    return start(program, bytes) ? nil : .crashed
  }

  private func start(_ program: WebProgram, _ request: [UInt8]) -> Bool {
    guard let started = program.start(request) else { return false }
    process = started.process
    channel = started.channel
    watch = DescriptorWatch(started.channel.number) { [weak self] in self?.receive() }
    // It holds us until the process has been reaped: until then its id cannot come to mean another one.
    WebExchange.livingCount += 1
    ChildWatch.add(process) { [self] status in exited(status) }
    return true
  }

  /// Ends the process; nothing is heard of the request any more.
  func cancel() {
    done = nil
    release()
  }

  private func receive() {
    guard let channel else { return }
    var bytes = [UInt8](repeating: 0, count: WebExchange.chunk)
    let count = recv(channel.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
    // Its exit decides; without this the watch would fire without end.
    guard count > 0 else { return watch = nil }
    said += bytes[..<count]
    if said.count > limit + WebExchange.headroom { end(.failure(.tooLarge)) }
  }

  private func exited(_ status: Int32) {
    process = -1
    WebExchange.livingCount -= 1
    // What it said last may still be in the channel.
    while watch != nil, done != nil {
      let before = said.count
      receive()
      if said.count == before { break }
    }
    end(ChildWatch.isSuccess(status) ? WebWire.decode(said, limit: limit) : .failure(.crashed))
  }

  private func end(_ result: Result<WebAnswer, WebFault>) {
    let done = self.done
    cancel()
    done?(result)
  }

  private func release() {
    deadline = nil
    watch = nil
    channel = nil
    said = []
    if process > 0 { kill(process, SIGKILL) }
  }
}
