import Testing

@testable import GateCore

struct TodoDraftsTests {
  private func title(_ text: String, was: String = "Old") -> TitleDraft {
    TitleDraft(Draft(text, cursor: 1), was: was)
  }

  private func todo(_ id: Int64, _ title: String) -> Todo {
    Todo(id: id, title: title, isDone: false, created: 1, completed: nil, position: id)
  }

  @Test(arguments: ["", "  ", "\t\n"])
  func blankIsNothing(_ text: String) {
    let drafts = TodoDrafts(new: Draft(text, cursor: 0), titles: [1: title(text)], focus: 1)
    #expect(drafts.isEmpty)
    #expect(drafts == TodoDrafts())
  }

  @Test func aTitleAsItWasIsNothing() {
    let drafts = TodoDrafts(titles: [1: title("Old"), 2: title("New")], focus: 1)
    #expect(Array(drafts.titles.keys) == [2])
    #expect(drafts.focus == nil)
  }

  @Test func textAndCursorStayAsTheyWereTyped() {
    let draft = Draft("  half a ", cursor: 3)
    #expect(TodoDrafts(new: draft).new == draft)
    #expect(TodoDrafts(titles: [7: title(" x ")], focus: 7).focus == 7)
  }

  @Test func titlesFindTheirTodos() {
    let drafts = TodoDrafts(titles: [1: title("Milk and bread", was: "Milk")], focus: 1)
    #expect(drafts.fitting([todo(1, "Milk")]) == drafts)
  }

  @Test func aNumberThatMeansAnotherTodoIsNotIt() {
    let drafts = TodoDrafts(titles: [1: title("Milk and bread", was: "Milk"), 2: title("x")], focus: 1)
    for items in [[], [todo(1, "Tea")]] {
      let found = drafts.fitting(items)
      #expect(found.titles.isEmpty)
      #expect(found.focus == nil)
      #expect(found.new?.text == "Milk and bread")
    }
  }

  @Test func aFieldInUseIsNotTakenForIt() {
    let drafts = TodoDrafts(new: Draft("Tea", cursor: 0), titles: [1: title("x")])
    #expect(drafts.fitting([]).new?.text == "Tea")
  }
}
