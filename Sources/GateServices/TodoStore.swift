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

  init(_ paths: AppPaths, of account: Account = .local, wall: @escaping () -> Int64) {
    path = paths.todos(of: account)
    display = paths.display
    self.wall = wall
    drafts = TodoDraftFile(path: paths.todoDrafts(of: account), wall: wall)
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
      let sql = "SELECT id, title, done, created, completed, position FROM todo ORDER BY position, id"
      try database.run(sql, []) { row in
        todos.append(
          Todo(
            id: row.integer(0), title: row.text(1), isDone: row.integer(2) != 0, created: row.integer(3),
            completed: row.isNull(4) ? nil : row.integer(4), position: row.integer(5)))
      }
      return todos
    }
  }

  /// Adds a todo and returns it with the id that it got; its own is not looked at.
  public func insert(_ todo: Todo) throws(FileFault) -> Todo {
    try changing { database throws(SQLiteError) in
      let sql = "INSERT INTO todo (title, done, created, completed, position) VALUES (?, ?, ?, ?, ?)"
      try database.run(sql, Self.values(todo))
      var inserted = todo
      inserted.id = database.lastRow
      return inserted
    }
  }

  /// Puts a deleted todo back under its old id.
  public func restore(_ todo: Todo) throws(FileFault) {
    try changing { database throws(SQLiteError) in
      let sql = "INSERT INTO todo (title, done, created, completed, position, id) VALUES (?, ?, ?, ?, ?, ?)"
      try database.run(sql, Self.values(todo) + [.integer(todo.id)])
    }
  }

  /// Changes a todo.
  ///
  /// Throws `.missing` where there is none of its id.
  public func update(_ todo: Todo) throws(FileFault) {
    try changingOne(
      "UPDATE todo SET title = ?, done = ?, created = ?, completed = ?, position = ? WHERE id = ?",
      Self.values(todo) + [.integer(todo.id)])
  }

  /// Deletes a todo.
  ///
  /// Throws `.missing` where there is none of the id.
  public func delete(_ id: Int64) throws(FileFault) {
    try changingOne("DELETE FROM todo WHERE id = ?", [.integer(id)])
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

  private static func values(_ todo: Todo) -> [SQLiteValue] {
    [
      .text(todo.title), .integer(todo.isDone ? 1 : 0), .integer(todo.created),
      todo.completed.map { .integer($0) } ?? .null, .integer(todo.position),
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
    // What was read-only when it was opened may have been put right since.
    if opened?.isReadOnly == true { opened = nil }
    guard try !database().isReadOnly else { throw .readOnly }
    return try faulting(body)
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
