import Testing

@testable import GateCore

struct TodoLineTests {
  private static let day = TodoDay(1_777_680_000)  // 2026-05-02

  /// A line, its parts before the words, its words.
  @Test(arguments: [
    ("Buy milk", "", "Buy milk"),
    ("(A) Buy milk", "A", "Buy milk"),
    ("(A) 2026-05-01 Buy milk", "A c2026-05-01", "Buy milk"),
    ("2026-05-01 Buy milk", "c2026-05-01", "Buy milk"),
    ("x Buy milk", "x", "Buy milk"),
    ("x 2026-05-02 Buy milk", "x d2026-05-02", "Buy milk"),
    ("x 2026-05-02 2026-05-01 Buy milk pri:A", "x d2026-05-02 c2026-05-01", "Buy milk pri:A"),
    ("x (A) 2026-05-02 2026-05-01 Buy milk", "x A d2026-05-02 c2026-05-01", "Buy milk"),
    // What only looks like it
    ("X Buy milk", "", "X Buy milk"),
    ("xylophone lesson", "", "xylophone lesson"),
    ("x", "", "x"),
    ("x ", "", "x "),
    ("x\tBuy", "", "x\tBuy"),
    (" x Buy", "", " x Buy"),
    ("x  2026-05-02 Buy", "x", " 2026-05-02 Buy"),
    ("(a) Buy", "", "(a) Buy"),
    ("(A)Buy", "", "(A)Buy"),
    ("(A)->Buy", "", "(A)->Buy"),
    ("(AA) Buy", "", "(AA) Buy"),
    ("Buy (A) milk", "", "Buy (A) milk"),
    ("2026-13-45 Buy", "", "2026-13-45 Buy"),
    ("2026-05-01", "", "2026-05-01"),
    ("x 2026-05-02", "x", "2026-05-02"),
    ("(A) ", "", "(A) "),
    ("2026-05-01 2026-04-30 Buy", "c2026-05-01", "2026-04-30 Buy"),
    ("(É) Buy", "", "(É) Buy"),
    ("", "", ""),
  ])
  func parts(_ text: String, _ parts: String, _ words: String) {
    let line = TodoLine(text)
    let found =
      (line.isDone ? ["x"] : []) + (line.priority.map { [String($0)] } ?? [])
      + (line.completed.map { ["d" + $0.text] } ?? []) + (line.created.map { ["c" + $0.text] } ?? [])
    #expect(found.joined(separator: " ") == parts)
    #expect(line.words.utf8.elementsEqual(words.utf8))
    #expect(line.text.utf8.elementsEqual(text.utf8))
  }

  @Test(arguments: [
    ("Buy milk", "x 2026-05-02 Buy milk"),
    (
      "(A) 2026-05-01 Buy  milk +p\t@c due:2026-06-01 ",
      "x 2026-05-02 2026-05-01 Buy  milk +p\t@c due:2026-06-01  pri:A"
    ),
    ("2026-13-45 Buy", "x 2026-05-02 2026-13-45 Buy"),
    (" x Buy", "x 2026-05-02  x Buy"),
    ("2026-05-01 x Buy", "x 2026-05-02 2026-05-01 x Buy"),
  ])
  func tickedAndBack(_ open: String, _ done: String) {
    var line = TodoLine(open)
    line.tick(on: Self.day)
    #expect(line.text.utf8.elementsEqual(done.utf8))
    #expect(TodoLine(line.text) == line)
    line.untick(on: TodoDay(0))
    #expect(line.text.utf8.elementsEqual(open.utf8))
  }

  @Test(arguments: [
    ("x Buy", "Buy"),
    ("x 2026-05-02 2026-05-01 Buy pri:B +p", "(B) 2026-05-01 Buy +p"),
    ("x pri:B Buy", "(B) Buy"),
    ("x Buy pri:B", "(B) Buy"),
    ("x Buy pri:A due:1 pri:C", "(C) Buy pri:A due:1"),
    ("x (A) Buy pri:B", "(A) Buy pri:B"),
    ("x Buy pri:b pri:AA apri:A", "Buy pri:b pri:AA apri:A"),
    ("x pri:A", "pri:A"),
    // It would be done again without a day before it.
    ("x x Buy", "2026-05-02 x Buy"),
  ])
  func doneElsewhere(_ done: String, _ open: String) {
    var line = TodoLine(done)
    line.untick(on: Self.day)
    #expect(line.text == open)
    #expect(TodoLine(line.text) == line)
    #expect(!line.isDone)
  }

  @Test(arguments: [
    ("(A) 2026-05-01 Buy  milk\t+p ", "Buy bread +p", "(A) 2026-05-01 Buy  bread\t+p "),
    ("Buy  milk ", "Buy milk and bread", "Buy  milk and bread "),
    ("Buy  milk", "Now buy milk", "Now buy  milk"),
    (" Buy  oat  milk", "Buy milk", " Buy  milk"),
    ("a  b\tc", "a b", "a  b"),
    ("a  b\tc", "b c", "b\tc"),
    ("a  c", "a b c", "a  b c"),
    ("a a a", "a a", "a a"),
    ("x 2026-05-02 Buy", "Sell", "x 2026-05-02 Sell"),
    // What is typed is words, whatever it looks like.
    ("Buy", "x Buy", "2026-05-02 x Buy"),
    ("Buy", "(A) Buy", "2026-05-02 (A) Buy"),
    ("Buy", "2026-01-01 Buy", "2026-05-02 2026-01-01 Buy"),
    ("x Buy", "2026-01-01 Buy", "x 2026-05-02 2026-05-02 2026-01-01 Buy"),
    ("(A) Buy", "(B) Buy", "(A) (B) Buy"),
  ])
  func reworded(_ before: String, _ words: String, _ after: String) {
    var line = TodoLine(before)
    line.reword(words, on: Self.day)
    #expect(line.text == after)
    #expect(TodoLine(line.text) == line)
  }

  /// Random lines out of what means something in them.
  @Test func randomLines() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "x", "X", " ", " ", " ", "  ", "\t", "(A)", "(Z)", "(a)", "2026-05-01", "2026-13-45", "0001-01-01", "pri:A",
      "due:2026-06-01", "+p", "@c", "é", "e\u{301}", "日本", "🔑", "k:v:w", "\u{A0}", "\u{200B}", "\r", "word", "x ",
    ]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      let line = TodoLine(text)
      #expect(line.text.utf8.elementsEqual(text.utf8))
      guard let todo = Todo(line: text, at: 5, position: 1) else { continue }
      #expect(todo.textLine.utf8.elementsEqual(text.utf8))
      // Each change keeps what it says, and comes back as what it is.
      var changed = todo
      changed.setDone(!todo.isDone, at: 9, on: Self.day)
      let ticked = TodoLine(changed.textLine)
      #expect(ticked.isDone == changed.isDone, "\(text.debugDescription)")
      var other = todo
      other.setTitle("Another one", on: Self.day)
      let renamed = TodoLine(other.textLine)
      #expect(renamed.isDone == todo.isDone && renamed.priority == line.priority, "\(text.debugDescription)")
      #expect(Todo.title(from: renamed.words) == "Another one", "\(text.debugDescription)")
    }
  }

  @Test func randomOpenLinesAreTickedAndBackAgain() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      " ", "  ", "\t", "x", "(A)", "2026-05-01", "2026-13-45", "due:1", "é", "e\u{301}", "Buy", "pri:", "\r",
    ]
    let heads = ["", "(A) ", "2026-05-01 ", "(Z) 2026-05-01 "]
    for _ in 0..<5_000 {
      let words = (0..<Int.random(in: 0...9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      let text = (heads.randomElement(using: &random) ?? "") + "Buy" + words.joined()
      var line = TodoLine(text)
      line.tick(on: Self.day)
      line.untick(on: TodoDay(0))
      #expect(line.text.utf8.elementsEqual(text.utf8), "\(text.debugDescription)")
    }
  }
}
