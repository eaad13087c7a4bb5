import Testing

@testable import GateCore

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct SecretKeeperTests {
  private let secrets = FakeSecrets()

  private func world(_ store: SecretStore) -> World {
    World(["sessionName": "Ada", "sessionStore": store.rawValue, "sessionStarted": "7"])
  }

  private func keeper(_ world: World) -> SecretKeeper {
    secrets.isPrompt = true
    return SecretKeeper(client: secrets.client, preferences: world.preferences, queue: SecretQueue())
  }

  /// Waits until nothing is being done any more.
  private func rest(_ keeper: SecretKeeper) async {
    for _ in 0..<100_000 where keeper.isLooking || keeper.isUnlocking { await Task.yield() }
    #expect(!keeper.isLooking && !keeper.isUnlocking)
  }

  @Test(arguments: [
    SecretReading.absent, .locked, .refused, .unreadable, .noService, .frozen, FakeSecrets.present,
  ])
  func saysWhatTheStoreSaysAndDoesNothing(_ reading: SecretReading) async {
    let world = world(.file)
    secrets.reading = reading
    let keeper = keeper(world)
    #expect(keeper.standing == nil)
    keeper.check()
    #expect(keeper.isLooking)
    await rest(keeper)
    #expect(keeper.standing == reading)
    #expect(secrets.calls == ["move", "read file"], "nothing is removed or written")
    #expect(world.file.writes.isEmpty)
  }

  @Test func nothingIsAskedWithoutASession() async {
    let keeper = keeper(World())
    keeper.begin()
    keeper.check()
    #expect(!keeper.isLooking)
    #expect(secrets.calls.isEmpty)
  }

  @Test func aSecretMovesAndTheFileGoesLast() async {
    let world = world(.file)
    secrets.canMove = true
    let keeper = keeper(world)
    keeper.check()
    await rest(keeper)
    #expect(secrets.calls == ["move", "read keyring", "remove file"])
    #expect(world.file.values["sessionStore"] == "keyring")
    #expect(keeper.store == .keyring && keeper.standing == FakeSecrets.present)
    keeper.check()
    await rest(keeper)
    #expect(secrets.calls.suffix(1) == ["read keyring"], "the file has gone once and for all")
  }

  @Test(arguments: [SecretReading.locked, .frozen, .noService, .unreadable, .absent])
  func theFileStaysUntilTheKeyringShowsTheSecret(_ reading: SecretReading) async {
    let world = world(.keyring)
    secrets.reading = reading
    let keeper = keeper(world)
    keeper.check()
    await rest(keeper)
    #expect(secrets.calls == ["read keyring"])
    secrets.reading = FakeSecrets.present
    keeper.check()
    await rest(keeper)
    #expect(secrets.calls.last == "remove file")
  }

  @Test func theFileStaysUntilTheMoveIsOnRecord() async {
    let world = world(.file)
    secrets.canMove = true
    world.file.saveFault = .noSpace
    let keeper = keeper(world)
    keeper.check()
    await rest(keeper)
    #expect(secrets.calls == ["move", "read keyring"])
    world.file.saveFault = nil
    world.preferences.set(.sessionName, to: "Ada B.")
    keeper.check()
    await rest(keeper)
    #expect(secrets.calls.suffix(2) == ["read keyring", "remove file"])
    #expect(world.file.values["sessionStore"] == "keyring")
  }

  @Test func whoSignsOutDuringAMoveLeavesNothingInTheKeyring() async {
    let world = world(.file)
    secrets.canMove = true
    secrets.whileMoving = { world.preferences.set(.sessionStore, to: "") }
    let keeper = keeper(world)
    keeper.check()
    await rest(keeper)
    #expect(secrets.calls == ["move", "remove keyring"])
    #expect(keeper.store == nil && keeper.standing == nil)
  }

  @Test func manyWishesAreOneLook() async {
    let keeper = keeper(world(.keyring))
    for _ in 0..<5 { keeper.check() }
    await rest(keeper)
    #expect(secrets.calls == ["read keyring", "remove file"])
  }

  @Test func aKeyringThatComesOrOpensIsLookedAt() async throws {
    let world = world(.file)
    let keeper = keeper(world)
    secrets.reading = FakeSecrets.present
    keeper.begin()
    await rest(keeper)
    #expect(keeper.store == .file)
    secrets.canMove = true
    let changed = try #require(secrets.follower)
    changed()
    await rest(keeper)
    #expect(keeper.store == .keyring)
  }

  @Test func unlockingLooksAgain() async {
    secrets.reading = .locked
    secrets.unlockFault = .keyringLocked
    let keeper = keeper(world(.keyring))
    keeper.unlock()
    keeper.unlock()
    #expect(keeper.isUnlocking)
    await rest(keeper)
    #expect(keeper.fault == .keyringLocked && keeper.standing == .locked)
    #expect(secrets.calls == ["unlock", "read keyring"])
    secrets.unlockFault = nil
    secrets.reading = FakeSecrets.present
    keeper.unlock()
    #expect(keeper.fault == nil)
    await rest(keeper)
    #expect(keeper.fault == nil && keeper.standing == FakeSecrets.present)
  }

  @Test func whatIsCalledOffSaysNothing() async {
    secrets.reading = .locked
    let keeper = keeper(world(.keyring))
    keeper.check()
    await rest(keeper)
    secrets.reading = .cancelled
    keeper.check()
    await rest(keeper)
    #expect(keeper.standing == .locked)
  }

  @Test func anAnswerAboutASessionThatHasEndedIsDropped() async {
    let world = world(.keyring)
    secrets.reading = .locked
    let keeper = keeper(world)
    secrets.isPrompt = false
    keeper.check()
    await secrets.arrived(1)
    world.preferences.set(.sessionStore, to: "")
    secrets.letGo()
    await rest(keeper)
    #expect(keeper.standing == nil)
  }
}
