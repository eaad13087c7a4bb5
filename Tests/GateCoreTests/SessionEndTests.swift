import Testing

@testable import GateCore

/// When a session ends, by a sign-out or since everything is deleted, its secret goes and its provider is told.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct SessionEndTests {
  @Test func signingOutIsAtOnceAndTheProviderIsTold() async {
    let rig = OpenIDRig()
    await rig.signIn()
    rig.auth.signOut()
    #expect(rig.auth.state == .signedOut && rig.world.file.values["sessionSubject"] == "")
    await rig.until { rig.web.sent.count == 3 }
    #expect(rig.secrets.calls.last == "remove" && rig.form["token"] == "R1" && rig.form["client_id"] == "app")
    rig.web.sent[2].answer(200)
    #expect(rig.auth.fault == nil)
  }

  /// Signed in, with the secret removed before everything is deleted.
  private func erased(_ fault: SessionFault? = nil) async -> OpenIDRig {
    let rig = await OpenIDRig.unlocked()
    rig.secrets.removeFault = fault
    await rig.erase(rig.auth, fault)
    return rig
  }

  @Test func theProviderIsToldWhenEverythingIsDeleted() async {
    let rig = await erased()
    var ends = 0
    rig.auth.revokeErased { ends += 1 }
    #expect(ends == 0 && rig.web.sent.count == 3 && rig.form["token"] == "R1")
    rig.web.sent[2].answer(200)
    rig.timer.advance(5000)
    #expect(ends == 1)
  }

  @Test func aProviderThatDoesNotAnswerHoldsNoDeletionUp() async {
    let rig = await erased()
    var ends = 0
    rig.auth.revokeErased { ends += 1 }
    rig.timer.advance(4999)
    #expect(ends == 0)
    rig.timer.advance(1)
    rig.web.sent[2].fail(.timedOut)
    #expect(ends == 1)
  }

  @Test func nothingIsWrittenBehindADeletion() async {
    let rig = await OpenIDRig.unlocked()
    await rig.pass(480)
    #expect(rig.web.sent.count == 3)
    rig.auth.keeper.erase { _ in }
    rig.secrets.before["remove"] = { rig.web.sent[2].answer(200, rig.tokens(refresh: "R2")) }
    await rig.settle()
    #expect(rig.secrets.reading == .absent)
    rig.auth.setUnlocked(true)
    await rig.pass(86_400)
    #expect(rig.secrets.reading == .absent && rig.web.sent.count == 3)
    // The provider is told of what it gave last.
    rig.auth.revokeErased {}
    #expect(rig.form["token"] == "R2")
  }

  @Test func aDeletionThatIsCalledOffLeavesTheSession() async {
    let rig = await erased(.keyringRefused)
    var ends = 0
    rig.auth.revokeErased { ends += 1 }
    #expect(ends == 1 && rig.web.sent.count == 2 && rig.auth.session != nil)
    await rig.pass(480)
    #expect(rig.web.sent.count == 3 && rig.form["refresh_token"] == "R1")
  }

  @Test func aLockedKeyringIsOpenedToTellTheProviderOfADeletion() async {
    let rig = OpenIDRig()
    let next = await rig.startLocked()
    await rig.erase(next)
    next.revokeErased {}
    #expect(rig.form["token"] == "R1" && rig.web.sent.last?.request.address == "https://id.example.org/revoke")
  }

  @Test func whoDoesNotUnlockDeletesNothingAndIsAskedOnce() async {
    let rig = OpenIDRig()
    await rig.signIn()
    rig.secrets.reading = .locked
    rig.secrets.unlockFault = .cancelled
    let next = rig.make()
    next.setUnlocked(true)
    await rig.erase(next, .cancelled)
    #expect(rig.secrets.calls.filter { $0 == "unlock" || $0 == "remove" } == ["unlock"])
    #expect(next.session != nil)
  }

  @Test func aSessionAfterADeletionThatCameToNothingIsRenewedLikeAnyOther() async {
    let rig = await erased()
    // The secret has gone, and the files could not: the user signs out, and in again.
    rig.auth.signOut()
    await rig.settle()
    await rig.signIn(refresh: "R2")
    await rig.pass(480)
    #expect(rig.form["refresh_token"] == "R2")
    rig.web.sent.last?.answer(200, rig.tokens(access: "A3", refresh: "R3"))
    await rig.settle()
    #expect(rig.stored?.refresh == "R3")
    var ends = 0
    rig.auth.revokeErased { ends += 1 }
    #expect(ends == 1)
  }

  @Test func aKeyringThatIsLockedIsOpenedToTellTheProvider() async {
    let rig = OpenIDRig()
    let next = await rig.startLocked()
    next.signOut()
    await rig.until { rig.web.sent.count == 3 }
    #expect(rig.web.sent.last?.request.address == "https://id.example.org/revoke" && rig.form["token"] == "R1")
    #expect(rig.secrets.reading == .absent && next.fault == nil)
  }

  @Test(arguments: [SecretReading.locked, .refused, .frozen, .unreadable])
  func tokensThatCannotBeReadAreSaidNotToBeRevoked(_ reading: SecretReading) async {
    let rig = OpenIDRig()
    await rig.signIn()
    rig.secrets.reading = reading
    rig.secrets.unlockFault = .cancelled
    let next = rig.make()
    next.signOut()
    await rig.until { next.fault != nil }
    #expect(next.fault == .notRevoked(nil) && next.state == .signedOut && rig.web.sent.count == 2)
    // Whoever declines is asked once, and what stays is on record.
    guard reading == .locked else { return }
    #expect(rig.secrets.calls.suffix(2) == ["read", "unlock"] && rig.world.errors == [.sessionNotRemoved(.cancelled)])
    #expect(!rig.world.preferences[.sessionLeftover].isEmpty)
  }

  @Test func aProviderThatCannotBeToldIsSaid() async {
    let rig = OpenIDRig()
    await rig.signIn()
    rig.auth.signOut()
    await rig.until { rig.web.sent.count == 3 }
    rig.web.sent[2].fail(.unreachable)
    #expect(rig.auth.fault == .notRevoked(.web(.unreachable)) && rig.lines.count == 1)
    // Of an earlier session, it is not said in the middle of the next one.
    await rig.signIn()
    #expect(rig.auth.fault == nil)
  }
}

extension OpenIDRig {
  /// The controller of a run that begins with the keyring locked, so that no tokens have been read; asked to, it opens.
  fileprivate func startLocked() async -> AuthController {
    await signIn()
    let open = secrets.reading
    secrets.reading = .locked
    secrets.before["unlock"] = { [secrets] in secrets.reading = open }
    return make()
  }

  /// Removes the secret before everything is deleted, which has to end with this.
  fileprivate func erase(_ auth: AuthController, _ fault: SessionFault? = nil) async {
    var isDone = false
    auth.keeper.erase {
      #expect($0 == fault)
      isDone = true
    }
    await until { isDone }
  }
}
