import CSQLite

/// What SQLite answered instead of OK.
struct SQLiteError: Error, Hashable {
  /// The extended result code.
  let code: Int32
  /// The error number of the system call behind it, or 0.
  let system: Int32

  /// The primary result code, such as SQLITE_FULL.
  var primary: Int32 { code & 0xff }
}

/// One connection to a database, with the statements that were prepared on it.
///
/// One thread only.
final class SQLite {
  private let raw: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]

  /// Opens a file, or a `file:` address; the flags are those of sqlite3_open_v2.
  init(_ path: String, flags: Int32) throws(SQLiteError) {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened else { throw SQLiteError(code: SQLITE_NOMEM, system: 0) }
    guard code == SQLITE_OK else {
      let error = SQLiteError(code: code, system: sqlite3_system_errno(opened))
      sqlite3_close_v2(opened)
      throw error
    }
    raw = opened
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(raw)
  }

  /// Waits so long for another connection before it gives up.
  func wait(atMost milliseconds: Int32) { sqlite3_busy_timeout(raw, milliseconds) }

  /// Runs statements that bring no rows.
  func run(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(raw, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Runs one statement with values, which is prepared once, and hands each row to the body.
  func run(
    _ sql: String, _ values: [SQLiteValue], each row: (SQLiteStatement) -> Void = { _ in }
  ) throws(SQLiteError) {
    let statement = try prepared(sql)
    defer { statement.reset() }
    for (place, value) in values.enumerated() { statement.bind(Int32(place + 1), value) }
    while true {
      switch statement.step() {
      case SQLITE_ROW: row(statement)
      case SQLITE_DONE: return
      case let code: throw error(code)
      }
    }
  }

  /// The first column of the first row as a number; nil where there is no row.
  func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    var found: Int64?
    try run(sql, []) { found = found ?? $0.integer(0) }
    return found
  }

  /// The first column of the first row as text.
  func text(_ sql: String) throws(SQLiteError) -> String? {
    var found: String?
    try run(sql, []) { found = found ?? $0.text(0) }
    return found
  }

  /// Runs the body in one transaction, which is taken back where the body throws.
  func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try run("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      try body()
      try run("COMMIT")
    } catch {
      // SQLite takes some failed transactions back by itself; a second time is then refused, which is no matter.
      try? run("ROLLBACK")
      throw error
    }
  }

  /// The id of the row that was inserted last.
  var lastRow: Int64 { sqlite3_last_insert_rowid(raw) }

  /// How many rows the last statement changed.
  var changedRows: Int { Int(sqlite3_changes(raw)) }

  private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    var made: OpaquePointer?
    let code = sqlite3_prepare_v3(raw, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard code == SQLITE_OK, let made else { throw error(code) }
    let statement = SQLiteStatement(made)
    statements[sql] = statement
    return statement
  }

  private func error(_ code: Int32) -> SQLiteError { SQLiteError(code: code, system: sqlite3_system_errno(raw)) }
}

/// A value for a place in a statement.
enum SQLiteValue {
  case integer(Int64)
  case text(String)
  case null
}

/// A prepared statement, and the row that it stands on.
final class SQLiteStatement {
  private let raw: OpaquePointer

  init(_ raw: OpaquePointer) { self.raw = raw }

  deinit { sqlite3_finalize(raw) }

  func bind(_ place: Int32, _ value: SQLiteValue) {
    switch value {
    case .integer(let number): sqlite3_bind_int64(raw, place, number)
    case .null: sqlite3_bind_null(raw, place)
    case .text(let text):
      // SQLITE_TRANSIENT, a cast macro that is not imported: SQLite makes a copy of its own.
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      sqlite3_bind_text(raw, place, text, Int32(text.utf8.count), copied)
    }
  }

  func step() -> Int32 { sqlite3_step(raw) }

  func reset() {
    sqlite3_reset(raw)
    sqlite3_clear_bindings(raw)
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }

  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(raw, column) else { return "" }
    let count = Int(sqlite3_column_bytes(raw, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
