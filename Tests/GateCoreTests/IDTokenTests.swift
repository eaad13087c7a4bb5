import Testing

@testable import GateCore

/// OpenID Connect Core 3.1.3.7, claim by claim.
///
/// The clock stands at 1,800,000,000.
@MainActor
@Suite
struct IDTokenTests {
  private let now: Int64 = 1_800_000_000

  private func read(_ changes: [String: String], subject: String? = nil) -> Result<IDToken, IDTokenFault> {
    let rig = OpenIDRig()
    let token = rig.idToken(["nonce": #""N""#].merging(changes) { $1 })
    return Result { () throws(IDTokenFault) in
      try IDToken(token, of: OpenIDRig.provider, nonce: "N", subject: subject, now: now, .plain)
    }
  }

  @Test(arguments: [
    ["iss": #""https://id.example.org/realm/""#], ["iss": #""https://evil.example.org""#], ["iss": ""], ["iss": "7"],
  ])
  func issuer(_ changes: [String: String]) { #expect(read(changes) == .failure(.issuer)) }

  @Test(arguments: [
    ["aud": #""other""#], ["aud": ""], ["aud": "[]"], ["aud": #"["other"]"#], ["aud": #"["app","other"]"#],
    ["aud": #"["app",7]"#], ["azp": #""other""#], ["aud": #"["app","other"]"#, "azp": #""other""#], ["azp": "7"],
  ])
  func audience(_ changes: [String: String]) { #expect(read(changes) == .failure(.audience)) }

  @Test(arguments: [["aud": #"["app"]"#], ["azp": #""app""#], ["aud": #"["app","other"]"#, "azp": #""app""#]])
  func audienceThatIsOurs(_ changes: [String: String]) throws { #expect(try read(changes).get().subject == "ada") }

  @Test(arguments: [
    (["exp": "1799999880"], IDTokenFault.expired), (["exp": "0"], .expired), (["iat": "1799999279"], .expired),
    (["iat": "1800000121"], .early), (["exp": ""], .malformed), (["iat": ""], .malformed),
    (["exp": #""x""#], .malformed),
    (["exp": "1e300"], .malformed), (["exp": "true"], .malformed),
  ])
  func times(_ changes: [String: String], _ fault: IDTokenFault) { #expect(read(changes) == .failure(fault)) }

  @Test(arguments: [["exp": "1799999881"], ["iat": "1799999280"], ["iat": "1800000120"], ["exp": "1800000000.5"]])
  func timesWithinTheLeeway(_ changes: [String: String]) throws { #expect(try read(changes).get().name == "Ada") }

  @Test(arguments: [["nonce": #""M""#], ["nonce": ""], ["nonce": "7"], ["nonce": #""""#]])
  func nonce(_ changes: [String: String]) { #expect(read(changes) == .failure(.nonce)) }

  @Test func subject() throws {
    for sub in ["", #""""#, "7", #""\#(String(repeating: "x", count: 256))""#, #""é""#, #""a\nb""#] {
      #expect(read(["sub": sub]) == .failure(.subject))
    }
    #expect(read([:], subject: "eve") == .failure(.subject))
    #expect(try read([:], subject: "ada").get().subject == "ada")
  }

  @Test func names() throws {
    #expect(try read(["name": "", "preferred_username": #""al""#]).get().name == "al")
    #expect(try read(["name": #""""#, "email": #""a@b""#]).get().name == "a@b")
    #expect(try read(["name": ""]).get().name == nil)
  }

  @Test(arguments: [nil, "", "a", "a.b", "..", "a.!!.c", "e30.e30.c.d.e", "e30.W10.c"])
  func noTokens(_ token: String?) {
    let read = Result { () throws(IDTokenFault) in
      try IDToken(token, of: OpenIDRig.provider, now: now, .plain)
    }
    #expect([.failure(.malformed), .failure(.issuer)].contains(read))
  }
}
