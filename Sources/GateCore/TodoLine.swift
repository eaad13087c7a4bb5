/// A line of a todo.txt, taken apart; put together again it is the same, byte for byte.
///
/// `x (A) 2026-05-02 2026-05-01 Buy milk +home @shop due:2026-05-03`: the mark, a priority, the day of completion (of
/// done ones only), the day of creation, and the words, with projects, contexts and `key:value` among them. Each
/// part before the words is one space away from the next; what does not look exactly like that belongs to the words,
/// and so does what would leave no words. Source: github.com/todotxt/todo.txt.
public struct TodoLine: Hashable, Sendable {
  /// Whether it begins with `x `.
  public private(set) var isDone = false
  /// The letter of `(A) `, A to Z.
  public private(set) var priority: Character?
  /// The day of completion.
  public private(set) var completed: TodoDay?
  /// The day of creation.
  public private(set) var created: TodoDay?
  /// All the rest, exactly as it stands.
  public private(set) var words: String

  /// Takes a line apart; every text without a line feed is a line.
  public init(_ line: String) {
    words = ""
    let bytes = Array(line.utf8)
    var rest = bytes[...]
    /// What is left after so many bytes, where a space ends them and words follow.
    func left(after count: Int) -> ArraySlice<UInt8>? {
      guard rest.count > count, rest[rest.startIndex + count] == UInt8(ascii: " ") else { return nil }
      let left = rest.dropFirst(count + 1)
      return TodoLine.hasWords(left) ? left : nil
    }
    func takeDay() -> TodoDay? {
      guard let left = left(after: 10), let day = TodoDay(rest.prefix(10)) else { return nil }
      rest = left
      return day
    }
    if rest.first == UInt8(ascii: "x"), let left = left(after: 1) {
      isDone = true
      rest = left
    }
    let mark = Array(rest.prefix(3))
    if mark.count == 3, mark[0] == UInt8(ascii: "("), mark[2] == UInt8(ascii: ")"), TodoLine.letters.contains(mark[1]),
      let left = left(after: 3)
    {
      priority = Character(Unicode.Scalar(mark[1]))
      rest = left
    }
    if isDone { completed = takeDay() }
    if !isDone || completed != nil { created = takeDay() }
    words = String(decoding: rest, as: UTF8.self)
  }

  /// The line.
  public var text: String {
    (isDone ? "x " : "") + (priority.map { "(\($0)) " } ?? "") + (completed.map { $0.text + " " } ?? "")
      + (created.map { $0.text + " " } ?? "") + words
  }

  private static func hasWords(_ bytes: ArraySlice<UInt8>) -> Bool {
    // A printable character of ASCII nearly always comes soon, and spares the look at the others.
    bytes.contains { (0x21..<0x7F).contains($0) } || !parts(of: String(decoding: bytes, as: UTF8.self)).isEmpty
  }

  private static let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")

  // MARK: Changes, each of which leaves alone what it is not about

  /// Ticks it: the priority becomes `pri:A` at the end, since a done line sorts by its mark.
  public mutating func tick(on day: TodoDay) {
    guard !isDone else { return }
    isDone = true
    completed = day
    if let priority { words += " pri:\(priority)" }
    priority = nil
    settle(on: day)
  }

  /// Takes the tick away: the day of completion goes, and the priority comes back.
  public mutating func untick(on day: TodoDay) {
    guard isDone else { return }
    isDone = false
    completed = nil
    if priority == nil, let (letter, left) = keptPriority {
      priority = letter
      words = left
    }
    settle(on: day)
  }

  /// Gives it other words; spaces and tabs stay around those that are there before and after.
  public mutating func reword(_ text: String, on day: TodoDay) {
    let (old, new) = (TodoLine.parts(of: words), TodoLine.parts(of: text))
    let most = min(old.count, new.count)
    var (head, tail) = (0, 0)
    while head < most, old[head].utf8.elementsEqual(new[head].utf8) { head += 1 }
    while tail < most - head, old[old.count - 1 - tail].utf8.elementsEqual(new[new.count - 1 - tail].utf8) { tail += 1 }
    let (gone, come) = (old[head..<(old.count - tail)], new[head..<(new.count - tail)])
    guard !gone.isEmpty || !come.isEmpty, let first = old.first, let last = old.last else { return }
    let before = head > 0 ? words[..<old[head - 1].endIndex] : words[..<first.startIndex]
    let after = tail > 0 ? words[old[old.count - tail].startIndex...] : words[last.endIndex...]
    let middle = come.joined(separator: " ")
    // The blanks that lay around what has gone lie around what has come.
    var lead = ""
    if head > 0, head < old.count { lead = String(words[old[head - 1].endIndex..<old[head].startIndex]) }
    if head > 0, head == old.count { lead = " " }
    var trail = ""
    if tail > 0 {
      trail = gone.last.map { String(words[$0.endIndex..<old[old.count - tail].startIndex]) } ?? " "
    }
    if come.isEmpty {
      words = "\(before)\(head > 0 && tail > 0 ? trail : "")\(after)"
    } else {
      words = "\(before)\(lead)\(middle)\(trail)\(after)"
    }
    settle(on: day)
  }

  /// Adds a day where the words begin with what would be read as a mark, a priority or a day of its own.
  private mutating func settle(on day: TodoDay) {
    if TodoLine(text) != self, isDone, completed == nil { completed = day }
    if TodoLine(text) != self, created == nil { created = day }
  }

  // MARK: The priority of a done line

  /// The letter of the last `pri:A`, and the words without it; nil where there is none, or nothing besides.
  var keptPriority: (letter: Character, words: String)? {
    let parts = TodoLine.parts(of: words)
    let last = parts.lastIndex { part in
      let bytes = Array(part.utf8)
      return bytes.count == 5 && part.hasPrefix("pri:") && TodoLine.letters.contains(bytes[4])
    }
    guard let last, parts.count > 1, let letter = parts[last].last else { return nil }
    // One blank goes along, the one before it where there is one.
    var (from, to) = (parts[last].startIndex, parts[last].endIndex)
    if last > 0 { from = words.index(before: from) } else { to = words.index(after: to) }
    return (letter, String(words[..<from] + words[to...]))
  }

  private static func parts(of words: String) -> [Substring] { words.split(whereSeparator: Todo.separates) }
}
