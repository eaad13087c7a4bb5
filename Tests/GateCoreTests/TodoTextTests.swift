import Testing

@testable import GateCore

struct TodoTextTests {
  private func todo(_ title: String, done: Int64? = nil) -> Todo {
    Todo(id: 1, title: title, isDone: done != nil, created: 3, completed: done, position: 1)
  }

  @Test func oneLineEach() {
    let todos = [todo("Buy milk"), todo("Two\nlines\r\nand more"), todo("Süß 🍰", done: 9)]
    #expect(TodoText.text(todos) { "day\($0)" } == "day3 Buy milk\nday3 Two lines and more\nx day9 day3 Süß 🍰\n")
  }

  @Test func withoutTheDayOfItsEnd() {
    var one = todo("Old", done: 9)
    one.completed = nil
    #expect(TodoText.text([one]) { "day\($0)" } == "x day3 Old\n")
    #expect(TodoText.text([]) { _ in "" }.isEmpty)
  }
}
