import Testing

@testable import GateCore

/// What the end of the program or of the session, and the lock, do to a renewal that is under way.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct OpenIDRenewalEndTests {
  @Test func lockedWhileTheStoreIsReadIsNoFailure() async {
    let rig = await OpenIDRig.unlocked()
    rig.secrets.before["read"] = { rig.auth.setUnlocked(false) }
    await rig.pass(480)
    #expect(rig.web.sent.count == 2 && rig.auth.connection == .fresh)
    rig.auth.setUnlocked(true)
    await rig.settle()
    #expect(rig.web.sent.count == 3 && rig.form["refresh_token"] == "R1")
  }

  @Test func theEndWaitsForWhatIsUnderWayAndBeginsNothing() async {
    let rig = await OpenIDRig.unlocked()
    var ends = 0
    await rig.pass(480)
    rig.auth.finish { ends += 1 }
    await rig.settle()
    #expect(ends == 0)
    rig.secrets.before["replace"] = { #expect(ends == 0) }
    rig.web.sent[2].answer(200, rig.tokens(access: "A2", refresh: "R2"))
    await rig.until { ends > 0 }
    #expect(ends == 1 && rig.stored?.refresh == "R2")
    await rig.pass(86_400)
    rig.auth.setUnlocked(false)
    rig.auth.setUnlocked(true)
    await rig.settle()
    #expect(ends == 1 && rig.web.sent.count == 3)
  }

  @Test func theEndTriesOnceMoreToStoreWhatIsNot() async {
    let rig = await OpenIDRig.unlocked()
    var ends = 0
    await rig.pass(480)
    rig.secrets.replaceFault = .keyringLocked
    rig.web.sent[2].answer(200, rig.tokens(access: "A2", refresh: "R2"))
    await rig.settle()
    rig.secrets.replaceFault = nil
    rig.auth.finish { ends += 1 }
    await rig.until { ends > 0 }
    #expect(ends == 1 && rig.stored?.refresh == "R2")
  }

  @Test(arguments: [true, false])
  func theEndIsNotHeldUpByNothing(_ isSignedIn: Bool) async {
    let rig = isSignedIn ? await OpenIDRig.unlocked() : OpenIDRig()
    var ends = 0
    rig.auth.finish { ends += 1 }
    #expect(ends == 1)
  }

  @Test func theEndWhileTheStoreIsReadAsksForNothing() async {
    let rig = await OpenIDRig.unlocked()
    var ends = 0
    rig.secrets.before["read"] = { rig.auth.finish { ends += 1 } }
    await rig.pass(480)
    #expect(ends == 1 && rig.web.sent.count == 2)
  }

  @Test func signedOutWhileTheAnswerIsOnItsWay() async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(480)
    rig.auth.signOut()
    #expect(rig.web.sent[2].isCancelled)
    rig.web.sent[2].answer(200, rig.tokens(refresh: "R2"))
    await rig.settle()
    #expect(rig.secrets.reading == .absent && rig.auth.state == .signedOut)
  }
}
