/// Something to do.
public struct Todo: Hashable, Sendable, Identifiable {
  /// The store's own number for it; 0 before it was stored.
  public var id: Int64
  /// One line, trimmed, not empty.
  public var title: String
  /// Whether it is done.
  public var isDone: Bool
  /// When it was added, in seconds since 1970.
  public var created: Int64
  /// When it was ticked, in seconds since 1970.
  public var completed: Int64?
  /// Its place: the list is in rising order.
  public var position: Int64
  /// Its line in a todo.txt, exactly, with what the other fields do not hold; nil for one of an older version's list.
  public var line: String?

  /// Takes all of it.
  public init(
    id: Int64, title: String, isDone: Bool, created: Int64, completed: Int64?, position: Int64, line: String? = nil
  ) {
    self.id = id
    self.title = title
    self.isDone = isDone
    self.created = created
    self.completed = completed
    self.position = position
    self.line = line
  }

  /// The most characters of a title that is typed; one from a file may be longer.
  public static let titleLimit = 500

  /// The priority that its line gives an open one, A to Z.
  ///
  /// Cheap where there is none: a list asks for that of each row that comes into view.
  public var priority: Character? {
    guard !isDone, let line, line.utf8.first == UInt8(ascii: "(") else { return nil }
    return TodoLine(line).priority
  }

  /// What the user typed as a title: one line, without spaces around it; nothing where nothing is left.
  public static func title(from text: String, limit: Int = titleLimit) -> String? {
    let line = text.split(whereSeparator: separates).joined(separator: " ")
    return line.isEmpty ? nil : String(line.prefix(limit))
  }

  /// Whether a character lies between the words of a title.
  static func separates(_ character: Character) -> Bool { character.isWhitespace || character.isControl }
}

extension Character {
  /// A zero byte, say, ends a text early wherever C reads it.
  fileprivate var isControl: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory == .control } }
}

/// Which todos are shown.
public enum TodoFilter: String, CaseIterable, Hashable, Sendable {
  case all, open, done

  func shows(_ todo: Todo) -> Bool { self == .all || (self == .done) == todo.isDone }
}

/// How todos are stored.
///
/// Each call returns when the change is on disk. Main thread.
public struct TodoClient {
  /// All todos, in their order.
  public var load: @MainActor () throws(FileFault) -> [Todo]
  /// Stores a new one and returns it with its number.
  public var insert: @MainActor (Todo) throws(FileFault) -> Todo
  /// Puts a deleted one back, under its own number and at its place.
  public var restore: @MainActor (Todo) throws(FileFault) -> Void
  /// Stores a changed one.
  public var update: @MainActor (Todo) throws(FileFault) -> Void
  /// Removes one.
  public var delete: @MainActor (Int64) throws(FileFault) -> Void

  /// Takes the five ways.
  public init(
    load: @escaping @MainActor () throws(FileFault) -> [Todo],
    insert: @escaping @MainActor (Todo) throws(FileFault) -> Todo,
    restore: @escaping @MainActor (Todo) throws(FileFault) -> Void,
    update: @escaping @MainActor (Todo) throws(FileFault) -> Void,
    delete: @escaping @MainActor (Int64) throws(FileFault) -> Void
  ) {
    self.load = load
    self.insert = insert
    self.restore = restore
    self.update = update
    self.delete = delete
  }
}
