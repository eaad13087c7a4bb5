import GateCore
import Testing

@testable import GLibKit
@testable import GateServices

@MainActor
struct UnlockMemoryFileTests {
  let scratch = Scratch()
  var path: String { scratch.path + "/state/lock.ini" }
  let memory = UnlockMemory(notBefore: 5_000, passwordAt: 1_800_000_000, refusedFingers: 3)

  @Test func thereAndBack() throws {
    #expect(UnlockMemoryFile(path: path).load() == UnlockMemory())
    UnlockMemoryFile(path: path).save(memory)
    #expect(UnlockMemoryFile(path: path).load() == memory)
    let facts = try Files.facts(path)
    #expect(facts.mode & 0o777 == 0o600)
    #expect(scratch.names(beside: path) == ["lock.ini"])
  }

  @Test func afterABootTheWaitIsOver() {
    UnlockMemoryFile(path: path, boot: "one").save(memory)
    var expected = memory
    expected.notBefore = 0
    #expect(UnlockMemoryFile(path: path, boot: "two").load() == expected)
    #expect(UnlockMemoryFile(path: path, boot: "").load() == expected)
  }

  @Test(arguments: [
    "", "nonsense", "[lock]\npasswordAt=soon\nrefusedFingers=-4\nnotBefore=x", "[other]\npasswordAt=1", "\0",
  ])
  func whatCannotBeReadIsForgotten(_ text: String) throws {
    try scratch.write(text, to: path)
    #expect(UnlockMemoryFile(path: path).load() == UnlockMemory())
  }
}
