import AuthWire
import Glibc
import Testing

/// Both ends of a channel, closed when it goes.
final class Channel {
  private(set) var app: Int32 = -1
  private(set) var helper: Int32 = -1
  private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(AW_PACKET_MAX))

  init() throws { try #require(aw_channel(&app, &helper)) }

  deinit {
    if app >= 0 { close(app) }
    if helper >= 0 { close(helper) }
    buffer.deallocate()
  }

  func closeApp() {
    close(app)
    app = -1
  }

  func closeHelper() {
    close(helper)
    helper = -1
  }

  /// What the app's end receives, and the bytes of it.
  func receive() -> (aw_received, [UInt8]) {
    var packet = aw_packet()
    let found = aw_receive(app, .helper, buffer, &packet)
    return (found, Array(UnsafeBufferPointer(start: packet.bytes, count: packet.count)))
  }
}

@Suite struct ChannelTests {
  let info = raw(20, Array("hello".utf8))

  @Test func thereAndBack() throws {
    let channel = try Channel()
    #expect(channel.receive().0 == .nothing)
    #expect(aw_send(channel.helper, info, info.count))
    #expect(channel.receive() == (.packet, Array("hello".utf8)))
    #expect(channel.receive().0 == .nothing)
  }

  @Test func packetsStayApart() throws {
    let channel = try Channel()
    for _ in 0..<3 { #expect(aw_send(channel.helper, info, info.count)) }
    for _ in 0..<3 { #expect(channel.receive() == (.packet, Array("hello".utf8))) }
  }

  @Test func theEndIsSeenAfterTheLastPacket() throws {
    let channel = try Channel()
    #expect(aw_send(channel.helper, info, info.count))
    channel.closeHelper()
    #expect(channel.receive().0 == .packet)
    #expect(channel.receive().0 == .end)
  }

  /// The kernel says "connection reset" before it hands over what is left: the verdict must not be lost to that.
  @Test func aVerdictIsReadThoughAnAnswerWasNot() throws {
    let channel = try Channel()
    #expect(aw_send(channel.app, raw(2, [65]), 5))
    #expect(aw_send(channel.helper, info, info.count))
    channel.closeHelper()
    #expect(channel.receive().0 == .packet)
    #expect(channel.receive().0 == .end)
  }

  @Test func malformedAndOversized() throws {
    let channel = try Channel()
    for packet in [raw(99, [1]), [20], raw(20, length: 4096, [UInt8](repeating: 65, count: 9000))] {
      #expect(aw_send(channel.helper, packet, packet.count))
      #expect(channel.receive() == (.malformed, []))
    }
    // An oversized packet is gone as a whole: the next one is read from its beginning.
    #expect(aw_send(channel.helper, info, info.count))
    #expect(channel.receive().0 == .packet)
  }

  @Test func sendingToNobodyIsNoSignal() throws {
    let channel = try Channel()
    channel.closeApp()
    #expect(!aw_send(channel.helper, info, info.count))
    #expect(errno == EPIPE)
  }

  @Test func descriptorsAreNotInheritedAndTheAppNeverBlocks() throws {
    let channel = try Channel()
    #expect(fcntl(channel.app, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(channel.helper, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(channel.app, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(channel.helper, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test func aDescriptorThatIsNoSocketFails() {
    var packet = aw_packet()
    var buffer = [UInt8](repeating: 0, count: Int(AW_PACKET_MAX))
    #expect(aw_receive(-1, .app, &buffer, &packet) == .failed)
    #expect(errno == EBADF)
  }
}
