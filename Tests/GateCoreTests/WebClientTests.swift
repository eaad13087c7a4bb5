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
    let key = PreferenceKey<Bool>("switch", fallback: true)
    let permission = WebPermission.consent(in: world.preferences) { world.preferences[key] }
    #expect(send(permission) == .notPermitted)
    world.preferences.set(.acceptedConsentVersion, to: LegalContent.version)
    #expect(send(permission) == nil)
    world.preferences.set(key, to: false)
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
    let passing: [WebFault] = [.unreachable, .timedOut, .truncated, .badCertificate, .safeMode]
    let lasting: [WebFault] = [
      .notPermitted, .refusedAddress, .notInstalled, .tooLarge, .malformed, .redirected(to: "x"), .crashed,
    ]
    for fault in passing { #expect(fault.mayPass) }
    for fault in lasting { #expect(!fault.mayPass) }
  }
}
