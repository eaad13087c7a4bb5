import AuthWire
import Testing

/// One packet as bytes; nil where the encoder refuses.
func encoded(_ body: (UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8]? {
  var buffer = [UInt8](repeating: 0xEE, count: Int(AW_PACKET_MAX) + 16)
  let size = body(&buffer)
  #expect(buffer[Int(AW_PACKET_MAX)...].allSatisfy { $0 == 0xEE }, "written past the end")
  return size == 0 ? nil : Array(buffer[..<size])
}

/// What a packet says, copied out of it.
struct Message: Equatable {
  var type: aw_type
  var bytes: [UInt8] = []
  var service: [UInt8] = []
  var delay: UInt64 = 0
}

/// A packet taken apart; nil where it is refused.
func decoded(_ packet: [UInt8], from side: aw_side) -> Message? {
  var out = aw_packet()
  // With an element to spare: an empty array has no address to give.
  return (packet + [0]).withUnsafeBufferPointer { all -> Message? in
    guard let start = all.baseAddress, aw_decode(start, packet.count, side, &out) else {
      #expect(out.bytes == nil && out.count == 0 && out.service == nil && out.delay_us == 0, "partly accepted")
      return nil
    }
    return Message(
      type: out.type, bytes: Array(UnsafeBufferPointer(start: out.bytes, count: out.count)),
      service: Array(UnsafeBufferPointer(start: out.service, count: out.service_count)), delay: out.delay_us)
  }
}

/// A packet put together by hand: any type, any length in the header.
func raw(_ type: Int, length: Int? = nil, _ payload: [UInt8]) -> [UInt8] {
  let length = length ?? payload.count
  return [UInt8(type & 255), UInt8(type >> 8), UInt8(length & 255), UInt8(length >> 8)] + payload
}

@Suite struct CodecTests {
  @Test func helloOfTheApp() throws {
    let packet = try #require(encoded { aw_encode_hello_app("0.1.0", "app-gates", $0) })
    #expect(packet == raw(1, [5] + Array("0.1.0app-gates".utf8)))
    let message = try #require(decoded(packet, from: .app))
    #expect(message == Message(type: .helloApp, bytes: Array("0.1.0".utf8), service: Array("app-gates".utf8)))
  }

  @Test func helloOfTheHelper() throws {
    let packet = try #require(encoded { aw_encode_hello_helper(APP_GATES_VERSION, $0) })
    #expect(
      decoded(packet, from: .helper) == Message(type: .helloHelper, bytes: Array(APP_GATES_VERSION.utf8)))
  }

  @Test(arguments: ["", "a b", "tab\t", "é", "x\u{7f}", String(repeating: "x", count: 65)])
  func namesThatAreNone(_ name: String) {
    #expect(encoded { aw_encode_hello_app(name, "app-gates", $0) } == nil)
    #expect(encoded { aw_encode_hello_app("1", name, $0) } == nil)
    #expect(encoded { aw_encode_hello_helper(name, $0) } == nil)
    let bytes = Array(name.utf8)
    #expect(decoded(raw(1, [1, 49] + bytes), from: .app) == nil)
    #expect(decoded(raw(1, [UInt8(bytes.count)] + bytes + [49]), from: .app) == nil)
    #expect(decoded(raw(17, bytes), from: .helper) == nil)
  }

  @Test func longestName() {
    let name = String(repeating: "x", count: 64)
    #expect(encoded { aw_encode_hello_app(name, name, $0) }.flatMap { decoded($0, from: .app) } != nil)
  }

  @Test(arguments: [1, 2, 510, 511]) func answers(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8($0 % 255 + 1) }
    let packet = try #require(encoded { aw_encode_answer(bytes, count, $0) })
    #expect(decoded(packet, from: .app) == Message(type: .answer, bytes: bytes))
  }

  @Test(arguments: [[], [0], [65, 0], [0, 65], [65, 0, 66], [UInt8](repeating: 65, count: 512)] as [[UInt8]])
  func answersThatAreNone(_ bytes: [UInt8]) {
    #expect(encoded { aw_encode_answer(bytes, bytes.count, $0) } == nil)
    #expect(decoded(raw(2, bytes), from: .app) == nil)
  }

  @Test(arguments: [aw_type.promptHidden, .promptVisible, .info, .error])
  func texts(_ type: aw_type) throws {
    // Latin-1, cut sequences, overlong forms, control characters, nothing at all: bytes are bytes.
    for bytes in [[], [0xE9], [0xC3], [0xC0, 0x80], [0xFF, 0xFE], [1, 27, 127], Array("Passwort: ".utf8)] as [[UInt8]] {
      let packet = try #require(encoded { aw_encode_text(type, bytes, bytes.count, $0) })
      #expect(decoded(packet, from: .helper) == Message(type: type, bytes: bytes))
    }
    #expect(encoded { aw_encode_text(type, [65, 0] as [UInt8], 2, $0) } == nil)
    #expect(decoded(raw(Int(type.rawValue), [65, 0]), from: .helper) == nil)
  }

  @Test func longTextsAreCut() throws {
    let bytes = [UInt8](repeating: 120, count: 5000)
    let packet = try #require(encoded { aw_encode_text(.info, bytes, bytes.count, $0) })
    #expect(packet.count == Int(AW_PACKET_MAX))
    #expect(decoded(packet, from: .helper)?.bytes == Array(bytes[..<Int(AW_PAYLOAD_MAX)]))
  }

  @Test func onlyTextTypesBearTexts() {
    for type in [aw_type.helloApp, .answer, .helloHelper, .delay, .result] {
      #expect(encoded { aw_encode_text(type, "abc", 3, $0) } == nil)
    }
  }

  @Test func delays() throws {
    for delay in [0, 1, 2_000_000, UInt64(UInt32.max)] {
      let packet = try #require(encoded { aw_encode_delay(delay, $0) })
      #expect(decoded(packet, from: .helper) == Message(type: .delay, delay: delay))
    }
    #expect(encoded { aw_encode_delay(UInt64(UInt32.max) + 1, $0) } == nil)
    #expect(decoded(raw(22, [0, 0, 0, 0, 1, 0, 0, 0]), from: .helper) == nil)
    #expect(decoded(raw(22, [1, 2, 3, 4]), from: .helper) == nil)
    #expect(decoded(raw(22, [UInt8](repeating: 0, count: 9)), from: .helper) == nil)
  }
}
