import Testing

@testable import GateCore

@MainActor
struct TodoDraftKeeperTests {
  /// A file in memory that counts what is written, and may fail.
  @MainActor
  private final class File {
    var held = TodoDrafts()
    var writes = 0
    var isDurable = true
    var fault: FileFault?
    lazy var keeper = TodoDraftKeeper(
      TodoDraftClient(
        load: { [unowned self] () throws(FileFault) in
          if let fault { throw fault }
          return held
        },
        save: { [unowned self] (drafts, durably) throws(FileFault) in
          writes += 1
          isDurable = durably
          if let fault { throw fault }
          held = drafts
        }))
  }

  private let file = File()
  private let half = TodoDrafts(new: Draft("half", cursor: 2))

  @Test func nothingIsWrittenBeforeTheFileWasRead() {
    file.held = half
    #expect(file.keeper.keep(TodoDrafts()) == nil)
    #expect(file.held == half)
    #expect(file.keeper.load(for: [])?.drafts == half)
    #expect(file.keeper.load(for: []) == nil)
    #expect(file.keeper.keep(TodoDrafts()) == nil)
    #expect(file.held.isEmpty)
  }

  @Test func onlyWhatIsNewIsWritten() {
    _ = file.keeper.load(for: [])
    for _ in 0..<3 { #expect(file.keeper.keep(half) == nil) }
    #expect(file.writes == 1)
    #expect(file.keeper.keep(TodoDrafts(new: Draft("half", cursor: 3))) == nil)
    #expect(file.writes == 2)
  }

  @Test func whatTheDiskWasNotWaitedForIsWrittenOnceMoreByTheNextThatWaits() {
    _ = file.keeper.load(for: [])
    for _ in 0..<2 { #expect(file.keeper.keep(half, durably: false) == nil) }
    #expect(file.writes == 1 && !file.isDurable)
    for _ in 0..<2 { #expect(file.keeper.keep(half) == nil) }
    #expect(file.writes == 2 && file.isDurable)
    // What waited is not taken back by one that does not.
    #expect(file.keeper.keep(half, durably: false) == nil)
    #expect(file.writes == 2)
  }

  @Test func whatCouldNotBeWrittenIsTriedAgain() {
    _ = file.keeper.load(for: [])
    file.fault = .noSpace
    #expect(file.keeper.keep(half) == .noSpace)
    #expect(file.keeper.kept.isEmpty)
    file.fault = nil
    #expect(file.keeper.keep(half) == nil)
    #expect(file.held == half)
  }

  @Test func aFileThatCannotBeReadIsToldOnce() {
    file.fault = .noPermission
    #expect(file.keeper.load(for: [])?.fault == .noPermission)
    #expect(file.keeper.load(for: []) == nil)
  }
}
