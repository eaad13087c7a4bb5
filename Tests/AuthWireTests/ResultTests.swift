import AuthWire
import Testing

@Suite struct ResultTests {
  static func make(
    _ status: aw_status, _ reason: aw_reason = .noReason, pam: Int32 = 0, account: Int32 = AW_NOT_ASKED,
    newPassword: Bool = false, unchecked: Bool = false, hidden: Bool = false
  ) -> aw_result {
    aw_result(
      status: status, reason: reason, new_password_required: newPassword, account_unchecked: unchecked,
      hidden_answered: hidden, pam_code: pam, account_code: account)
  }

  static let sound = [
    make(.authenticated, hidden: true), make(.authenticated, account: 0, hidden: true),
    make(.authenticated, account: 12, newPassword: true, hidden: true),
    make(.authenticated, account: 9, unchecked: true), make(.refused, pam: 7, hidden: true),
    make(.maxtries, pam: 11), make(.conversationEnded, pam: 19), make(.conversationEnded),
    make(.unavailable, .root, pam: AW_NOT_ASKED),
    make(.unavailable, .userChanged, pam: 0, account: 0),
    make(.accountRefused, .accountExpired, account: 13),
    make(.accountRefused, .accountExpired, pam: 13),
    make(.accountRefused, .accountDenied, account: 6),
  ]

  static let unsound = [
    make(.authenticated, pam: 7), make(.authenticated, pam: AW_NOT_ASKED),
    make(.authenticated, .root), make(.authenticated, account: 12),
    make(.authenticated, account: 0, newPassword: true),
    make(.authenticated, account: 12, newPassword: true, unchecked: true),
    make(.authenticated, newPassword: true), make(.refused), make(.refused, pam: AW_NOT_ASKED),
    make(.refused, .root, pam: 7), make(.refused, pam: 7, account: 0),
    make(.refused, pam: 7, unchecked: true), make(.unavailable, pam: 9),
    make(.unavailable, .accountExpired, pam: 9), make(.accountRefused, account: 13),
    make(.accountRefused, .root, account: 13),
    make(.accountRefused, .accountDenied, account: 0), make(.maxtries),
    make(.conversationEnded, .pamError), make(.refused, pam: 256),
    make(.refused, pam: -2), make(.authenticated, account: -2),
  ]

  static func decode(_ packet: [UInt8]) -> aw_result? {
    var out = aw_packet()
    return aw_decode(packet, packet.count, .helper, &out) ? out.result : nil
  }

  @Test(arguments: sound.indices) func roundTrip(_ index: Int) throws {
    var result = Self.sound[index]
    let packet = try #require(encoded { aw_encode_result(&result, $0) })
    let back = try #require(Self.decode(packet))
    #expect(back.status == result.status && back.reason == result.reason)
    #expect(back.pam_code == result.pam_code && back.account_code == result.account_code)
    #expect(back.new_password_required == result.new_password_required)
    #expect(back.account_unchecked == result.account_unchecked && back.hidden_answered == result.hidden_answered)
  }

  @Test(arguments: unsound.indices) func contradictionsAreNotSaid(_ index: Int) {
    var result = Self.unsound[index]
    #expect(encoded { aw_encode_result(&result, $0) } == nil)
    // The same, written by somebody whose encoder does not mind.
    let flags = UInt8(
      (result.new_password_required ? 1 : 0) | (result.account_unchecked ? 2 : 0) | (result.hidden_answered ? 4 : 0))
    let payload =
      [UInt8(result.status.rawValue), UInt8(result.reason.rawValue), flags] + bytes(result.pam_code)
      + bytes(result.account_code)
    #expect(Self.decode(raw(23, payload)) == nil)
  }

  @Test func theVerdictInBytes() {
    let packet: [UInt8] = [23, 0, 11, 0, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(Self.decode(packet)?.status == .authenticated)
    #expect(Self.decode(packet)?.hidden_answered == true)
    for (place, value) in [(4, 0), (4, 7), (4, 255), (5, 14), (5, 34), (6, 8), (6, 255)] as [(Int, UInt8)] {
      var changed = packet
      changed[place] = value
      #expect(Self.decode(changed) == nil, "byte \(place) as \(value)")
    }
  }

  /// Whatever single byte of an honest verdict is damaged: it never turns from a refusal into a success.
  @Test func noDamagedByteOpens() throws {
    for var result in Self.sound where result.status != .authenticated {
      let packet = try #require(encoded { aw_encode_result(&result, $0) })
      for place in packet.indices where place != 4 {
        for value in UInt8.min...UInt8.max {
          var changed = packet
          changed[place] = value
          #expect(Self.decode(changed)?.status != .authenticated)
        }
      }
    }
  }

  func bytes(_ value: Int32) -> [UInt8] {
    let bits = UInt32(bitPattern: value)
    return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
  }
}
