import Testing

@testable import GateCore

/// Waits for answers that a broken program may never give, hence the limit.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct AuthControllerTests {
  private let signedIn = ["sessionName": "Ada", "sessionStore": "file", "sessionStarted": "7"]

  private func auth(_ world: World, _ secrets: FakeSecrets) -> AuthController {
    AuthController(client: secrets.client, preferences: world.preferences, clock: world.clock, bus: world.bus)
  }

  /// Waits for the next change.
  private func change(of auth: AuthController) async {
    var token: Listening?
    await withCheckedContinuation { continuation in
      var isTold = false
      token = auth.changed.listen {
        if !isTold { continuation.resume() }
        isTold = true
      }
    }
    withExtendedLifetime(token) {}
  }

  @Test func thePreferencesSayAtOnceWhetherThereIsASession() {
    #expect(auth(World(), FakeSecrets()).state == .signedOut)
    #expect(
      auth(World(signedIn), FakeSecrets()).state
        == .signedIn(Session(name: "Ada", store: .file, started: 7)))
    #expect(auth(World(["sessionStore": "elsewhere"]), FakeSecrets()).state == .signedOut)
    #expect(auth(World(signedIn, state: .unreadable(.noPermission)), FakeSecrets()).state == .signedOut)
  }

  @Test func signsInOnceAndRemembers() async {
    let (world, secrets) = (World(), FakeSecrets())
    secrets.userName = "Ada\nExample"
    let auth = auth(world, secrets)
    auth.signIn()
    auth.signIn()
    #expect(auth.state == .signingIn)
    await secrets.arrived(1)
    secrets.letGo()
    await change(of: auth)
    let session = Session(name: "Ada Example", store: .keyring, started: world.hands.wall)
    #expect(auth.state == .signedIn(session))
    #expect(secrets.calls == ["store"])
    #expect(self.auth(world, secrets).state == .signedIn(session))
  }

  @Test(arguments: [SessionFault.keyringLocked, .keyringUnavailable, .timedOut, .file(.noSpace), .cancelled])
  func aFailedSignInSaysWhy(_ fault: SessionFault) async {
    let (world, secrets) = (World(), FakeSecrets())
    secrets.storeFault = fault
    let auth = auth(world, secrets)
    auth.signIn()
    await secrets.arrived(1)
    secrets.letGo()
    await change(of: auth)
    #expect(auth.state == .signedOut)
    #expect(auth.fault == (fault == .cancelled ? nil : .secret(fault)))
    #expect(world.file.values["sessionStore"] == nil)
    auth.signIn()
    #expect(auth.fault == nil)
  }

  @Test func whoCancelsLeavesNoSecretAndMaySignInAgain() async {
    let (world, secrets) = (World(), FakeSecrets())
    let auth = auth(world, secrets)
    auth.signIn()
    await secrets.arrived(1)
    auth.cancel()
    #expect(auth.state == .signedOut)
    auth.signIn()
    // The first one comes through all the same: its secret goes before the second one's is made.
    for call in 2...5 {
      secrets.letGo()
      await secrets.arrived(call)
    }
    #expect(secrets.made.isEmpty)
    secrets.letGo()
    await change(of: auth)
    #expect(secrets.calls == ["store", "read", "remove", "remove", "store"])
    #expect(secrets.made == [.keyring] && world.file.values["sessionLeftover"] == "")
    guard case .signedIn = auth.state else { Issue.record("not signed in"); return }
  }

  @Test func signingOutIsAtOnceAndASecretThatStaysIsTold() async {
    let (world, secrets) = (World(signedIn), FakeSecrets())
    secrets.removeFault = .timedOut
    let auth = auth(world, secrets)
    auth.signOut()
    #expect(auth.state == .signedOut)
    #expect(world.file.values["sessionStore"] == "")
    await secrets.arrived(1)
    secrets.letGo()
    await secrets.arrived(2)
    let (posts, posted) = AsyncStream.makeStream(of: Void.self)
    let subscription = world.bus.subscribe { posted.yield(()) }
    secrets.letGo()
    for await _ in posts { break }
    #expect(world.errors == [.sessionNotRemoved(.timedOut)])
    withExtendedLifetime(subscription) {}
  }

  private func until(_ isSo: @MainActor () -> Bool) async {
    for _ in 0..<100_000 where !isSo() { await Task.yield() }
    #expect(isSo())
  }

  @Test func whatASlowStoreLeavesIsRemovedAtTheNextStart() async {
    let (world, secrets) = (World(), FakeSecrets())
    secrets.isPrompt = true
    secrets.storeFault = .timedOut
    secrets.reading = .frozen
    let auth = auth(world, secrets)
    auth.signIn()
    await until { secrets.calls.count == 3 }
    #expect(secrets.calls == ["store", "read keyring", "remove file"])
    #expect(auth.fault == .secret(.timedOut) && world.file.values["sessionLeftover"] == "keyring")
    secrets.reading = FakeSecrets.present
    let next = self.auth(world, secrets)
    next.verify()
    await until { world.file.values["sessionLeftover"] == "" }
    #expect(secrets.calls.suffix(3) == ["read keyring", "remove keyring", "remove file"])
    #expect(world.errors.isEmpty && next.state == .signedOut)
  }

  @Test(arguments: [SecretReading.locked, .noService, .refused, .frozen])
  func anUnfinishedSignOutIsFinishedWithoutAQuestion(_ reading: SecretReading) async {
    let (world, secrets) = (World(["sessionLeftover": "keyring"]), FakeSecrets())
    secrets.isPrompt = true
    secrets.reading = reading
    let auth = auth(world, secrets)
    auth.verify()
    // The keeper follows the keyring from the start; what is left, once it has been looked for.
    await until { secrets.follows == 2 }
    #expect(secrets.calls == ["read keyring", "remove file"] && !auth.mayBeAsking)
    #expect(world.file.values["sessionLeftover"] == "keyring")
    secrets.reading = FakeSecrets.present
    secrets.follower?()
    await until { world.file.values["sessionLeftover"] == "" }
    #expect(secrets.calls.suffix(3) == ["read keyring", "remove keyring", "remove file"])
    #expect(!secrets.calls.contains("unlock"))
  }

  @Test(arguments: [SecretStore.keyring, .file])
  func whatASessionOwnsIsNotLeft(_ store: SecretStore) async {
    let world = World(signedIn.merging(["sessionStore": store.rawValue, "sessionLeftover": "keyring"]) { $1 })
    let secrets = FakeSecrets()
    secrets.isPrompt = true
    let auth = auth(world, secrets)
    auth.verify()
    await until { world.file.values["sessionLeftover"] == "" }
    let removed = secrets.calls.filter { $0.hasPrefix("remove") && $0 != "remove file" }
    #expect(removed == (store == .file ? ["remove keyring"] : []))
    await look(of: auth)
    #expect(auth.session?.store == store && (store == .keyring || !secrets.calls.contains("remove file")))
  }

  @Test func aSignOutIsOnRecordUntilItsSecretHasGone() async {
    let (world, secrets) = (World(signedIn.merging(["sessionStore": "keyring"]) { $1 }), FakeSecrets())
    secrets.isPrompt = true
    let auth = auth(world, secrets)
    auth.signOut()
    #expect(world.file.values["sessionLeftover"] == "keyring" && world.file.values["sessionStore"] == "")
    secrets.reading = .absent
    await until { world.file.values["sessionLeftover"] == "" }
  }

  /// Waits until the keeper has looked.
  private func look(of auth: AuthController) async {
    for _ in 0..<100_000 where auth.keeper.isLooking { await Task.yield() }
    #expect(!auth.keeper.isLooking)
  }

  @Test(arguments: [
    FakeSecrets.present, .locked, .refused, .unreadable, .noService, .frozen, .cancelled,
  ])
  func onlyAnAnswerThatItIsGoneEndsTheSession(_ reading: SecretReading) async {
    let (world, secrets) = (World(signedIn), FakeSecrets())
    secrets.isPrompt = true
    secrets.reading = reading
    let auth = auth(world, secrets)
    auth.verify()
    await look(of: auth)
    guard case .signedIn = auth.state else { Issue.record("\(reading) ended it"); return }
    #expect(world.file.writes.isEmpty)
  }

  @Test func aSecretThatIsGoneAtTheStartEndsTheSessionAndIsSaid() async {
    let (world, secrets) = (World(signedIn), FakeSecrets())
    secrets.isPrompt = true
    secrets.reading = .absent
    let auth = auth(world, secrets)
    auth.verify()
    await look(of: auth)
    #expect(auth.state == .signedOut && auth.fault == .secret(.secretGone))
    #expect(world.file.values["sessionStore"] == "")
    auth.signIn()
    #expect(auth.fault == nil)
  }

  @Test func aSecretThatGoesLaterEndsNothing() async {
    let (world, secrets) = (World(signedIn), FakeSecrets())
    secrets.isPrompt = true
    let auth = auth(world, secrets)
    auth.verify()
    await look(of: auth)
    secrets.reading = .absent
    auth.keeper.check()
    await look(of: auth)
    guard case .signedIn = auth.state else { Issue.record("ended"); return }
    #expect(auth.keeper.standing == .absent)
  }

  @Test func whereTheSecretHasMovedIsWhereItIsRemoved() async {
    let (world, secrets) = (World(signedIn), FakeSecrets())
    secrets.isPrompt = true
    secrets.canMove = true
    let auth = auth(world, secrets)
    auth.verify()
    await look(of: auth)
    #expect(auth.state == .signedIn(Session(name: "Ada", store: .keyring, started: 7)))
    auth.signOut()
    for _ in 0..<100_000 where auth.mayBeAsking { await Task.yield() }
    #expect(secrets.calls.suffix(4) == ["remove keyring", "read keyring", "remove keyring", "remove file"])
  }

  @Test func aLateAnswerAboutAnEarlierSessionEndsNothing() async {
    let (world, secrets) = (World(["sessionName": "Ada", "sessionStore": "keyring"]), FakeSecrets())
    secrets.reading = .absent
    let auth = auth(world, secrets)
    auth.verify()
    await secrets.arrived(1)
    auth.signOut()
    auth.signIn()
    secrets.letGo()
    await secrets.arrived(2)
    secrets.letGo()
    for call in 3...5 {
      await secrets.arrived(call)
      secrets.letGo()
    }
    for _ in 0..<100_000 where auth.state == .signingIn { await Task.yield() }
    #expect(secrets.calls == ["read", "remove", "read", "remove", "store"])
    guard case .signedIn = auth.state else { Issue.record("ended"); return }
    #expect(auth.fault == nil)
  }

  @Test func othersMayEndASessionButNotMakeOne() {
    let world = World(signedIn)
    let auth = auth(world, FakeSecrets())
    let heard = Heard(auth.changed)
    world.file.change("sessionStore", to: "")
    #expect(auth.state == .signedOut)
    #expect(heard.count == 1)
    world.file.change("sessionStore", to: "file")
    #expect(auth.state == .signedOut)
  }
}
