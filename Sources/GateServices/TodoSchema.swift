import CSQLite

/// The shape of the todo database, and how an older one becomes the present one.
enum TodoSchema {
  /// "ApGt": tells a database of ours from any other.
  static let application: Int64 = 0x4170_4774

  /// The statements that lead from each version to the next; the database's version is how many of them it has seen.
  ///
  /// What has been released is never edited: a change is a step at the end.
  static let steps = [
    """
    CREATE TABLE todo (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      title TEXT NOT NULL,
      done INTEGER NOT NULL CHECK (done IN (0, 1)),
      created INTEGER NOT NULL,
      completed INTEGER,
      position INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX todo_order ON todo (position, id);
    """,
    // The line of a todo.txt. What is there already has none: it is made from the other columns.
    """
    ALTER TABLE todo ADD COLUMN line TEXT;
    """,
  ]
  /// The version whose todos have a line.
  static let linesSince = 2

  /// What a database is, before it is read.
  enum Standing {
    case new
    case ours
    case older(Int)
    case newer
    case foreign
  }

  /// Looks at the version and whose database it is.
  static func standing(of database: SQLite) throws(SQLiteError) -> Standing {
    let application = try database.integer("PRAGMA application_id")
    let version = try database.integer("PRAGMA user_version") ?? 0
    let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    if application == 0, version == 0, tables == 0 { return .new }
    guard application == Self.application, version > 0 else { return .foreign }
    if version > steps.count { return .newer }
    return version == steps.count ? .ours : .older(Int(version))
  }

  /// Takes the steps that the database has not seen, all or none.
  static func migrate(_ database: SQLite, from version: Int) throws(SQLiteError) {
    try database.transaction { () throws(SQLiteError) in
      for step in steps[version...] { try database.run(step) }
      try database.run("PRAGMA application_id = \(application)")
      try database.run("PRAGMA user_version = \(steps.count)")
    }
  }
}
