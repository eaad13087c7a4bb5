import Foundation
import GLibKit
import Testing

@testable import GateCore
@testable import GateServices

@MainActor
struct TodoStoreTests {
  let scratch = Scratch()
  var path: String { scratch.paths.todos }

  private func store() -> TodoStore { TodoStore(scratch.paths, wall: { 1_777_550_400 }) }

  private func todo(_ title: String, id: Int64 = 0, done: Bool = false, at position: Int64 = 1) -> Todo {
    Todo(id: id, title: title, isDone: done, created: 5, completed: done ? 6 : nil, position: position)
  }

  private func made(_ titles: String...) throws {
    let store = store()
    for title in titles { _ = try store.insert(todo(title)) }
  }

  @Test func keepsWhatItIsGiven() throws {
    let store = store()
    let milk = try store.insert(todo("Milk", at: 2))
    let odd = try store.insert(todo("ä \"'\0; DROP TABLE todo; 😀", done: true, at: 1))
    _ = try store.insert(todo("", at: 3))
    #expect(milk.id > 0)
    #expect(odd.id != milk.id)
    #expect(try self.store().load().map(\.title) == ["ä \"'\0; DROP TABLE todo; 😀", "Milk", ""])
    #expect(try self.store().load().first == odd)
    var changed = milk
    changed.title = "Bread"
    changed.isDone = true
    changed.completed = 9
    try store.update(changed)
    #expect(try self.store().load()[1] == changed)
    try store.delete(odd.id)
    try store.restore(odd)
    #expect(try self.store().load().first == odd)
  }

  @Test func anIdIsNotGivenTwice() throws {
    let store = store()
    let first = try store.insert(todo("one"))
    try store.delete(first.id)
    #expect(try store.insert(todo("two")).id != first.id)
  }

  @Test func whatIsNotThereCannotChange() throws {
    let store = store()
    #expect(fault { () throws(FileFault) in try store.update(todo("x", id: 99)) } == .missing)
    #expect(fault { () throws(FileFault) in try store.delete(99) } == .missing)
  }

  @Test func onDiskWhenTheCallReturns() throws {
    let store = store()
    _ = try store.insert(todo("Milk"))
    // A copy of the files as they are now, as after a power cut: the open connection has no part in it.
    let other = Scratch()
    for part in ["", "-wal"] where FileManager.default.fileExists(atPath: path + part) {
      try Files.makeFolder((other.paths.todos as NSString).deletingLastPathComponent)
      try FileManager.default.copyItem(atPath: path + part, toPath: other.paths.todos + part)
    }
    #expect(try TodoStore(other.paths).load().map(\.title) == ["Milk"])
    let second = try SQLite(path, flags: 1)
    #expect(try second.text("PRAGMA journal_mode") == "wal")
    #expect(try second.integer("SELECT count(*) FROM todo") == 1)
    #expect(try store.load().count == 1)
  }

  @Test func forTheUserAlone() throws {
    let store = store()
    _ = try store.insert(todo("Milk"))
    for part in ["", "-wal", "-shm"] { #expect(scratch.mode(path + part) == 0o600, "\(part)") }
    #expect(scratch.mode((path as NSString).deletingLastPathComponent) == 0o700)
  }

  @Test func openToOthersIsClosed() throws {
    try made("Milk")
    chmod(path, 0o644)
    _ = try store().load()
    #expect(scratch.mode(path) == 0o600)
  }

  @Test func notADatabase() throws {
    try scratch.write(String(repeating: "junk", count: 2000), to: path)
    let store = store()
    #expect(fault { () throws(FileFault) in _ = try store.load() } == .damaged)
    #expect(fault { () throws(FileFault) in _ = try store.insert(todo("x")) } == .damaged)
    #expect(try scratch.read(path).hasPrefix("junk"))
    #expect(try store.setAside() == "~/.local/share/app-gates/todos.sqlite3.damaged-20260430T120000Z")
    #expect(try scratch.read(path + ".damaged-20260430T120000Z").hasPrefix("junk"))
    _ = try store.insert(todo("anew"))
    #expect(try self.store().load().map(\.title) == ["anew"])
  }

  @Test func damagedInside() throws {
    let store = store()
    for number in 0..<500 { _ = try store.insert(todo("todo number \(number)")) }
    _ = try store.setAside()
    let aside = path + ".damaged-20260430T120000Z"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: aside))
    for place in stride(from: 4096 * 2, to: 4096 * 3, by: 1) { bytes[place] = 0xa5 }
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(fault { () throws(FileFault) in _ = try self.store().load() } == .damaged)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test func cutShort() throws {
    try made("Milk", "Bread")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
    #expect(fault { () throws(FileFault) in _ = try store().load() } == .damaged)
  }

  @Test func someoneElsesDatabase() throws {
    try Files.makeFolder((path as NSString).deletingLastPathComponent)
    try SQLite(path, flags: 6).run("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
    #expect(fault { () throws(FileFault) in _ = try store().load() } == .damaged)
    #expect(try SQLite(path, flags: 1).integer("SELECT count(*) FROM theirs") == 1)
  }

  @Test func ofANewerVersion() throws {
    try made("Milk")
    try SQLite(path, flags: 2).run("PRAGMA user_version = 999")
    #expect(fault { () throws(FileFault) in _ = try store().load() } == .tooNew)
    #expect(try SQLite(path, flags: 1).integer("SELECT count(*) FROM todo") == 1)
  }

  /// A list as version 1 of the schema left it.
  private func older() throws {
    try Files.makeFolder((path as NSString).deletingLastPathComponent)
    let database = try SQLite(path, flags: 6)
    try database.run(TodoSchema.steps[0])
    try database.run("PRAGMA application_id = \(TodoSchema.application); PRAGMA user_version = 1")
    try database.run(
      "INSERT INTO todo VALUES (7, 'Milk', 1, 86400, 172800, 3), (8, 'Bread', 0, 86400, NULL, 4)")
    chmod(path, 0o600)
  }

  @Test func anOlderListBecomesAPresentOne() throws {
    try older()
    let store = store()
    let milk = Todo(id: 7, title: "Milk", isDone: true, created: 86_400, completed: 172_800, position: 3)
    #expect(try store.load().first == milk)
    #expect(try SQLite(path, flags: 1).integer("PRAGMA user_version") == Int64(TodoSchema.steps.count))
    var lined = milk
    lined.line = "x 1970-01-03 Milk "
    try store.update(lined)
    #expect(try self.store().load().first == lined)
    #expect(TodoText.text(try store.load()) == "x 1970-01-03 Milk \n1970-01-02 Bread\n")
  }

  @Test func anOlderListThatIsDamagedStaysAsItIs() throws {
    try older()
    try SQLite(path, flags: 2).run(
      """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
      INSERT INTO todo SELECT i, 'todo number ' || i, 0, 86400, NULL, i FROM n
      """)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for place in 4096 * 2..<4096 * 3 { bytes[place] = 0xa5 }
    try bytes.write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    #expect(fault { () throws(FileFault) in _ = try store().load() } == .damaged)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test func anOlderListThatCannotBeWrittenIsReadAsItIs() throws {
    try older()
    chmod(path, 0o400)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let store = store()
    #expect(try store.load().map(\.title) == ["Milk", "Bread"])
    #expect(fault { () throws(FileFault) in try store.delete(7) } == .readOnly)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func severalAreAddedBehindAllOthers() async throws {
    let store = store()
    let first = try store.insert(todo("first", at: 9))
    let lines = ["(A) é  one", "x two\t"].map { Todo(line: $0, at: 5, position: 0) }
    let added = try await store.append(lines.compactMap(\.self))
    #expect(added.map(\.position) == [10, 11])
    #expect(added.map(\.line) == ["(A) é  one", "x two\t"])
    #expect(try self.store().load() == [first] + added)
    // Both connections go on.
    var changed = added[0]
    changed.setDone(true, at: 9, on: TodoDay(9))
    try store.update(changed)
    try await store.take(back: added)
    #expect(try store.load() == [first, changed])
  }

  @Test func severalAreAddedWholeOrNotAtAll() async throws {
    let store = store()
    _ = try store.insert(todo("first"))
    // The fourth is refused by the database itself.
    try SQLite(path, flags: 2).run(
      "CREATE TRIGGER refuse BEFORE INSERT ON todo WHEN NEW.title = 'four' BEGIN SELECT RAISE(ABORT, 'no'); END")
    let many = ["one", "two", "three", "four", "five"].map { todo($0) }
    await #expect(throws: FileFault.self) { _ = try await store.append(many) }
    #expect(try store.load().map(\.title) == ["first"])
    _ = try await store.append([todo("six")])
    #expect(try store.load().map(\.title) == ["first", "six"])
  }

  @Test func emptyIsANewListAndSaidOnce() throws {
    try scratch.write("", to: path)
    let store = store()
    #expect(try store.load().isEmpty)
    #expect(store.takeEmptyNotice())
    #expect(!store.takeEmptyNotice())
    let other = Scratch()
    let fresh = TodoStore(other.paths)
    _ = try fresh.load()
    #expect(!fresh.takeEmptyNotice())
  }

  @Test(arguments: [true, false])
  func aLogWithoutItsDatabaseIsKept(_ emptyFile: Bool) throws {
    if emptyFile { try scratch.write("", to: path) }
    try scratch.write("the last copy", to: path + "-wal")
    #expect(fault { () throws(FileFault) in _ = try store().load() } == .damaged)
    #expect(try scratch.read(path + "-wal") == "the last copy")
    _ = try store().setAside()
    #expect(try scratch.read(path + ".damaged-20260430T120000Z-wal") == "the last copy")
    #expect(try store().load().isEmpty)
  }

  @Test func aFolderInItsPlace() throws {
    try scratch.write("mine", to: path + "/inside")
    #expect(fault { () throws(FileFault) in _ = try store().load() } == .damaged)
    _ = try store().setAside()
    #expect(try store().load().isEmpty)
  }

  @Test func readOnlyFileShowsAndRefuses() throws {
    try made("Milk")
    chmod(path, 0o400)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let store = store()
    #expect(try store.load().map(\.title) == ["Milk"])
    #expect(fault { () throws(FileFault) in _ = try store.insert(todo("x")) } == .readOnly)
    #expect(fault { () throws(FileFault) in try store.delete(1) } == .readOnly)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(scratch.names(beside: path) == ["todos.sqlite3"])
  }

  @Test func readOnlyFolderShowsAndRefuses() throws {
    try made("Milk")
    let folder = (path as NSString).deletingLastPathComponent
    chmod(folder, 0o500)
    defer { chmod(folder, 0o700) }
    #expect(try store().load().map(\.title) == ["Milk"])
    #expect(fault { () throws(FileFault) in _ = try store().insert(todo("x")) } == .readOnly)
  }

  @Test(.enabled(if: isRoot, "only root can give a file away"))
  func foreignOwner() throws {
    try made("Milk")
    chown(path, 12_345, 12_345)
    #expect(fault { () throws(FileFault) in _ = try store().load() } == .foreignOwner)
  }

  @Test(.enabled(if: !isRoot, "root reads everything"))
  func noPermission() throws {
    try made("Milk")
    chmod(path, 0o200)
    #expect(fault { () throws(FileFault) in _ = try store().load() } == .noPermission)
  }

  @Test(.enabled(if: isRoot, "only root can mount a small disk"))
  func fullDisk() throws {
    let disk = Scratch()
    try #require(run("mount", "-t", "tmpfs", "-o", "size=256k", "none", disk.path) == 0)
    defer { _ = run("umount", "-l", disk.path) }
    let store = TodoStore(disk.paths)
    let first = try store.insert(todo("first"))
    var count = 1
    var found: FileFault?
    while found == nil, count < 1000 {
      found = fault { () throws(FileFault) in _ = try store.insert(todo(String(repeating: "x", count: 2000))) }
      if found == nil { count += 1 }
    }
    #expect(found == .noSpace)
    #expect(try store.load().count == count, "what was acknowledged is there, and no more")
    #expect(try store.load().first == first)
    let preferences = PreferencesFile(disk.paths, wall: { 0 })
    let long = ["a": String(repeating: "y", count: 200_000)]
    #expect(fault { () throws(FileFault) in try preferences.save(long) } == .noSpace)
    #expect(scratch.names(beside: disk.paths.preferences).isEmpty, "no temporary file stays")
  }

  private func run(_ arguments: String...) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
