import AuthWire
import GLibKit
import GateCore

/// One conversation with PAM through one helper.
///
/// Verified means all of: the helper's last packet says so, and it then exits by itself with 0, in time. Whatever else
/// happens (another exit, a signal, end of file, a malformed packet, a packet after the last, silence) is a fault.
@MainActor
final class HelperConversation: PamConversation {
  private enum Stage {
    case hello
    case working
    case prompting
    case decided(aw_result)
    case over
  }

  /// More packets than this is not a conversation; the helper itself passes on at most 64 messages.
  private static let packetLimit = 256
  /// How many are taken in one turn of the loop, so that a flood does not hold up the window.
  private static let packetsInATurn = 16

  private let deadlines: HelperDeadlines
  private let onEvent: @MainActor (PamEvent) -> Void
  private var stage = Stage.hello
  private var helper: HelperProcess?
  private var watch: DescriptorWatch?
  private var deadline: Timer?
  private var packets = 0

  init(
    _ program: HelperProgram, service: String, deadlines: HelperDeadlines,
    onEvent: @escaping @MainActor (PamEvent) -> Void
  ) {
    self.deadlines = deadlines
    self.onEvent = onEvent
    start(program, service)
  }

  private func start(_ program: HelperProgram, _ service: String) {
    guard program.descriptor >= 0 else { return endLater(.helperMissing) }
    // The process holds us through this closure until it has been reaped.
    let helper = HelperProcess(program, environment: HelperProgram.environment()) { [self] in exited($0) }
    guard let helper else { return endLater(.helperFailed) }
    self.helper = helper
    watch = helper.watch { [weak self] in self?.receive() }
    wait(atMost: deadlines.hello)
    // Where this fails the helper has ended already, and its exit is what we hear next.
    _ = helper.send { aw_encode_hello_app(APP_GATES_VERSION, service, $0) }
  }

  func answer(_ bytes: UnsafeRawBufferPointer) {
    guard case .prompting = stage, let helper else { return }
    stage = .working
    wait(atMost: deadlines.progress)
    if !helper.send({ aw_encode_answer(bytes.baseAddress, bytes.count, $0) }) { end(.failure(.helperFailed)) }
  }

  func cancel() {
    stage = .over
    release()
  }

  /// Stops the helper where it is, until `wake`; a `cancel` meanwhile leaves it so.
  func halt() {
    guard helper != nil else { return }
    isHalted = true
    deadline = nil
    helper?.stop()
  }

  /// Ends a helper that was stopped; a conversation that nobody has cancelled meanwhile fails.
  func wake() {
    guard isHalted else { return }
    isHalted = false
    if isOver { release() } else { end(.failure(.noAnswer)) }
  }

  private var isHalted = false

  private var isOver: Bool { if case .over = stage { true } else { false } }

  private func receive() {
    guard let helper else { return }
    let received = helper.receive(atMost: Self.packetsInATurn) { packet in
      take(packet)
      return !isOver
    }
    guard !isOver else { return }
    switch received {
    case .packet, .nothing: break
    case .end:
      // Its exit decides; without this the watch would fire without end.
      watch = nil
      wait(atMost: deadlines.exit)
    default: end(.failure(.helperFailed))
    }
  }

  private func take(_ packet: aw_packet) {
    packets += 1
    guard packets <= Self.packetLimit else { return end(.failure(.helperFailed)) }
    switch (stage, packet.type) {
    case (.hello, .helloHelper):
      let version = UnsafeBufferPointer(start: packet.bytes, count: packet.count)
      guard version.elementsEqual(APP_GATES_VERSION.utf8) else { return end(.failure(.versionMismatch)) }
      stage = .working
      wait(atMost: deadlines.progress)
    case (.working, .promptHidden), (.working, .promptVisible):
      stage = .prompting
      deadline = nil
      onEvent(.prompt(text: PamText.shown(packet), hidden: packet.type == .promptHidden))
    case (.working, .info): progress(.info(PamText.shown(packet)))
    case (.working, .error): progress(.error(PamText.shown(packet)))
    case (.working, .delay): progress(.delay(milliseconds: Int64(packet.delay_us / 1000)))
    case (.working, .result):
      stage = .decided(packet.result)
      wait(atMost: deadlines.exit)
    default:
      // Out of turn: a second hello, anything before the first, anything while we are asked or after the verdict.
      end(.failure(.helperFailed))
    }
  }

  private func progress(_ event: PamEvent) {
    wait(atMost: deadlines.progress)
    onEvent(event)
  }

  private func exited(_ status: Int32) {
    // What it said last may still be in the channel.
    while let helper, !isOver {
      let before = packets
      _ = helper.receive(atMost: Self.packetsInATurn) { packet in
        take(packet)
        return !isOver
      }
      if packets == before { break }
    }
    guard !isOver else { return }
    guard case .decided(let result) = stage, ChildWatch.isSuccess(status) else {
      return end(.failure(.helperFailed))
    }
    end(PamVerdict.of(result))
  }

  private func wait(atMost milliseconds: Int64) {
    deadline = MainLoop.after(milliseconds) { [weak self] in self?.end(.failure(.noAnswer)) }
  }

  private func endLater(_ fault: VerifyFault) {
    // Not from inside `begin`: the caller does not have us yet.
    MainLoop.wake { [self] in end(.failure(fault)) }
  }

  private func end(_ result: Result<VerifiedBy, VerifyFault>) {
    guard !isOver else { return }
    stage = .over
    release()
    onEvent(.finished(result))
  }

  private func release() {
    deadline = nil
    watch = nil
    guard !isHalted else { return }
    helper?.kill()
    helper = nil
  }
}
