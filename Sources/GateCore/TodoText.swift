/// Todos as plain text, one a line, in the form of todo.txt.
public enum TodoText {
  /// The lines: `x 2026-05-02 2026-05-01 Buy milk`, or `2026-05-01 Buy milk` while it is open.
  ///
  /// `day` writes a moment, in seconds since 1970, as a date. A line break in a title becomes a space.
  public static func text(_ todos: [Todo], day: (Int64) -> String) -> String {
    todos.map { todo in
      let title = String(todo.title.map { $0.isNewline ? " " : $0 })
      let done = todo.isDone ? "x " + (todo.completed.map { day($0) + " " } ?? "") : ""
      return done + day(todo.created) + " " + title + "\n"
    }.joined()
  }
}
