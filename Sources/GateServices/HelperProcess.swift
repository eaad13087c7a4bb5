import AuthWire
import GLibKit
import GLibShim
import Glibc

/// One running helper and our end of its channel.
///
/// Main thread only. It is held until its process has been reaped, whoever else lets go of it; until then its process
/// id cannot come to mean another process.
@MainActor
final class HelperProcess {
  /// All that have not been reaped.
  private static var living: [ObjectIdentifier: HelperProcess] = [:]
  /// How many have not been reaped, for tests that look for leaks.
  static var livingCount: Int { living.count }

  let process: pid_t
  private var channel: Int32
  private var isReaped = false

  /// Starts a helper; `ended` runs with the wait status.
  ///
  /// Nil where it cannot be started.
  init?(_ program: HelperProgram, environment: [String], ended: @escaping @MainActor (Int32) -> Void) {
    var ours: Int32 = -1
    var theirs: Int32 = -1
    guard aw_channel(&ours, &theirs) else { return nil }
    var variables: [UnsafePointer<CChar>?] = environment.map { UnsafePointer(strdup($0)) }
    variables.append(nil)
    var error: Int32 = 0
    process = gs_spawn_helper(program.descriptor, theirs, variables, &error)
    for variable in variables { free(UnsafeMutableRawPointer(mutating: variable)) }
    close(theirs)
    channel = ours
    guard process > 0 else {
      close(ours)
      Log.warning("The helper could not be started (error \(error)); reinstall App Gates")
      return nil
    }
    Self.living[ObjectIdentifier(self)] = self
    ChildWatch.add(process) { [self] status in
      isReaped = true
      ended(status)
      closeChannel()
      Self.living[ObjectIdentifier(self)] = nil
    }
  }

  /// Runs the body when packets have come.
  func watch(_ body: @escaping @MainActor () -> Void) -> DescriptorWatch { DescriptorWatch(channel, body) }

  /// Sends a packet of the size that `encode` returns; false where it makes none, or the helper has gone.
  ///
  /// What was in the packet is wiped. Never blocks: where the channel is full, the helper has failed.
  func send(_ encode: (UnsafeMutablePointer<UInt8>) -> Int) -> Bool {
    guard channel >= 0, let memory = LockedMemory(count: Int(AW_PACKET_MAX)),
      let packet = memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return false }
    if !memory.isLocked { Log.warning("A password could not be kept out of swap; raise the limit on locked memory") }
    let count = encode(packet)
    return count > 0 && aw_send(channel, packet, count)
  }

  /// Takes the packets that have come, at most so many, until the body returns false.
  ///
  /// Returns what came instead of a packet, or `.packet` where there may be more.
  func receive(atMost limit: Int, _ body: (aw_packet) -> Bool) -> aw_received {
    var buffer = [UInt8](repeating: 0, count: Int(AW_PACKET_MAX))
    return buffer.withUnsafeMutableBufferPointer { buffer in
      for _ in 0..<limit {
        guard channel >= 0, let start = buffer.baseAddress else { return .end }
        var packet = aw_packet()
        let received = aw_receive(channel, .helper, start, &packet)
        guard received == .packet else { return received }
        if !body(packet) { break }
      }
      return .packet
    }
  }

  /// Stops the process where it is; it can still be killed.
  func stop() {
    if !isReaped { Glibc.kill(process, SIGSTOP) }
  }

  /// Ends the process at once, where it has not ended.
  func kill() {
    if !isReaped { Glibc.kill(process, SIGKILL) }
    closeChannel()
  }

  private func closeChannel() {
    if channel >= 0 { close(channel) }
    channel = -1
  }
}
