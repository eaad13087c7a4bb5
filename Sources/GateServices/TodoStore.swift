import CSQLite
import GLibKit
import GateCore

/// The todos on disk.
///
/// Opened at the first call; main thread only, each call blocking for a few milliseconds.
@MainActor
public final class TodoStore {
  private let path: String
  private let display: (String) -> String
  private let wall: () -> Int64
  private var opened: TodoDatabase?
  /// What is half-typed, in a file beside.
  let drafts: TodoDraftFile

  /// A store on the app's own file for an account.
  public convenience init(_ paths: AppPaths, of account: Account = .local) {
    self.init(paths, of: account, wall: { Time.wall })
  }

  convenience init(_ paths: AppPaths, of account: Account = .local, wall: @escaping () -> Int64) {
    self.init(paths, marked: AppPaths.mark(account), wall: wall)
  }

  /// The same for the list with this mark in its name, whoever it is that it stands for.
  init(_ paths: AppPaths, marked mark: String, wall: @escaping () -> Int64) {
    path = paths.todos(marked: mark)
    display = paths.display
    self.wall = wall
    drafts = TodoDraftFile(path: paths.todoDrafts(marked: mark), wall: wall)
  }

  /// The file's path as it is shown.
  public var shownPath: String { display(path) }

  /// Whether there is a file; to open it would make one.
  var exists: Bool { Files.exists(path) }

  /// The path of the file with what is half-typed, as it is shown.
  public var shownDrafts: String { display(drafts.path) }

  /// Whether the file had no bytes in it when it was opened, told once: it may have held a list.
  public func takeEmptyNotice() -> Bool {
    defer { emptyNoticeTaken = true }
    return opened?.wasEmpty == true && !emptyNoticeTaken
  }
  private var emptyNoticeTaken = false

  /// All todos in their order.
  public func load() throws(FileFault) -> [Todo] {
    try faulting { database throws(SQLiteError) in
      var todos: [Todo] = []
      let line = opened?.hasLines == false ? "NULL" : "line"
      let sql = "SELECT id, title, done, created, completed, position, \(line) FROM todo ORDER BY position, id"
      try database.run(sql, []) { row in
        todos.append(
          Todo(
            id: row.integer(0), title: row.text(1), isDone: row.integer(2) != 0, created: row.integer(3),
            completed: row.isNull(4) ? nil : row.integer(4), position: row.integer(5),
            line: row.isNull(6) ? nil : row.text(6)))
      }
      return todos
    }
  }

  /// Adds a todo and returns it with the id that it got; its own is not looked at.
  public func insert(_ todo: Todo) throws(FileFault) -> Todo {
    try changing { database throws(SQLiteError) in
      try database.run(Self.insertion, Self.values(todo))
      var inserted = todo
      inserted.id = database.lastRow
      return inserted
    }
  }

  /// Puts a deleted todo back under its old id.
  public func restore(_ todo: Todo) throws(FileFault) {
    try changing { database throws(SQLiteError) in
      let sql = "INSERT INTO todo (title, done, created, completed, position, line, id) VALUES (?, ?, ?, ?, ?, ?, ?)"
      try database.run(sql, Self.values(todo) + [.integer(todo.id)])
    }
  }

  /// Changes a todo.
  ///
  /// Throws `.missing` where there is none of its id.
  public func update(_ todo: Todo) throws(FileFault) {
    try changingOne(
      "UPDATE todo SET title = ?, done = ?, created = ?, completed = ?, position = ?, line = ? WHERE id = ?",
      Self.values(todo) + [.integer(todo.id)])
  }

  /// Deletes a todo.
  ///
  /// Throws `.missing` where there is none of the id.
  public func delete(_ id: Int64) throws(FileFault) {
    try changingOne("DELETE FROM todo WHERE id = ?", [.integer(id)])
  }

  /// Adds todos behind all others, all or none, and returns them with their ids and places; theirs are not looked at.
  ///
  /// The work is done on another thread.
  public func append(_ todos: [Todo]) async throws(FileFault) -> [Todo] {
    let path = try changeable()
    return try await Background.run { () throws(FileFault) in
      var added = todos
      try TodoDatabase.change(path) { sqlite throws(SQLiteError) in
        let last = try sqlite.integer("SELECT max(position) FROM todo") ?? 0
        for place in added.indices {
          added[place].position = last + Int64(place) + 1
          try sqlite.run(TodoStore.insertion, TodoStore.values(added[place]))
          added[place].id = sqlite.lastRow
        }
      }
      return added
    }
  }

  /// Deletes those of these that are as they are here, all or none: one that was changed since stays, and one that has
  /// gone is no fault.
  ///
  /// The work is done on another thread.
  public func take(back todos: [Todo]) async throws(FileFault) {
    let path = try changeable()
    try await Background.run { () throws(FileFault) in
      try TodoDatabase.change(path) { sqlite throws(SQLiteError) in
        let same = "title = ? AND done = ? AND created = ? AND completed IS ? AND position = ? AND line IS ?"
        for todo in todos {
          try sqlite.run("DELETE FROM todo WHERE \(same) AND id = ?", TodoStore.values(todo) + [.integer(todo.id)])
        }
      }
    }
  }

  /// Moves the database and what belongs to it out of the way, and returns where it is now, as a path to show.
  ///
  /// For the user to ask for after damage; the next call then starts a new list. Nothing is deleted.
  public func setAside() throws(FileFault) -> String {
    opened = nil
    let copy = Files.freeName(path + ".damaged-" + UtcTime.compact(wall()))
    try Files.faulting { () throws(SystemError) in
      // The database first: should the power go in between, it is not opened without its log, which would be lost.
      for part in ["", "-wal", "-shm"] where Files.exists(path + part) {
        try Files.rename(path + part, to: copy + part)
      }
      try Files.sync(folder: Files.folder(of: path))
    }
    return display(copy)
  }

  private nonisolated static let insertion =
    "INSERT INTO todo (title, done, created, completed, position, line) VALUES (?, ?, ?, ?, ?, ?)"

  private nonisolated static func values(_ todo: Todo) -> [SQLiteValue] {
    [
      .text(todo.title), .integer(todo.isDone ? 1 : 0), .integer(todo.created),
      todo.completed.map { .integer($0) } ?? .null, .integer(todo.position), todo.line.map { .text($0) } ?? .null,
    ]
  }

  private func changingOne(_ sql: String, _ values: [SQLiteValue]) throws(FileFault) {
    let count = try changing { database throws(SQLiteError) in
      try database.run(sql, values)
      return database.changedRows
    }
    if count == 0 { throw .missing }
  }

  private func changing<Value>(_ body: (SQLite) throws(SQLiteError) -> Value) throws(FileFault) -> Value {
    _ = try changeable()
    return try faulting(body)
  }

  /// The path of the list, once it is there, of the present shape and may be written.
  private func changeable() throws(FileFault) -> String {
    // What was read-only when it was opened may have been put right since.
    if opened?.isReadOnly == true { opened = nil }
    guard try !database().isReadOnly else { throw .readOnly }
    return path
  }

  private func faulting<Value>(_ body: (SQLite) throws(SQLiteError) -> Value) throws(FileFault) -> Value {
    let database = try database()
    do throws(SQLiteError) {
      return try body(database.sqlite)
    } catch {
      throw FileFault(error)
    }
  }

  private func database() throws(FileFault) -> TodoDatabase {
    if let opened { return opened }
    let database = try TodoDatabase(path)
    opened = database
    return database
  }
}
