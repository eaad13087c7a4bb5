import Testing

@testable import GateCore

/// A sign-in from the click to the session, and each way in which it ends before.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct OpenIDSignInTests {
  @Test func fromTheClickToTheSession() async {
    let rig = OpenIDRig()
    let returns = Heard(rig.auth.returned)
    rig.auth.signIn(pages: OpenIDRig.pages)
    rig.auth.signIn(pages: OpenIDRig.pages)
    #expect(rig.auth.phase == .asking && rig.web.sent.count == 1)
    #expect(rig.web.sent[0].request.address == "https://id.example.org/realm/.well-known/openid-configuration")
    rig.web.sent[0].answer(200, OpenIDRig.metadata())
    #expect(rig.auth.phase == .asking && rig.opened.isEmpty && rig.waiting.map(\.path) == ["/cb"])
    rig.hear?(.listening(port: 4321))
    #expect(rig.auth.phase == .inBrowser(address: rig.opened[0], trouble: nil))
    #expect(rig.asked("redirect_uri") == "http://127.0.0.1:4321/cb" && rig.asked("state") == rig.waiting[0].state)
    rig.hear?(.arrived(query: "code=C%2F1&state=\(rig.asked("state"))"))
    #expect(rig.auth.phase == .redeeming && returns.count == 1)
    #expect(rig.web.sent[1].request.address == "https://id.example.org/token")
    #expect(
      rig.form["grant_type"] == "authorization_code" && rig.form["code"] == "C/1" && rig.form["client_id"] == "app")
    #expect(rig.form["redirect_uri"] == "http://127.0.0.1:4321/cb" && rig.form["code_verifier"]?.count == 43)
    rig.web.sent[1].answer(200, rig.tokens(rig.idToken()))
    #expect(rig.auth.state == .signingIn && rig.auth.phase == nil)
    await rig.until { rig.auth.session != nil }
    let account = Account.openID(OpenIDAccount(issuer: OpenIDRig.issuer, subject: "ada"))
    #expect(
      rig.auth.session == Session(account: account, name: "Ada", store: .file, started: rig.world.hands.wall))
    #expect(rig.stored?.refresh == "R1" && rig.secrets.calls == ["store"])
    #expect(rig.auth.connection == .fresh)
    #expect(rig.make().session == rig.auth.session, "the next run knows it")
  }

  @Test(arguments: [
    ("not found", OpenIDFault.answered(status: 404)), ("busy", .busy(seconds: 60)), ("garbage", .garbage),
    ("unreachable", .web(.unreachable)), ("certificate", .web(.badCertificate)), ("other", .otherIssuer),
  ])
  func withoutMetadataNothingIsListenedForOrOpened(_ what: String, _ fault: OpenIDFault) {
    let rig = OpenIDRig()
    rig.auth.signIn(pages: OpenIDRig.pages)
    switch what {
    case "not found": rig.web.sent[0].answer(404, OpenIDRig.metadata())
    case "busy": rig.web.sent[0].answer(429, headers: ["retry-after": "60"])
    case "garbage": rig.web.sent[0].answer(200, "<html>")
    case "unreachable": rig.web.sent[0].fail(.unreachable)
    case "certificate": rig.web.sent[0].fail(.badCertificate)
    default: rig.web.sent[0].answer(200, OpenIDRig.metadata(["issuer": #""https://evil.example.org""#]))
    }
    #expect(rig.auth.state == .signedOut && rig.auth.fault == .provider(fault))
    #expect(rig.waiting.isEmpty && rig.opened.isEmpty)
    rig.auth.signIn(pages: OpenIDRig.pages)
    #expect(rig.auth.fault == nil && rig.web.sent.count == 2)
  }

  @Test(arguments: [RedirectFault.noPort, .notInstalled, .crashed, .timedOut])
  func nobodyListens(_ fault: RedirectFault) {
    let rig = OpenIDRig()
    rig.auth.signIn(pages: OpenIDRig.pages)
    rig.web.sent[0].answer(200, OpenIDRig.metadata())
    if fault == .timedOut { rig.hear?(.listening(port: 1)) }
    rig.hear?(.failed(fault))
    #expect(rig.auth.fault == .provider(.listener(fault)) && rig.auth.state == .signedOut)
    #expect(rig.web.sent.count == 1)
  }

  @Test func theBrowserComesBackWithARefusal() {
    let rig = OpenIDRig()
    let returns = Heard(rig.auth.returned)
    rig.toBrowser()
    rig.hear?(.arrived(query: "error=access_denied&state=\(rig.asked("state"))"))
    #expect(rig.auth.fault == .provider(.refused(.denied)) && rig.auth.state == .signedOut)
    #expect(rig.web.sent.count == 1 && returns.count == 1)
  }

  @Test(arguments: [
    (400, #"{"error":"invalid_grant"}"#, OpenIDFault.codeRefused), (403, #"{"error":"invalid_code"}"#, .codeRefused),
    (400, "", .codeRefused), (401, #"{"error":"invalid_client"}"#, .appRefused), (500, "", .answered(status: 500)),
    (200, "{}", .idToken(.malformed)),
  ])
  func theCodeIsNotTaken(_ status: Int, _ body: String, _ fault: OpenIDFault) async {
    let rig = OpenIDRig()
    rig.toRedeeming()
    rig.web.sent[1].answer(status, body)
    #expect(rig.auth.fault == .provider(fault) && rig.auth.state == .signedOut)
    await rig.settle()
    #expect(rig.secrets.calls.isEmpty)
  }

  @Test(arguments: [
    (["nonce": #""of another""#], IDTokenFault.nonce), (["aud": #""other""#], .audience), (["exp": "1"], .expired),
    (["iss": #""https://evil.example.org""#], .issuer),
  ])
  func aForeignIDTokenLeavesNothing(_ changes: [String: String], _ fault: IDTokenFault) async {
    let rig = OpenIDRig()
    rig.toRedeeming()
    rig.web.sent[1].answer(200, rig.tokens(rig.idToken(changes)))
    #expect(rig.auth.fault == .provider(.idToken(fault)) && rig.auth.state == .signedOut)
    await rig.settle()
    #expect(rig.secrets.calls.isEmpty && rig.world.file.values["sessionStore"] == nil)
    // What was given out with it is taken back; that this fails is not said in the place of the reason.
    #expect(rig.web.sent.count == 3 && rig.form["token"] == "R1")
    rig.web.sent.last?.fail(.unreachable)
    #expect(rig.auth.fault == .provider(.idToken(fault)))
  }

  @Test func cancelledAtEachPoint() async {
    for point in 0..<4 {
      let rig = OpenIDRig()
      rig.auth.signIn(pages: OpenIDRig.pages)
      if point > 0 { rig.web.sent[0].answer(200, OpenIDRig.metadata()) }
      if point > 1 { rig.hear?(.listening(port: 1)) }
      let hear = rig.hear
      if point > 2 { rig.hear?(.arrived(query: "code=C&state=\(rig.asked("state"))")) }
      rig.auth.cancel()
      #expect(rig.auth.state == .signedOut && rig.auth.phase == nil && rig.auth.fault == nil)
      #expect(rig.stopped == (point == 1 || point == 2 ? 1 : 0), "the listener of point \(point)")
      #expect(rig.web.sent.last?.isCancelled == (point == 0 || point == 3))
      // What is late changes nothing.
      rig.web.sent[0].answer(200, OpenIDRig.metadata())
      hear?(.arrived(query: "code=C&state=\(rig.asked("state"))"))
      if point == 3 { rig.web.sent[1].answer(200, rig.tokens(rig.idToken())) }
      await rig.settle()
      #expect(rig.auth.state == .signedOut && rig.secrets.calls.isEmpty && rig.web.sent.count == (point == 3 ? 2 : 1))
    }
  }

  @Test func cancelledWhileTheSecretIsStoredItIsRemovedAndTheTokensRevoked() async {
    let rig = OpenIDRig()
    rig.toRedeeming()
    rig.secrets.before["store"] = { rig.auth.cancel() }
    rig.web.sent[1].answer(200, rig.tokens(rig.idToken()))
    await rig.until { rig.web.sent.count == 3 }
    await rig.until { rig.secrets.calls.count == 4 }
    #expect(rig.auth.state == .signedOut && rig.secrets.reading == .absent)
    #expect(rig.secrets.calls == ["store", "read", "remove", "remove"])
    #expect(rig.web.sent[2].request.address == "https://id.example.org/revoke" && rig.form["token"] == "R1")
  }

  @Test func aSecretThatCannotBeStoredRevokesTheTokens() async {
    let rig = OpenIDRig()
    rig.secrets.storeFault = .keyringRefused
    rig.toRedeeming()
    rig.web.sent[1].answer(200, rig.tokens(rig.idToken()))
    await rig.until { rig.web.sent.count == 3 }
    #expect(rig.auth.fault == .secret(.keyringRefused) && rig.form["token"] == "R1")
  }

  @Test func aBrowserThatDoesNotOpenIsSaidAndCanBeTriedAgain() {
    let rig = OpenIDRig()
    rig.toBrowser()
    let first = rig.answerBrowser
    rig.answerBrowser?(.failed(3))
    #expect(rig.auth.phase == .inBrowser(address: rig.opened[0], trouble: .failed(3)))
    rig.auth.openBrowser()
    #expect(rig.auth.phase == .inBrowser(address: rig.opened[0], trouble: nil) && rig.opened.count == 2)
    #expect(rig.opened[0] == rig.opened[1])
    first?(.notInstalled)
    #expect(rig.auth.phase == .inBrowser(address: rig.opened[0], trouble: nil), "a late answer about the first time")
  }

  @Test func theLockDoesNotTouchASignInThatIsUnderWay() async {
    let rig = OpenIDRig()
    rig.auth.setUnlocked(true)
    rig.toBrowser()
    rig.auth.setUnlocked(false)
    rig.hear?(.arrived(query: "code=C&state=\(rig.asked("state"))"))
    rig.web.sent[1].answer(200, rig.tokens(rig.idToken()))
    await rig.until { rig.auth.session != nil }
    #expect(rig.auth.session != nil)
  }

  @Test(arguments: [
    (#""A\nb\u0000c""#, "A b c"), (#""A\u2028b\u2029c\u0085d""#, "A b c d"),
    (#""\u202Eada\u202C\u2066x\u2069""#, "adax"),
    (#""\u200Fa\u200Bb\uFEFFc\u00ADd""#, "abcd"), (#""نیک\u200Cرای""#, "نیک\u{200C}رای"), (#""é\u0301""#, "é\u{301}"),
  ])
  func namesOfServersStayOnOneLine(_ given: String, _ shown: String) async {
    let rig = OpenIDRig()
    rig.toRedeeming()
    rig.web.sent[1].answer(200, rig.tokens(rig.idToken(["name": given])))
    await rig.until { rig.auth.session != nil }
    #expect(rig.auth.session?.name == shown)
  }

  @Test func withoutAProviderThereIsNoSecondWay() {
    let rig = OpenIDRig(provider: nil)
    rig.auth.signIn(pages: OpenIDRig.pages)
    #expect(rig.auth.state == .signedOut && rig.web.sent.isEmpty)
  }

  @Test func damagedPreferencesMakeNoSession() {
    let whole = ["sessionStore": "file", "sessionIssuer": OpenIDRig.issuer, "sessionSubject": "ada"]
    #expect(OpenIDRig(whole).auth.session?.account != .local)
    #expect(OpenIDRig(whole.merging(["sessionSubject": ""]) { $1 }).auth.session == nil)
    #expect(OpenIDRig(whole.merging(["sessionIssuer": ""]) { $1 }).auth.session == nil)
  }
}
