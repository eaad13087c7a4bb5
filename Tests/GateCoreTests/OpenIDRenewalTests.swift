import Testing

@testable import GateCore

/// Tokens are renewed in time, by one request, while the app is unlocked; and only the provider's own word ends it.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct OpenIDRenewalTests {
  @Test func inTimeAndStoredBeforeItIsUsed() async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(479)
    #expect(rig.web.sent.count == 2)
    await rig.pass(1)
    #expect(rig.web.sent.count == 3)
    #expect(rig.form == ["grant_type": "refresh_token", "refresh_token": "R1", "client_id": "app"])
    rig.web.sent[2].answer(200, rig.tokens(access: "A2", refresh: "R2"))
    await rig.settle()
    #expect(rig.stored?.refresh == "R2" && rig.stored?.access == "A2")
    #expect(rig.secrets.calls == ["store", "read", "replace"])
    await rig.pass(480)
    #expect(rig.form["refresh_token"] == "R2")
    // A provider that sends none wants the old one kept.
    rig.web.sent[3].answer(200, rig.tokens(access: "A3", refresh: nil))
    await rig.settle()
    #expect(rig.stored?.refresh == "R2" && rig.stored?.access == "A3" && rig.auth.connection == .fresh)
  }

  @Test func oneAtATime() async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(600)
    for _ in 0..<5 {
      rig.auth.setUnlocked(false)
      rig.auth.setUnlocked(true)
      rig.auth.renewNow()
      await rig.pass(60)
    }
    #expect(rig.web.sent.count == 3)
  }

  @Test func notWhileLockedAndAtOnceAfterwards() async {
    let rig = await OpenIDRig.unlocked()
    rig.auth.setUnlocked(false)
    await rig.pass(86_400)
    #expect(rig.web.sent.count == 2 && rig.timer.pending == 0)
    rig.auth.setUnlocked(true)
    await rig.settle()
    #expect(rig.web.sent.count == 3)
    // Locked while the answer is on its way: it may hold the only refresh token that is left.
    rig.auth.setUnlocked(false)
    rig.web.sent[2].answer(200, rig.tokens(refresh: "R2"))
    await rig.settle()
    #expect(rig.stored?.refresh == "R2")
  }

  @Test func withoutConsentNothingIsSent() async {
    let rig = await OpenIDRig.unlocked()
    rig.world.preferences.set(.acceptedConsentVersion, to: "")
    await rig.pass(600)
    #expect(rig.web.sent.count == 2 && rig.auth.connection == .offline(.web(.notPermitted)))
  }

  @Test func anHourDownEndsNothing() async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(480)
    var tries = 0
    for _ in 0..<60 {
      if rig.web.sent.count > 2 + tries {
        tries += 1
        rig.web.sent[1 + tries].fail([.unreachable, .timedOut, .truncated, .badCertificate][tries % 4])
      }
      await rig.pass(60)
    }
    #expect((5...8).contains(tries), "\(tries) tries in an hour")
    #expect(rig.auth.session != nil && rig.auth.fault == nil)
    guard case .offline(let fault) = rig.auth.connection else { Issue.record("not offline"); return }
    #expect(fault.mayPass)
    // It is back: at the latest half an hour later it is asked again, and all is as before.
    for _ in 0..<31 where rig.web.sent.count == 2 + tries { await rig.pass(60) }
    rig.web.sent.last?.answer(200, rig.tokens(access: "A9", refresh: "R9"))
    await rig.settle()
    #expect(rig.auth.connection == .fresh && rig.stored?.refresh == "R9")
  }

  @Test(arguments: [
    (500, "", nil as String?), (502, "<html>", nil), (503, #"{"error":"invalid_grant"}"#, "3000"), (429, "", "3000"),
    (404, "", nil), (403, "", nil), (403, "<html>pay first</html>", nil), (401, "<html>blocked</html>", nil),
    (400, #"{"error":"invalid_client"}"#, nil), (400, #"{"error":"invalid_request"}"#, nil),
    (200, "<html>hotel</html>", nil), (200, "{}", nil),
  ])
  func whatEndsNothing(_ status: Int, _ body: String, _ wait: String?) async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(480)
    rig.web.sent[2].answer(status, body, headers: wait.map { ["retry-after": $0] } ?? [:])
    await rig.settle()
    #expect(rig.auth.session != nil && rig.stored?.refresh == "R1")
    await rig.pass(29)
    #expect(rig.web.sent.count == 3)
    await rig.pass(1)
    #expect(rig.web.sent.count == (wait == nil ? 4 : 3))
    // What the provider asks for holds, whatever else might be tried at once.
    if wait != nil { rig.auth.renewNow() }
    await rig.settle()
    #expect(rig.web.sent.count == (wait == nil ? 4 : 3))
    await rig.pass(2970)
    #expect(rig.web.sent.count == 4)
  }

  @Test(arguments: [(400, #"{"error":"invalid_grant"}"#), (401, #"{"error":"invalid_grant","error_description":"x"}"#)])
  func theProvidersWordEndsIt(_ status: Int, _ body: String) async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(480)
    rig.web.sent[2].answer(status, body)
    #expect(rig.auth.state == .signedOut && rig.auth.fault == .provider(.sessionRefused))
    await rig.until { rig.secrets.calls.last == "remove" }
    #expect(rig.secrets.calls.last == "remove" && rig.world.file.values["sessionStore"] == "")
    // The same user, to the same account.
    await rig.signIn()
    #expect(rig.auth.session?.account == .openID(OpenIDAccount(issuer: OpenIDRig.issuer, subject: "ada")))
  }

  @Test func aRefusalWithoutAWordCountsOnceTheProviderItselfConfirmsIt() async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(480)
    rig.web.sent[2].answer(400)
    #expect(rig.web.sent[3].request.address == OpenIDRig.provider.metadata)
    rig.web.sent[3].answer(200, OpenIDRig.metadata(["token_endpoint": #""https://id.example.org/new""#]))
    #expect(rig.web.sent[4].request.address == "https://id.example.org/new" && rig.form["refresh_token"] == "R1")
    rig.web.sent[4].answer(400)
    #expect(rig.auth.fault == .provider(.sessionRefused))
  }

  @Test func aRefusalOfSomethingInBetweenEndsNothing() async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(480)
    rig.web.sent[2].answer(400)
    rig.web.sent[3].answer(403, "<html>pay first</html>")
    #expect(rig.auth.session != nil && rig.auth.connection == .offline(.answered(status: 403)))
    await rig.pass(30)
    rig.web.sent[4].answer(400)
    rig.web.sent[5].answer(200, OpenIDRig.metadata(["token_endpoint": #""https://id.example.org/new""#]))
    rig.web.sent[6].answer(200, rig.tokens(refresh: "R2"))
    await rig.settle()
    #expect(rig.auth.connection == .fresh && rig.stored?.refresh == "R2")
    #expect(rig.stored?.tokenAddress == "https://id.example.org/new")
  }

  @Test func newTokensThatCannotBeStoredAreKeptAndNoOthersAskedFor() async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(480)
    rig.secrets.replaceFault = .keyringLocked
    rig.web.sent[2].answer(200, rig.tokens(access: "A2", refresh: "R2"))
    await rig.settle()
    #expect(rig.stored?.refresh == "R1" && rig.auth.session != nil)
    await rig.pass(30)
    await rig.pass(60)
    #expect(rig.web.sent.count == 3 && rig.secrets.calls.filter { $0 == "replace" }.count == 3)
    rig.secrets.replaceFault = nil
    rig.auth.renewNow()
    await rig.settle()
    #expect(rig.stored?.refresh == "R2" && rig.web.sent.count == 3)
  }

  @Test func olderTokensInAKeyringThatHasGoneAreRemembered() async {
    let rig = OpenIDRig()
    rig.secrets.store = .keyring
    rig.auth.setUnlocked(true)
    await rig.signIn()
    #expect(rig.world.preferences[.sessionLeftover].isEmpty)
    rig.secrets.store = .file
    await rig.pass(480)
    rig.web.sent[2].answer(200, rig.tokens(refresh: "R2"))
    await rig.until { rig.auth.session?.store == .file }
    #expect(rig.world.preferences[.sessionLeftover] == "keyring")
    // What the session has now is not what is left.
    rig.secrets.reading = .noService
    rig.auth.signOut()
    await rig.settle()
    #expect(rig.world.preferences[.sessionLeftover] == "keyring")
  }

  @Test(arguments: [SecretReading.absent, .locked, .refused, .unreadable, .noService, .frozen])
  func aStoreThatDoesNotSayEndsNothingAndNothingIsAsked(_ reading: SecretReading) async {
    let rig = await OpenIDRig.unlocked()
    let open = rig.secrets.reading
    rig.secrets.reading = reading
    await rig.pass(600)
    #expect(rig.web.sent.count == 2 && rig.auth.session != nil)
    rig.secrets.reading = open
    rig.auth.renewNow()
    await rig.settle()
    #expect(rig.web.sent.count == 3)
  }

  @Test func aKeyringThatOpensEndsTheWaitForItAndNoOther() async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(480)
    rig.web.sent[2].answer(500)
    rig.auth.keeper.check()
    await rig.settle()
    #expect(rig.web.sent.count == 3, "the provider's pause goes on")
    let open = rig.secrets.reading
    rig.secrets.reading = .locked
    rig.auth.keeper.check()
    await rig.pass(30)
    #expect(rig.web.sent.count == 3)
    rig.secrets.reading = open
    rig.auth.keeper.check()
    await rig.settle()
    #expect(rig.web.sent.count == 4)
  }

  @Test func theNextRunGoesOnFromTheStore() async {
    let rig = await OpenIDRig.unlocked()
    rig.auth.setUnlocked(false)
    rig.world.hands.wall += 300
    let next = rig.make()
    #expect(next.connection == .unknown)
    next.setUnlocked(true)
    await rig.settle()
    #expect(next.connection == .fresh && rig.web.sent.count == 2)
    await rig.pass(179)
    #expect(rig.web.sent.count == 2)
    await rig.pass(1)
    #expect(rig.web.sent.count == 3 && rig.form["refresh_token"] == "R1")
  }

  @Test(arguments: [Int64(-86_400), 86_400, 3_000_000_000])
  func aClockThatJumps(_ jump: Int64) async {
    let rig = await OpenIDRig.unlocked()
    // While it runs: the time since boot counts.
    rig.world.hands.wall += jump
    await rig.pass(479)
    #expect(rig.web.sent.count == 2)
    await rig.pass(1)
    // By the provider's clock, which is right.
    let now = rig.world.hands.wall - jump
    let id = rig.idToken(["iat": "\(now)", "exp": "\(now + 600)"])
    rig.web.sent[2].answer(200, rig.tokens(id, refresh: "R2"))
    await rig.settle()
    #expect(rig.stored?.refresh == "R2" && rig.auth.connection == .fresh)
    // Set right between two runs: too old by its clock, or from the future, and asked for at once.
    rig.auth.setUnlocked(false)
    rig.world.hands.wall -= jump
    let next = rig.make()
    next.setUnlocked(true)
    await rig.settle()
    #expect(rig.web.sent.count == 4 && rig.form["refresh_token"] == "R2")
  }

  @Test func withoutARefreshTokenItExpiresAndStays() async {
    let rig = await OpenIDRig.unlocked(refresh: nil)
    await rig.pass(480)
    #expect(rig.auth.connection == .fresh)
    await rig.pass(120)
    #expect(rig.auth.connection == .expired && rig.auth.session != nil && rig.web.sent.count == 2)
  }

  @Test(arguments: [true, false])
  func anExpiryByAClockThatIsPutRightIsTakenBack(_ isAsked: Bool) async {
    let rig = await OpenIDRig.unlocked(refresh: nil, lifetime: 6000)
    rig.auth.setUnlocked(false)
    rig.world.hands.wall += 86_400
    let next = rig.make()
    next.setUnlocked(true)
    await rig.settle()
    #expect(next.connection == .expired && rig.timer.pending == 1)
    rig.world.hands.wall -= 86_400
    if isAsked { next.renewNow() } else { await rig.pass(900) }
    await rig.settle()
    #expect(next.connection == .fresh && rig.web.sent.count == 2)
  }

  @Test func aLifetimeOfNothingIsNoFlood() async {
    let rig = await OpenIDRig.unlocked(lifetime: 0)
    await rig.settle()
    var answered = 2
    for _ in 0..<60 {
      while rig.web.sent.count > answered {
        rig.web.sent[answered].answer(200, rig.tokens(lifetime: 0))
        answered += 1
        await rig.settle()
      }
      await rig.pass(1)
    }
    #expect(answered - 2 <= 7, "\(answered - 2) renewals in a minute")
  }

  @Test(arguments: [["sub": #""eve""#], ["iss": #""https://evil.example.org""#], ["aud": #""other""#]])
  func anIDTokenOfSomebodyElseIsNotTaken(_ changes: [String: String]) async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(480)
    rig.web.sent[2].answer(200, rig.tokens(rig.idToken(changes), access: "A2", refresh: "R2"))
    await rig.settle()
    #expect(rig.stored?.access == "A1" && rig.auth.session != nil)
    guard case .offline(.idToken) = rig.auth.connection else { Issue.record("taken"); return }
  }

  @Test(arguments: [OpenIDProvider(issuer: "https://evil.example.org", client: "app"), nil])
  func anotherProviderInTheSettingsIsNotGivenTheTokens(_ provider: OpenIDProvider?) async {
    let rig = await OpenIDRig.unlocked()
    rig.auth.setUnlocked(false)
    rig.world.hands.wall += 1000
    let next = rig.make(provider)
    next.setUnlocked(true)
    await rig.settle()
    #expect(next.session != nil && next.connection == .offline(.appRefused))
    next.signOut()
    await rig.settle()
    #expect(rig.web.sent.count == 2)
  }
}
