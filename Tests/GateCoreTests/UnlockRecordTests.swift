import Testing

@testable import GateCore

@MainActor
struct UnlockRecordTests {
  let hands = HandClock()

  private func record(_ memory: UnlockMemory, preferences: [String: String] = [:], saved: Saved? = nil) -> UnlockRecord
  {
    let file = MemoryFile(preferences)
    return UnlockRecord(
      client: UnlockMemoryClient(load: { memory }, save: { saved?.memories.append($0) }),
      preferences: AppPreferences(client: file.client, bus: AppErrorBus()), clock: hands.clock)
  }

  @Test func withoutAnythingSavedThePasswordIsDue() {
    #expect(record(UnlockMemory()).passwordDue == .first)
  }

  @Test(arguments: [
    (Int64(0), PasswordDue?.none), (86_399, nil), (86_400, .period), (-1, .period), (604_800, .period),
  ])
  func afterADay(_ elapsed: Int64, _ due: PasswordDue?) {
    #expect(record(UnlockMemory(passwordAt: hands.wall - elapsed)).passwordDue == due)
  }

  @Test(arguments: [(Int64(86_400), PasswordDue?.none), (604_799, nil), (604_800, .period)])
  func afterAWeek(_ elapsed: Int64, _ due: PasswordDue?) {
    let memory = UnlockMemory(passwordAt: hands.wall - elapsed)
    #expect(record(memory, preferences: ["passwordAfterSeconds": "604800"]).passwordDue == due)
  }

  @Test(arguments: ["1", "86401", "999999999999", "-1", "a day", ""])
  func anyOtherPeriodIsADay(_ text: String) {
    let memory = UnlockMemory(passwordAt: hands.wall - 86_400)
    #expect(record(memory, preferences: ["passwordAfterSeconds": text]).passwordDue == .period)
  }

  @Test func settingTheClockBackGainsNothing() {
    let record = record(UnlockMemory())
    record.passwordVerified()
    hands.wall += 80_000
    hands.boot += 80_000_000
    #expect(record.passwordDue == nil)
    hands.wall -= 79_000
    hands.boot += 6_400_000
    #expect(record.passwordDue == .period)
  }

  @Test func fiveFingersInARow() {
    let saved = Saved()
    let record = record(UnlockMemory(passwordAt: hands.wall), saved: saved)
    for _ in 1...4 { record.fingerRefused() }
    #expect(record.passwordDue == nil)
    record.fingerVerified()
    for _ in 1...4 { record.fingerRefused() }
    #expect(record.passwordDue == nil)
    record.fingerRefused()
    #expect(record.passwordDue == .refusedFingers)
    #expect(saved.memories.last?.refusedFingers == 5)
    let count = saved.memories.count
    record.fingerRefused()
    #expect(saved.memories.count == count)
    record.passwordVerified()
    #expect(record.passwordDue == nil)
    #expect(saved.memories.last == UnlockMemory(passwordAt: hands.wall))
  }

  @Test func unreadablePreferencesAskForThePassword() {
    let file = MemoryFile(state: .unreadable(.noPermission))
    let record = UnlockRecord(
      client: UnlockMemoryClient(load: { [hands] in UnlockMemory(passwordAt: hands.wall) }, save: { _ in }),
      preferences: AppPreferences(client: file.client, bus: AppErrorBus()), clock: hands.clock)
    #expect(record.passwordDue == .first)
  }

  @Test func aWaitThatPamCannotAskForIsCut() {
    let record = record(UnlockMemory(notBefore: .max))
    #expect(record.notBefore == hands.boot + 4_294_967)
  }
}

@MainActor
private final class Saved {
  var memories: [UnlockMemory] = []
}
