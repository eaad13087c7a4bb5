import Testing

@testable import GateCore

/// What is asked of a provider and what its answers mean, as tables.
@MainActor
@Suite
struct OpenIDRulesTests {
  private let provider = OpenIDRig.provider

  @Test(arguments: [
    ("https://id.example.org", "id.example.org", "https://id.example.org/.well-known/openid-configuration"),
    ("https://id.example.org/", "id.example.org", "https://id.example.org/.well-known/openid-configuration"),
    ("https://h:8443/realms/x", "h", "https://h:8443/realms/x/.well-known/openid-configuration"),
    ("http://127.0.0.1:9/api/oidc", "127.0.0.1", "http://127.0.0.1:9/api/oidc/.well-known/openid-configuration"),
    ("http://[::1]:9", "[::1]", "http://[::1]:9/.well-known/openid-configuration"),
  ])
  func issuers(_ issuer: String, host: String, metadata: String) {
    let provider = OpenIDProvider(issuer: issuer, client: "app")
    #expect(provider?.host == host)
    #expect(provider?.metadata == metadata)
  }

  @Test(arguments: [
    "", "id.example.org", "http://id.example.org", "ftp://id.example.org", "https://", "https://a b", "https://u@h",
    "https://h/?x", "https://h/#x", "https://h/\n", "http://127.0.0.1.example.org",
  ])
  func noIssuers(_ issuer: String) {
    #expect(OpenIDProvider(issuer: issuer, client: "app") == nil)
    #expect(AppSecrets(sources: [SecretSource(path: "p", values: ["OIDC_ISSUER": issuer])]).provider == nil)
  }

  @Test func bothKeysAreNeeded() {
    func problems(_ values: [String: String]) -> [String?] {
      AppSecrets(sources: [SecretSource(path: "p", values: values)]).problems.map(\.key)
    }
    #expect(problems(["OIDC_ISSUER": "https://h", "OIDC_CLIENT_ID": "app"]) == [])
    #expect(problems(["OIDC_ISSUER": "https://h"]) == ["OIDC_ISSUER"])
    #expect(problems(["OIDC_CLIENT_ID": "app"]) == ["OIDC_CLIENT_ID"])
    #expect(problems(["OIDC_ISSUER": "http://h", "OIDC_CLIENT_ID": "app"]) == ["OIDC_ISSUER"])
    #expect(problems(["OIDC_ISSUER": "https://h", "OIDC_CLIENT_ID": "a b"]) == ["OIDC_CLIENT_ID"])
  }

  private func metadata(_ changes: [String: String]) -> Result<OpenIDMetadata, OpenIDFault> {
    let json = OpenIDTools.plain.json(Array(OpenIDRig.metadata(changes).utf8))
    do throws(OpenIDFault) {
      return .success(try OpenIDMetadata(json, of: provider))
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: [
    (["issuer": #""https://id.example.org/realm/""#], OpenIDFault.otherIssuer),
    (["issuer": #""https://ID.example.org/realm""#], .otherIssuer), (["issuer": ""], .garbage),
    (["issuer": "7"], .garbage), (["token_endpoint": ""], .garbage),
    (["token_endpoint": #""http://id.example.org/token""#], .unsafeAddress),
    (["authorization_endpoint": #""http://id.example.org/auth""#], .unsafeAddress),
    (["authorization_endpoint": #""javascript:alert(1)""#], .unsafeAddress),
    (["authorization_endpoint": #""https://h/auth#x""#], .unsafeAddress),
    (["code_challenge_methods_supported": #"["plain"]"#], .unsupported),
    (["code_challenge_methods_supported": "7"], .unsupported),
    (["response_types_supported": #"["id_token"]"#], .unsupported),
  ])
  func metadataThatIsRefused(_ changes: [String: String], _ fault: OpenIDFault) {
    #expect(metadata(changes) == .failure(fault))
  }

  @Test func metadataThatIsTaken() throws {
    let full = try metadata([:]).get()
    #expect(full.scopes == ["openid", "profile"] && !full.namesIssuer && full.revocation != nil)
    let bare = try metadata([
      "code_challenge_methods_supported": "", "response_types_supported": "", "scopes_supported": "",
      "revocation_endpoint": #""http://elsewhere/""#, "token_endpoint": #""http://127.0.0.1:8/t""#,
      "authorization_response_iss_parameter_supported": "true",
    ]).get()
    #expect(bare.scopes == ["openid"] && bare.namesIssuer && bare.revocation == nil)
    #expect(throws: OpenIDFault.garbage) { try OpenIDMetadata(nil, of: provider) }
    #expect(throws: OpenIDFault.garbage) { try OpenIDMetadata(.list([]), of: provider) }
  }

  @Test func theAddressForTheBrowser() throws {
    let request = try #require(OpenIDRequest(.plain))
    let scopes = ["scopes_supported": #"["offline_access","openid","email"]"#]
    let asking = ["authorization_endpoint": #""https://h/auth?tenant=1""#]
    let address = request.address(
      try metadata(scopes.merging(asking) { $1 }).get(), provider, redirect: OpenIDRequest.redirect(port: 80))
    #expect(address.hasPrefix("https://h/auth?tenant=1&response_type=code&client_id=app&"))
    let pairs = try #require(FormText.decode(String(address.split(separator: "?")[1])))
    let values = Dictionary(uniqueKeysWithValues: pairs.map { ($0.name, $0.value) })
    #expect(values["redirect_uri"] == "http://127.0.0.1:80/cb")
    #expect(values["scope"] == "openid offline_access" && values["prompt"] == "consent")
    #expect(values["state"] == request.state && values["nonce"] == request.nonce)
    #expect(values["code_challenge"] == request.challenge && values["code_challenge_method"] == "S256")
    #expect(!address.contains(request.verifier) || request.verifier == request.state)
    #expect(Address.isPage(address))
    var broken = OpenIDTools.plain
    broken.random = { _ in nil }
    #expect(OpenIDRequest(broken) == nil)
  }

  @Test(arguments: [
    ("code=C&state=S", Result<String, OpenIDFault>.success("C")),
    ("state=S&code=a%2Bb%3D&iss=https%3A%2F%2Fid.example.org%2Frealm&session_state=x", .success("a+b=")),
    ("code=C&state=T", .failure(.garbage)), ("code=C", .failure(.garbage)), ("state=S", .failure(.garbage)),
    ("code=&state=S", .failure(.garbage)), ("code=C&state=S&state=S", .failure(.garbage)),
    ("code=C&code=D&state=S", .failure(.garbage)), ("code=%4&state=S", .failure(.garbage)),
    ("code=%FF&state=S", .failure(.garbage)), ("", .failure(.garbage)),
    ("code=C&state=S&iss=https://evil.example.org", .failure(.otherIssuer)),
    ("error=access_denied&state=S", .failure(.refused(.denied))),
    ("error=temporarily_unavailable&state=S", .failure(.refused(.unavailable))),
    ("error=login_required&state=S", .failure(.refused(.interaction))),
    ("error=invalid_scope&state=S&code=C", .failure(.refused(.request))),
    ("error=%3Cscript%3E&state=S", .failure(.refused(.other))),
    ("error=access_denied&state=T", .failure(.garbage)),
  ])
  func whatTheBrowserBringsBack(_ query: String, _ expected: Result<String, OpenIDFault>) throws {
    let request = try #require(OpenIDRequest(.plain))
    let metadata = try metadata([:]).get()
    let given = query.replacing("state=S", with: "state=" + request.state)
    #expect(Result { () throws(OpenIDFault) in try request.code(in: given, metadata, provider) } == expected)
  }

  @Test func anIssuerThatWasAnnouncedMustBeThere() throws {
    let request = try #require(OpenIDRequest(.plain))
    let metadata = try metadata(["authorization_response_iss_parameter_supported": "true"]).get()
    let query = "code=C&state=" + request.state
    #expect(throws: OpenIDFault.otherIssuer) { try request.code(in: query, metadata, provider) }
    let whole = query + "&iss=" + OpenIDRig.issuer
    #expect(try request.code(in: whole, metadata, provider) == "C")
  }

  @Test(arguments: [
    (400, #"{"error":"invalid_grant"}"#, TokenAnswer.grantRefused), (401, #"{"error":"invalid_grant"}"#, .grantRefused),
    (403, #"{"error":"invalid_code"}"#, .grantRefused), (400, "", .bareRefusal), (401, "", .bareRefusal),
    (403, "", .fault(.answered(status: 403))), (403, "<html>", .fault(.answered(status: 403))),
    (400, "<html>", .fault(.answered(status: 400))), (401, "{}", .fault(.answered(status: 401))),
    (400, #"{"error":"invalid_client"}"#, .fault(.appRefused)),
    (401, #"{"error":"unauthorized_client"}"#, .fault(.appRefused)),
    (400, #"{"error":"invalid_request"}"#, .fault(.answered(status: 400))),
    (200, "<html>", .fault(.garbage)), (404, #"{"error":"invalid_grant"}"#, .fault(.answered(status: 404))),
    (500, #"{"error":"invalid_grant"}"#, .fault(.answered(status: 500))), (502, "", .fault(.answered(status: 502))),
    (429, "", .fault(.busy(seconds: 7))), (503, #"{"error":"invalid_grant"}"#, .fault(.busy(seconds: 7))),
    (302, "", .fault(.answered(status: 302))),
  ])
  func whatTheTokenEndpointSays(_ status: Int, _ body: String, _ expected: TokenAnswer) {
    let answer = WebAnswer(status: status, headers: ["retry-after": "7"], body: Array(body.utf8))
    #expect(TokenAnswer(.success(answer), now: 0, .plain) == expected)
  }

  @Test func tokensAreOneLineAndComeBack() throws {
    let account = OpenIDAccount(issuer: OpenIDRig.issuer, subject: "a=b&c d é")
    let json = OpenIDTools.plain.json(
      Array(#"{"access_token":"A&= ","refresh_token":"R%","expires_in":"60","id_token":"x"}"#.utf8))
    let tokens = try OpenIDTokens(try #require(json), of: account, provider, try metadata([:]).get(), now: 1000)
    #expect(tokens.expires == 1060 && tokens.access == "A&= " && tokens.refresh == "R%")
    let secret = try #require(tokens.secret)
    #expect(secret.line.hasPrefix("openid-1 "))
    #expect(OpenIDTokens(secret) == tokens)
    #expect("\(tokens)" == "OpenIDTokens" && String(reflecting: tokens) == "OpenIDTokens")
    for (issued, expires) in [
      ("-9223372036854775808", "9223372036854775807"), ("1000", "9223372036854775807"), ("1060", "1000"),
      ("-9223372036854775808", "1060"), ("9223372036854775808", "1060"), ("", "1060"),
    ] {
      let line = secret.line.replacing("issued=1000", with: "issued=" + issued)
        .replacing("expires=1060", with: "expires=" + expires)
      let damaged = try #require(SessionSecret(line: line))
      #expect(line != secret.line && OpenIDTokens(damaged) == nil)
    }
    for line in ["0123", "openid-2 " + secret.line.dropFirst(9), "openid-1 ", "openid-1 issuer=x&subject=y"] {
      #expect(OpenIDTokens(try #require(SessionSecret(line: line))) == nil)
    }
    let large = try OpenIDTokens(
      .object(["access_token": .text(String(repeating: "x", count: 16_384))]), of: account, provider,
      try metadata([:]).get(), now: 0)
    #expect(large.secret == nil)
    for json in [#"{}"#, #"{"access_token":""}"#, #"{"access_token":7}"#, #"{"access_token":"a\nb"}"#] {
      let value = try #require(OpenIDTools.plain.json(Array(json.utf8)))
      #expect(throws: OpenIDFault.garbage) {
        try OpenIDTokens(value, of: account, provider, try metadata([:]).get(), now: 0)
      }
    }
  }

  @Test(arguments: [
    (Int64(1000), Int64(480)), (1480, 0), (1600, 0), (9000, 0), (1300, 180),
    // Set back a little, and behind the moment when they were given out.
    (900, 480), (879, 0), (-5000, 0),
  ])
  func whenItIsTimeToRenew(_ now: Int64, _ rest: Int64) throws {
    let account = OpenIDAccount(issuer: OpenIDRig.issuer, subject: "a")
    let json = JsonValue.object(["access_token": .text("A"), "expires_in": .integer(600)])
    let tokens = try OpenIDTokens(json, of: account, provider, try metadata([:]).get(), now: 1000)
    #expect(OpenIDRenewal.rest(of: tokens, now: now) == rest)
  }

  @Test func pauses() {
    #expect((1...9).map { OpenIDRenewal.pause(after: $0) / 1000 } == [30, 60, 120, 240, 480, 960, 1800, 1800, 1800])
    #expect(OpenIDRenewal.pause(after: .max) == 1_800_000)
  }

  @Test(arguments: [
    ("", []), ("a=b", ["a=b"]), ("a", ["a="]), ("a=&&b=c=d&", ["a=", "b=c=d"]), ("a+b=%C3%A9%2b", ["a b=é+"]),
  ])
  func forms(_ text: String, _ pairs: [String]) {
    #expect(FormText.decode(text)?.map { $0.name + "=" + $0.value } == pairs)
  }

  @Test(arguments: ["%", "%1", "a=%GG", "a=%ff"])
  func noForms(_ text: String) { #expect(FormText.decode(text) == nil) }
}
