/// Todos as plain text, one a line, in the form of todo.txt.
public enum TodoText {
  /// The lines of the todos, each with a line feed at its end: those of a file as they came, where they were not
  /// changed since.
  public static func text(_ todos: [Todo]) -> String {
    let lines = todos.map { $0.textLine + "\n" }.joined()
    // A first line that begins with a byte order mark would lose it to whoever reads the file: one goes before it.
    return lines.unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" + lines : lines
  }
}

extension Todo {
  /// Its line in a todo.txt, without a line feed.
  ///
  /// For one of an older version's list: `x 2026-05-02 2026-05-01 Buy milk`, or `2026-05-01 Buy milk` while it is open,
  /// the days in UTC. A line break in a title becomes a space.
  public var textLine: String {
    if let line { return line }
    let words = String(title.map { $0.isNewline ? " " : $0 })
    return (isDone ? "x " : "") + (isDone ? completed.map { TodoDay($0).text + " " } ?? "" : "")
      + TodoDay(created).text + " " + words
  }

  /// A new one that is typed today.
  init(typed title: String, at now: Int64, on day: TodoDay, position: Int64) {
    self.init(
      id: 0, title: title, isDone: false, created: now, completed: nil, position: position,
      line: day.text + " " + title)
  }

  /// A new one from a line of a file; without a day of creation it is as new as the import.
  ///
  /// Nil where the line has nothing to read.
  init?(line text: String, at now: Int64, position: Int64) {
    let line = TodoLine(text)
    guard let title = Todo.title(from: line.words, limit: .max) ?? Todo.title(from: text, limit: .max) else {
      return nil
    }
    self.init(
      id: 0, title: title, isDone: line.isDone, created: line.created?.start ?? now,
      completed: line.completed?.start, position: position, line: text)
  }

  /// Ticks it, or takes the tick away.
  mutating func setDone(_ isDone: Bool, at now: Int64, on day: TodoDay) {
    var line = TodoLine(textLine)
    if isDone { line.tick(on: day) } else { line.untick(on: day) }
    follow(line)
    self.isDone = isDone
    completed = isDone ? now : nil
  }

  /// Gives it another title, which is one line, trimmed and not empty.
  mutating func setTitle(_ title: String, on day: TodoDay) {
    var line = TodoLine(textLine)
    line.reword(title, on: day)
    follow(line)
    self.title = title
  }

  private mutating func follow(_ changed: TodoLine) {
    line = changed.text
    title = Todo.title(from: changed.words, limit: .max) ?? title
  }
}
