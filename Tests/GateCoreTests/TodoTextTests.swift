import Testing

@testable import GateCore

struct TodoTextTests {
  private func todo(_ title: String, done: Int64? = nil) -> Todo {
    Todo(id: 1, title: title, isDone: done != nil, created: 86_400 * 3, completed: done, position: 1)
  }

  @Test func oneLineEach() {
    let todos = [todo("Buy milk"), todo("Two\nlines\r\nand more"), todo("Süß 🍰", done: 86_400 * 9)]
    #expect(
      TodoText.text(todos)
        == "1970-01-04 Buy milk\n1970-01-04 Two lines and more\nx 1970-01-10 1970-01-04 Süß 🍰\n")
  }

  @Test func withoutTheDayOfItsEnd() {
    var one = todo("Old", done: 9)
    one.completed = nil
    #expect(TodoText.text([one]) == "x 1970-01-04 Old\n")
    #expect(TodoText.text([]).isEmpty)
  }

  @Test func aLineThatCameFromAFileIsGivenBack() throws {
    let text = "(B) 2026-13-45  odd\tday +p @c k:v é "
    let one = try #require(Todo(line: text, at: 5, position: 1))
    #expect(TodoText.text([one]).utf8.elementsEqual((text + "\n").utf8))
    #expect(one.title == "2026-13-45 odd day +p @c k:v é")
    #expect((one.created, one.completed, one.isDone) == (5, nil, false))
  }

  @Test func theFieldsOfALine() throws {
    let one = try #require(Todo(line: "x 2026-05-02 2026-05-01 Buy milk", at: 5, position: 7))
    #expect((one.title, one.isDone, one.position) == ("Buy milk", true, 7))
    #expect((one.created, one.completed) == (1_777_593_600, 1_777_680_000))
    #expect(Todo(line: " \t\u{1B} ", at: 5, position: 1) == nil)
    // What is a mark and nothing else is a word.
    #expect(Todo(line: "x", at: 5, position: 1)?.title == "x")
    #expect(Todo(line: "x ", at: 5, position: 1)?.title == "x")
  }

  @Test func aLongTitleIsKeptWholeAndCanBeEdited() throws {
    let long = String(repeating: "word ", count: 400) + "end"
    var one = try #require(Todo(line: "(A) " + long, at: 5, position: 1))
    #expect(one.title == long)
    one.setTitle(long + " more", on: TodoDay(0))
    #expect(one.textLine == "(A) " + long + " more")
  }

  @Test func tickedAndBack() throws {
    var one = try #require(Todo(line: "(A) 2026-05-01 Buy  milk ", at: 5, position: 1))
    let before = one
    one.setDone(true, at: 1_777_680_001, on: TodoDay(1_777_680_001))
    #expect(one.line == "x 2026-05-02 2026-05-01 Buy  milk  pri:A")
    #expect((one.isDone, one.completed, one.title) == (true, 1_777_680_001, "Buy milk pri:A"))
    one.setDone(false, at: 1_777_680_002, on: TodoDay(0))
    #expect(one == before)
  }

  @Test func anOlderListsTodoGetsItsLineWithTheFirstChange() {
    var one = todo("Buy milk")
    one.setDone(true, at: 86_400 * 9, on: TodoDay(86_400 * 9))
    #expect(one.line == "x 1970-01-10 1970-01-04 Buy milk")
    one.setTitle("Buy bread", on: TodoDay(0))
    #expect(one.line == "x 1970-01-10 1970-01-04 Buy bread")
  }

  @MainActor @Test func whatIsTypedGetsItsLineWithTheDayOfTheUsersCalendar() {
    let rig = TodoRig()
    rig.add("x Buy milk")
    let day = rig.world.clock.today.text
    #expect(rig.stored.first?.line == day + " x Buy milk")
    let id = rig.stored.first?.id ?? 0
    rig.todos.toggle(id)
    #expect(rig.stored.first?.line == "x \(day) \(day) x Buy milk")
    #expect(rig.todos.rename(id, to: "Buy bread"))
    rig.todos.toggle(id)
    #expect(rig.stored.first?.line == day + " Buy bread")
    #expect(rig.isInStep)
  }

  @Test func thePriorityOfAnOpenTodo() {
    func priority(_ line: String?, isDone: Bool = false) -> Character? {
      Todo(id: 1, title: "Buy", isDone: isDone, created: 0, completed: nil, position: 0, line: line).priority
    }
    #expect(priority("(B) 2026-05-01 Buy") == "B")
    #expect(priority("Buy (B)") == nil && priority(nil) == nil)
    #expect(priority("x (B) Buy", isDone: true) == nil)
  }
}
