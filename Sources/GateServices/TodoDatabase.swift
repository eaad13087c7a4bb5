import CSQLite
import GLibKit
import GateCore
import Glibc

/// The open todo database: checked, of the present shape, durable.
///
/// Every change is on disk when its call returns (WAL, `synchronous=FULL`). One thread only.
final class TodoDatabase {
  let sqlite: SQLite
  /// Whether it can be read only; nothing beside the file is touched then.
  let isReadOnly: Bool
  /// Whether a file of no bytes stood there, in which a list may have been.
  let wasEmpty: Bool
  /// Whether each todo has its line: an older list that can only be read stays as it is, without them.
  private(set) var hasLines = true

  /// Opens the file, and makes it where there is none.
  init(_ path: String) throws(FileFault) {
    let found = try TodoDatabase.look(at: path)
    wasEmpty = found == .empty
    isReadOnly = found == .readOnly
    do throws(SQLiteError) {
      sqlite = try isReadOnly ? TodoDatabase.openToRead(path) : TodoDatabase.openToWrite(path)
    } catch {
      throw FileFault(error)
    }
    try check()
  }

  private enum Found { case nothing, empty, database, readOnly }

  /// What stands at the path; a file that others can read is closed to them.
  private static func look(at path: String) throws(FileFault) -> Found {
    let hasLog = ((try? Files.facts(path + "-wal"))?.size ?? 0) > 0
    guard let facts = try facts(path) else {
      // SQLite throws a log away that has no database, or an empty one: it may be the last copy of a list.
      if hasLog { throw .damaged }
      try make(path)
      return .nothing
    }
    guard facts.isOurs else { throw .foreignOwner }
    guard facts.kind == .file, facts.size > 0 || !hasLog else { throw .damaged }
    guard Files.isReplaceable(path) else { return .readOnly }
    if facts.mode & 0o077 != 0 {
      try Files.faulting { () throws(SystemError) in try Files.setMode(path, facts.mode & 0o700) }
    }
    return facts.size == 0 ? .empty : .database
  }

  private static func facts(_ path: String) throws(FileFault) -> FileFacts? {
    do throws(SystemError) {
      return try Files.facts(path)
    } catch {
      if error.code == ENOENT { return nil }
      throw FileFault(error)
    }
  }

  /// Makes the file before SQLite does, which would let others read it.
  private static func make(_ path: String) throws(FileFault) {
    let folder = Files.folder(of: path)
    try Files.faulting { () throws(SystemError) in try Files.makeFolder(folder) }
    guard Files.isWritable(folder) else { throw .readOnly }
    try Files.faulting { () throws(SystemError) in try Files.append([], to: path) }
  }

  private static func openToWrite(_ path: String) throws(SQLiteError) -> SQLite {
    let sqlite = try SQLite(path, flags: SQLITE_OPEN_READWRITE)
    sqlite.wait(atMost: 250)
    return sqlite
  }

  /// A second connection to a list that was checked already, for a change that takes its time away from the main
  /// thread: it is made whole or not at all, and is on disk when this returns.
  ///
  /// Any thread.
  static func change(
    _ path: String, _ body: (SQLite) throws(SQLiteError) -> Void
  ) throws(FileFault) {
    do throws(SQLiteError) {
      let sqlite = try openToWrite(path)
      sqlite.wait(atMost: 10_000)
      try sqlite.run("PRAGMA synchronous = FULL")
      try sqlite.transaction { () throws(SQLiteError) in try body(sqlite) }
    } catch {
      throw FileFault(error)
    }
  }

  private static func openToRead(_ path: String) throws(SQLiteError) -> SQLite {
    // With changes in the log that are not in the file yet, SQLite has to look at both, and may be unable to.
    if let log = try? Files.facts(path + "-wal"), log.size > 0 {
      return try SQLite(path, flags: SQLITE_OPEN_READONLY)
    }
    guard let address = Files.address(of: path) else { throw SQLiteError(code: SQLITE_CANTOPEN, system: 0) }
    return try SQLite(address + "?immutable=1", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
  }

  private func check() throws(FileFault) {
    let standing = try ask { sqlite throws(SQLiteError) in try TodoSchema.standing(of: sqlite) }
    switch standing {
    case .newer: throw .tooNew
    case .foreign: throw .damaged
    case .new where isReadOnly: throw .readOnly
    case .new, .older, .ours: break
    }
    // Before anything is written: a damaged list stays as it is, for whoever may still read something out of it.
    let verdict = try ask { sqlite throws(SQLiteError) in try sqlite.text("PRAGMA quick_check(1)") }
    guard verdict == "ok" else { throw .damaged }
    if isReadOnly {
      if case .older(let version) = standing { hasLines = version >= TodoSchema.linesSince }
      return
    }
    switch standing {
    case .older(let version): try migrate(from: version)
    case .new: try migrate(from: 0)
    case .ours, .newer, .foreign: try makeDurable()
    }
  }

  private func makeDurable() throws(FileFault) {
    try ask { sqlite throws(SQLiteError) in
      try sqlite.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    }
  }

  private func migrate(from version: Int) throws(FileFault) {
    try makeDurable()
    try ask { sqlite throws(SQLiteError) in try TodoSchema.migrate(sqlite, from: version) }
  }

  private func ask<Value>(_ body: (SQLite) throws(SQLiteError) -> Value) throws(FileFault) -> Value {
    do throws(SQLiteError) {
      return try body(sqlite)
    } catch {
      throw FileFault(error)
    }
  }
}

extension FileFault {
  /// The fault behind what SQLite answered.
  init(_ error: SQLiteError) {
    if [ENOSPC, EDQUOT].contains(error.system) {
      self = .noSpace
      return
    }
    switch error.primary {
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
    case SQLITE_FULL: self = .noSpace
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_PERM, SQLITE_AUTH: self = .noPermission
    case SQLITE_BUSY, SQLITE_LOCKED: self = .other(code: EBUSY)
    case SQLITE_CANTOPEN, SQLITE_IOERR:
      self = error.system == 0 ? .other(code: EIO) : FileFault(SystemError(code: error.system))
    default: self = .other(code: error.system == 0 ? EIO : error.system)
    }
  }
}
