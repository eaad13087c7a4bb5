import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

@MainActor
struct TodoDraftFileTests {
  let scratch = Scratch()
  var path: String { scratch.paths.todoDrafts }
  var file: TodoDraftFile { TodoDraftFile(path: path, wall: { 1_777_550_400 }) }

  private let full = TodoDrafts(
    new: Draft(" a\\;b=[c]\t#\\n ünï 🔑 ", cursor: 4),
    titles: [
      3: TitleDraft(Draft("x", cursor: 0), was: " y "), 12: TitleDraft(Draft("long", cursor: 4), was: ""),
    ], focus: 12)

  @Test func givesBackWhatItWasGiven() throws {
    try file.save(full)
    #expect(try file.load() == full)
    #expect(scratch.mode(path) == 0o600)
    #expect(scratch.mode((path as NSString).deletingLastPathComponent) == 0o700)
    try file.save(TodoDrafts(new: Draft("b", cursor: 1)))
    #expect(try file.load() == TodoDrafts(new: Draft("b", cursor: 1)))
  }

  @Test func aFileThatOthersCouldReadIsClosedToThem() throws {
    try scratch.write("[drafts]\nnew=x\n", to: path, mode: 0o644)
    try file.save(full)
    #expect(scratch.mode(path) == 0o600)
  }

  @Test func withoutWaitingForTheDiskItIsTheSameFile() throws {
    try scratch.write("[drafts]\nnew=x\n", to: path, mode: 0o644)
    try file.save(full, durably: false)
    #expect(try file.load() == full)
    #expect(scratch.mode(path) == 0o600)
    #expect(scratch.names(beside: path) == ["todo-drafts.ini"])
    try file.save(TodoDrafts(), durably: false)
    #expect(scratch.names(beside: path) == [])
    try file.save(TodoDrafts())
  }

  @Test func nothingHalfTypedIsNoFile() throws {
    #expect(try file.load().isEmpty)
    try file.save(TodoDrafts())
    #expect(scratch.names(beside: path) == [])
    try file.save(full)
    try file.save(TodoDrafts())
    #expect(scratch.names(beside: path) == [])
  }

  @Test(arguments: [
    ("new=Milk", 4), ("new=Milk\nnewCursor=2", 2), ("new=Milk\nnewCursor=-1", 4), ("new=Milk\nnewCursor=5", 4),
    ("new=Milk\nnewCursor=x", 4), ("new=Milk\ntitle-x=a\ntitleWas-x=b\ntitle-5=a\nfocus=5", 4),
  ])
  func whatDoesNotFitTogetherIsLeftOut(_ lines: String, cursor: Int) throws {
    try scratch.write("[drafts]\n" + lines + "\n", to: path)
    #expect(try file.load() == TodoDrafts(new: Draft("Milk", cursor: cursor)))
  }

  @Test(arguments: ["", "rubbish", "[other]\nnew=x\n"])
  func aDamagedFileIsKeptBeside(_ text: String) throws {
    try scratch.write(text, to: path)
    #expect(fault { () throws(FileFault) in _ = try file.load() } == (text.isEmpty ? .empty : .damaged))
    let names = scratch.names(beside: path)
    #expect(names == ["todo-drafts.ini.damaged-20260430T120000Z"])
    #expect(try scratch.read((path as NSString).deletingLastPathComponent + "/" + names[0]) == text)
    #expect(try file.load().isEmpty)
  }

  @Test func aFileMarkedReadOnlyStaysAsItIs() throws {
    try scratch.write("[drafts]\nnew=x\n", to: path, mode: 0o400)
    #expect(fault { () throws(FileFault) in try file.save(full) } == .readOnly)
    #expect(fault { () throws(FileFault) in try file.save(TodoDrafts()) } == .readOnly)
    #expect(try file.load().new?.text == "x")
  }

  @Test(.enabled(if: isRoot, "only root can give a file away"))
  func anotherUsersIsNotRead() throws {
    try scratch.write("[drafts]\nnew=x\n", to: path)
    #expect(chown(path, 65534, 65534) == 0)
    #expect(fault { () throws(FileFault) in _ = try file.load() } == .foreignOwner)
    #expect(scratch.names(beside: path) == ["todo-drafts.ini"])
  }
}
