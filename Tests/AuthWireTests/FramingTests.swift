import AuthWire
import Testing

@Suite struct FramingTests {
  /// One honest packet of each kind, with the side that it comes from.
  static let honest: [(packet: [UInt8], side: aw_side)] = [
    (raw(1, [5] + Array("0.1.0app-gates".utf8)), .app), (raw(2, Array("secret".utf8)), .app),
    (raw(17, Array("0.1.0".utf8)), .helper), (raw(18, Array("Password: ".utf8)), .helper),
    (raw(19, Array("Code: ".utf8)), .helper), (raw(20, []), .helper), (raw(21, [0xFF]), .helper),
    (raw(22, [1, 0, 0, 0, 0, 0, 0, 0]), .helper),
    (raw(23, [1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]), .helper),
  ]

  @Test(arguments: honest.indices) func honestPackets(_ index: Int) {
    let (packet, side) = Self.honest[index]
    #expect(decoded(packet, from: side) != nil)
  }

  @Test(arguments: honest.indices) func wrongDirection(_ index: Int) {
    let (packet, side) = Self.honest[index]
    #expect(decoded(packet, from: side == .app ? .helper : .app) == nil)
  }

  @Test(arguments: honest.indices) func everyPrefixIsRefused(_ index: Int) {
    let (packet, side) = Self.honest[index]
    for size in packet.indices { #expect(decoded(Array(packet[..<size]), from: side) == nil, "\(size) bytes") }
  }

  @Test(arguments: honest.indices) func trailingBytesAreRefused(_ index: Int) {
    let (packet, side) = Self.honest[index]
    #expect(decoded(packet + [65], from: side) == nil)
    #expect(decoded(packet + packet, from: side) == nil)
  }

  @Test(arguments: honest.indices) func lengthsThatLie(_ index: Int) {
    let (packet, side) = Self.honest[index]
    for length in [0, packet.count - 5, packet.count - 3, packet.count, 4096, 4097, 65535]
    where length >= 0 && length != packet.count - 4 {
      let changed = Array(packet[..<2]) + [UInt8(length & 255), UInt8(length >> 8)] + Array(packet[4...])
      #expect(decoded(changed, from: side) == nil, "length \(length)")
    }
  }

  @Test func unknownTypes() {
    let known: Set = [1, 2, 17, 18, 19, 20, 21, 22, 23]
    for type in 0...65535 where !known.contains(type) {
      if decoded(raw(type, [65]), from: .app) != nil || decoded(raw(type, [65]), from: .helper) != nil {
        Issue.record("type \(type) was accepted")
      }
    }
  }

  @Test func theLargestPacketAndOneMore() {
    #expect(decoded(raw(20, [UInt8](repeating: 65, count: 4096)), from: .helper) != nil)
    #expect(decoded(raw(20, [UInt8](repeating: 65, count: 4097)), from: .helper) == nil)
  }

  @Test func versionLengthPastTheEnd() {
    #expect(decoded(raw(1, []), from: .app) == nil)
    for length in [0, 4, 5, 200, 255] as [UInt8] {
      #expect(decoded(raw(1, [length] + Array("abcd".utf8)), from: .app) == nil, "length \(length)")
    }
    #expect(decoded(raw(1, [3] + Array("abcd".utf8)), from: .app) != nil)
  }

  @Test func wiping() {
    var bytes = [UInt8](repeating: 7, count: 64)
    aw_wipe(&bytes, 60)
    #expect(bytes == [UInt8](repeating: 0, count: 60) + [7, 7, 7, 7])
  }
}
