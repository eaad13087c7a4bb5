import Testing

@testable import GateCore

@MainActor
struct TodoListControllerTests {
  @Test(
    arguments: [
      ("  milk ", "milk"), ("a\nb\r\nc\td", "a b c d"), ("", nil), (" \n\t ", nil), ("\u{00A0}", nil),
      (String(repeating: "x", count: 501), String(repeating: "x", count: 500)), ("a\u{0}\u{7}b", "a b"),
      ("👩‍👩‍👧‍👦 e\u{301}", "👩‍👩‍👧‍👦 e\u{301}"),
    ] as [(String, String?)])
  func titles(_ typed: String, _ title: String?) {
    #expect(Todo.title(from: typed) == title)
    let rig = TodoRig()
    #expect(rig.todos.add(typed) == (title != nil))
    #expect(rig.titles == (title.map { [$0] } ?? []))
  }

  @Test func addsAtTheEndWithTheTime() {
    let rig = TodoRig()
    rig.add("a", "b")
    #expect(rig.titles == ["a", "b"])
    #expect(rig.shown.map(\.created) == [rig.world.hands.wall, rig.world.hands.wall])
    #expect(rig.isInStep)
  }

  @Test func tickingRecordsAnActionAndTheTime() {
    let rig = TodoRig()
    rig.add("a")
    rig.todos.toggle(1)
    #expect(rig.shown[0].isDone && rig.shown[0].completed == rig.world.hands.wall)
    #expect(rig.world.preferences[.ratingActions] == 1)
    rig.todos.toggle(1)
    #expect(!rig.shown[0].isDone && rig.shown[0].completed == nil)
    #expect(rig.world.preferences[.ratingActions] == 1)
    #expect(rig.isInStep)
  }

  @Test func deletionsAreUndoneNewestFirstAtTheirPlaces() {
    let rig = TodoRig()
    rig.add("a", "b", "c")
    rig.todos.delete(2)
    rig.todos.delete(1)
    #expect(rig.titles == ["c"])
    rig.todos.undoDelete()
    #expect(rig.titles == ["a", "c"])
    rig.add("d")
    rig.todos.undoDelete()
    #expect(rig.titles == ["a", "b", "c", "d"])
    #expect(!rig.todos.canUndo)
    rig.todos.undoDelete()
    #expect(rig.isInStep)
  }

  @Test func theFilterIsRememberedAndTheListFollowsIt() {
    let rig = TodoRig()
    rig.add("a", "b", "c")
    rig.todos.filter = .open
    rig.todos.toggle(2)
    #expect(rig.titles == ["a", "c"])
    rig.todos.filter = .done
    #expect(rig.titles == ["b"])
    rig.add("d")
    #expect(rig.titles == ["b"])
    #expect(rig.world.file.values["todoFilter"] == "done")
    rig.todos.toggle(2)
    #expect(rig.titles == [])
    rig.todos.filter = .all
    #expect(rig.titles == ["a", "b", "c", "d"])
    #expect(rig.isInStep)
  }

  @Test func aFilterWrittenByHandThatIsNoneShowsAll() {
    let rig = TodoRig()
    rig.world.file.change("todoFilter", to: "urgent")
    #expect(rig.todos.filter == .all)
  }

  @Test(arguments: [FileFault.readOnly, .noSpace, .damaged])
  func whatCannotBeSavedLeavesTheListAndIsTold(_ fault: FileFault) {
    let rig = TodoRig()
    rig.add("a", "b")
    rig.todos.delete(2)
    let before = rig.todos.items
    let told = rig.changes.count
    rig.fault = fault
    #expect(!rig.todos.add("c"))
    #expect(!rig.todos.rename(1, to: "x"))
    rig.todos.toggle(1)
    rig.todos.delete(1)
    rig.todos.undoDelete()
    #expect(rig.todos.items == before)
    #expect(rig.changes.count == told)
    #expect(rig.world.errors == [.todosNotSaved(fault)])
    #expect(rig.world.bus.current.map(\.count) == [5])
    #expect(rig.world.preferences[.ratingActions] == 0)
    rig.fault = nil
    rig.todos.undoDelete()
    #expect(rig.titles == ["a", "b"])
    #expect(rig.isInStep)
  }

  @Test func loadsInOrderAndSaysWhereItCannot() {
    let rig = TodoRig()
    for (id, position) in [(1, 3), (2, 1), (3, 1)] as [(Int64, Int64)] {
      rig.stored.append(
        Todo(id: id, title: "\(id)", isDone: false, created: 0, completed: nil, position: position))
    }
    rig.todos.load()
    #expect(rig.titles == ["2", "3", "1"])
    rig.fault = .damaged
    rig.todos.load()
    #expect(rig.todos.fault == .damaged)
    rig.fault = nil
    rig.todos.load()
    #expect(rig.todos.fault == nil && rig.isInStep)
  }

  @Test func renames() {
    let rig = TodoRig()
    rig.add("a", "b")
    #expect(rig.todos.rename(1, to: " z\n"))
    #expect(rig.titles == ["z", "b"])
    #expect(!rig.todos.rename(1, to: " "))
    #expect(!rig.todos.rename(99, to: "x"))
    #expect(rig.isInStep)
  }

  /// A thousand random deeds, some of which cannot be saved: screen, list and disk stay in step.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func randomDeeds(_ seed: UInt64) {
    let rig = TodoRig()
    var numbers = SeededNumbers(state: seed)
    for step in 0..<1000 {
      rig.fault = Int.random(in: 0..<10, using: &numbers) == 0 ? .noSpace : nil
      let id = Int64.random(in: 1...20, using: &numbers)
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: _ = rig.todos.add("todo \(step)")
      case 1: _ = rig.todos.rename(id, to: "name \(step)")
      case 2: rig.todos.toggle(id)
      case 3: rig.todos.delete(id)
      case 4: rig.todos.undoDelete()
      default: rig.todos.filter = TodoFilter.allCases.randomElement(using: &numbers) ?? .all
      }
      guard rig.isInStep else { Issue.record("out of step after \(step)"); return }
    }
    #expect(rig.changes.count > 300)
  }
}
