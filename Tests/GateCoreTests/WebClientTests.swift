import Testing

@testable import GateCore

@MainActor
@Suite struct WebClientTests {
  /// A transport that notes what reaches it, and answers at once.
  @MainActor
  final class Wire {
    var sent: [String] = []
    var cancelled = 0

    var client: WebClient {
      WebClient { request, done in
        self.sent.append(request.address)
        done(.success(WebAnswer(status: 200)))
        return { self.cancelled += 1 }
      }
    }
  }

  private let wire = Wire()

  private func send(_ permission: WebPermission, to address: String = "https://example.org/x") -> WebFault? {
    var results: [Result<WebAnswer, WebFault>] = []
    wire.client.send(WebRequest(.get, address), with: permission) { results.append($0) }
    #expect(results.count == 1, "it is said once")
    guard case .failure(let fault) = results.first else { return nil }
    return fault
  }

  @Test func consentIsAskedForEachTime() {
    let world = World()
    let permission = WebPermission.consent(in: world.preferences)
    #expect(send(permission) == .notPermitted)
    world.preferences.set(.acceptedConsentVersion, to: LegalContent.version)
    #expect(send(permission) == nil)
    world.preferences.set(.acceptedConsentVersion, to: "0.9")
    #expect(send(permission) == .notPermitted)
    #expect(wire.sent.count == 1)
  }

  @Test func aSwitchBesides() {
    let world = World()
    var isOn = true
    let permission = WebPermission.consent(in: world.preferences) { isOn }
    #expect(send(permission) == .notPermitted)
    world.preferences.set(.acceptedConsentVersion, to: LegalContent.version)
    #expect(send(permission) == nil)
    isOn = false
    #expect(send(permission) == .notPermitted)
    #expect(wire.sent.count == 1)
  }

  @Test func aClickIsGoodForOne() {
    let click = WebPermission.click()
    #expect(send(click) == nil)
    #expect(send(click) == .notPermitted)
    #expect(send(.click()) == nil)
    #expect(wire.sent.count == 2)
  }

  @Test func whatTheUserSentMayBeTriedAgain() {
    #expect(send(.report { true }) == nil)
    #expect(send(.report { true }) == nil)
  }

  @Test(arguments: ["http://example.org/", "file:///etc/passwd", "https://u@example.org/", "", "ftp://127.0.0.1/"])
  func noOtherAddress(_ address: String) {
    #expect(send(.report { true }, to: address) == .refusedAddress)
    #expect(wire.sent.isEmpty)
  }

  @Test func withoutAProgram() {
    var result: Result<WebAnswer, WebFault>?
    WebClient.none.send(WebRequest(.get, "https://example.org/"), with: .report { true }) { result = $0 }
    #expect(result == .failure(.notInstalled))
  }

  @Test func cancelling() {
    wire.client.send(WebRequest(.get, "https://example.org/"), with: .report { true }) { _ in }()
    #expect(wire.cancelled == 1)
  }

  @Test func whatMayPass() {
    let passing: [WebFault] = [.unreachable, .timedOut, .truncated, .badCertificate]
    let lasting: [WebFault] = [
      .notPermitted, .refusedAddress, .notInstalled, .tooLarge, .malformed, .redirected(to: "x"), .crashed,
    ]
    for fault in passing { #expect(fault.mayPass) }
    for fault in lasting { #expect(!fault.mayPass) }
  }
}

@Suite struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT, the date of RFC 9110.
  private static let then: Int64 = 784_111_777

  @Test(
    arguments: [
      ("0", 0), ("120", 120), ("00060", 60), ("86401", 86_400), ("99999999999999999999999", 86_400),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:50:07 GMT", 30),
      ("Tue, 01 Mar 2044 00:00:00 GMT", 86_400),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil), ("0x10", nil),
      ("Sun, 06 Nov 1994 08:49:37", nil), ("Sunday, 06-Nov-94 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
      ("Sun, 6 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("٣", nil),
    ] as [(String, Int64?)])
  func texts(_ text: String, _ expected: Int64?) {
    let answer = WebAnswer(status: 429, headers: ["retry-after": text])
    #expect(answer.retryAfter(now: Self.then) == expected)
  }

  @Test func withoutTheHeader() { #expect(WebAnswer(status: 429).retryAfter(now: 0) == nil) }

  @Test(
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
      ("Mon, 30 Nov 2026 14:21:56 GMT", 1_796_048_516), ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ] as [(String, Int64)])
  func dates(_ text: String, _ expected: Int64) { #expect(HttpDate.seconds(text) == expected) }
}
