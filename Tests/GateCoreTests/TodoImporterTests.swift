import Testing

@testable import GateCore

/// A client whose answers come when the test says.
@MainActor
private final class Answers {
  var read: Result<TodoImport, TodoImportFault> = .failure(.empty)
  var addFault: FileFault?
  private(set) var added: [Todo] = []
  private(set) var takenBack: [Todo] = []
  private(set) var reloads = 0
  private(set) var seen: [String] = []
  private(set) var ends = 0
  private var listening: Listening?
  /// Opened by the test: until then a read or an add waits.
  let gate = AsyncStream<Void>.makeStream()

  func importer(waits: Bool = false) -> TodoImporter {
    let client = TodoFileClient(
      read: { (_, _, heard) async throws(TodoImportFault) in
        heard(0.5)
        if waits { for await _ in self.gate.stream { break } }
        return try self.read.get()
      },
      add: { (todos) async throws(FileFault) in
        if waits { for await _ in self.gate.stream { break } }
        if let fault = self.addFault { throw fault }
        self.added = todos
        return todos
      },
      takeBack: { (todos) async throws(FileFault) in
        if let fault = self.addFault { throw fault }
        self.takenBack = todos
      },
      write: { (_, _) async throws(FileFault) in })
    let importer = TodoImporter(client, items: { [] }, reload: { self.reloads += 1 })
    importer.ended = { _ in self.ends += 1 }
    listening = importer.changed.listen { self.seen.append($0.name) }
    return importer
  }

  /// Lets the tasks that were started go on until the stage has that name.
  func wait(for name: String, of importer: TodoImporter) async {
    for _ in 0..<10_000 where importer.stage.name != name { await Task.yield() }
    #expect(importer.stage.name == name)
  }
}

extension TodoImporter.Stage {
  fileprivate var name: String {
    switch self {
    case .reading: "reading"
    case .preview: "preview"
    case .adding: "adding"
    case .notAdded: "notAdded"
    case .added: "added"
    case .failed: "failed"
    }
  }
}

@MainActor
struct TodoImporterTests {
  private let answers = Answers()

  private func found(_ text: String = "one\ntwo\n") throws -> TodoImport {
    try TodoImport(Array(text.utf8), beside: [], at: 5)
  }

  @Test func readLookedAtAndAdded() async throws {
    answers.read = .success(try found())
    let importer = answers.importer()
    importer.open("/any")
    await answers.wait(for: "preview", of: importer)
    #expect(answers.added.isEmpty)
    importer.confirm()
    await answers.wait(for: "added", of: importer)
    #expect(answers.seen == ["reading", "reading", "preview", "adding", "added"])
    #expect(answers.added.map(\.title) == ["one", "two"])
    #expect((answers.reloads, answers.ends) == (1, 1))
    #expect(await importer.undo() == nil)
    #expect(answers.takenBack == answers.added)
    #expect(answers.reloads == 2)
  }

  @Test func whatBringsNothingIsNotAdded() async throws {
    let importer = answers.importer()
    importer.open("/any")
    await answers.wait(for: "failed", of: importer)
    importer.confirm()
    #expect(importer.stage.name == "failed")
    let one = try found("one\n")
    answers.read = .success(try TodoImport(Array("one\n".utf8), beside: one.new, at: 5))
    importer.open("/any")
    await answers.wait(for: "preview", of: importer)
    importer.confirm()
    #expect(importer.stage.name == "preview")
    #expect(await importer.undo() == nil)
    #expect(answers.takenBack.isEmpty)
  }

  @Test func afterAFaultItCanBeTriedAgain() async throws {
    answers.read = .success(try found())
    answers.addFault = .noSpace
    let importer = answers.importer()
    importer.open("/any")
    await answers.wait(for: "preview", of: importer)
    importer.confirm()
    await answers.wait(for: "notAdded", of: importer)
    #expect((answers.reloads, answers.ends) == (0, 1))
    answers.addFault = nil
    importer.confirm()
    await answers.wait(for: "added", of: importer)
    #expect(answers.added.count == 2)
    answers.addFault = .readOnly
    #expect(await importer.undo() == .readOnly)
    #expect(answers.reloads == 1)
  }

  @Test func calledOffWhileReadingItSaysNoMore() async throws {
    answers.read = .success(try found())
    let importer = answers.importer(waits: true)
    importer.open("/any")
    for _ in 0..<100 { await Task.yield() }
    importer.cancel()
    answers.gate.continuation.yield()
    for _ in 0..<100 { await Task.yield() }
    #expect(importer.stage.name == "reading")
  }

  @Test func twiceConfirmedIsAddedOnceAndGoesOnWithoutItsPage() async throws {
    answers.read = .success(try found())
    var importer: TodoImporter? = answers.importer(waits: true)
    importer?.open("/any")
    answers.gate.continuation.yield()
    if let importer { await answers.wait(for: "preview", of: importer) }
    importer?.confirm()
    importer?.confirm()
    importer?.cancel()
    importer = nil
    answers.gate.continuation.yield()
    for _ in 0..<10_000 where answers.ends == 0 { await Task.yield() }
    #expect((answers.ends, answers.reloads) == (1, 1))
    #expect(answers.added.count == 2)
  }
}
