import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

@MainActor
struct TodoFileClientTests {
  private let scratch = Scratch()
  private var path: String { scratch.path + "/todo.txt" }
  private let clock = Clock(wall: { 5 }, boot: { 0 })
  private var client: TodoFileClient { .live(TodoStore(scratch.paths), clock: clock) }

  private func fault(at path: String) async throws -> TodoImportFault? {
    try await pumping { [client] in
      do throws(TodoImportFault) {
        _ = try await client.read(path, []) { _ in }
        return nil
      } catch {
        return error
      }
    }
  }

  private func writeFault(_ text: String, to path: String) async throws -> FileFault? {
    try await pumping { [client] in
      do throws(FileFault) {
        try await client.write(text, path)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func whatIsNoFile() async throws {
    #expect(try await fault(at: scratch.path) == .folder)
    #expect(try await fault(at: path) == .file(.missing))
    #expect(try await fault(at: "/dev/null") == .notAFile)
    mkfifo(path, 0o600)
    #expect(try await fault(at: path) == .notAFile)
    unlink(path)
    // A gigabyte that nobody has written: the size is looked at first.
    try scratch.write("", to: path)
    truncate(path, 1 << 30)
    #expect(try await fault(at: path) == .tooLarge)
  }

  @Test(.disabled(if: isRoot, "root reads everything")) func whatMayNotBeRead() async throws {
    try scratch.write("one\n", to: path, mode: 0)
    #expect(try await fault(at: path) == .file(.noPermission))
  }

  @Test func aLargeFileTellsHowFarItIs() async throws {
    try scratch.write((1...10_000).map { "(B) 2026-05-01 Todo number \($0) +p @c\n" }.joined(), to: path)
    var heard: [Double] = []
    let turns = Turns()
    let found = try await pumping { [client, path] in try await client.read(path, []) { heard.append($0) } }
    // Another thread reads: the main loop is free for all else meanwhile.
    #expect(turns.count > 10)
    #expect(found.new.count == 10_000)
    #expect(heard.count == 10)
    #expect(heard == heard.sorted())
    let added = try await pumping { [client] in try await client.add(found.new) }
    let again = try await pumping { [client, path] in try await client.read(path, added) { _ in } }
    #expect((again.new.count, again.present) == (0, 10_000))
  }

  @Test func calledOff() async throws {
    try scratch.write(String(repeating: "one\n", count: 90_000), to: path)
    let caught = try await pumping { [client, path] () -> TodoImportFault? in
      let reading = Task { () -> TodoImportFault? in
        do throws(TodoImportFault) {
          _ = try await client.read(path, []) { _ in }
          return nil
        } catch {
          return error
        }
      }
      reading.cancel()
      return await reading.value
    }
    #expect(caught == .cancelled)
  }

  @Test func anExportIsWholeAndForTheUserAlone() async throws {
    #expect(try await writeFault("one\n", to: path) == nil)
    #expect(try scratch.read(path) == "one\n")
    #expect(scratch.mode(path) == 0o600)
    chmod(path, 0o400)
    #expect(try await writeFault("two\n", to: path) == .readOnly)
    #expect(try await writeFault("two\n", to: scratch.path + "/none/todo.txt") == .missing)
    #expect(try scratch.read(path) == "one\n")
    #expect(scratch.names(beside: path) == ["todo.txt"])
  }

  @Test func aLinkStays() async throws {
    try scratch.write("one\n", to: scratch.path + "/real.txt")
    symlink("real.txt", path)
    #expect(try await writeFault("two\n", to: path) == nil)
    #expect(try scratch.read(scratch.path + "/real.txt") == "two\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "real.txt")
  }

  /// Files as other programs write them, line by line.
  @Test func samplesComeBackByteForByte() async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Samples/todo-txt")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count >= 5)
    for name in names {
      let path = folder.appendingPathComponent(name).path
      let found = try await pumping { [client] in try await client.read(path, []) { _ in } }
      var content = try Data(contentsOf: URL(fileURLWithPath: path))
      if content.starts(with: [0xEF, 0xBB, 0xBF]) { content.removeFirst(3) }
      let lines = content.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }
      #expect(found.unusable.isEmpty)
      #expect(Data(TodoText.text(found.new).utf8) == Data(lines.flatMap { $0 + [0x0A] }), "\(name)")
    }
  }
}

/// Counts how often the main loop gets to a timer of a millisecond.
@MainActor
private final class Turns {
  private(set) var count = 0
  private var timer: GLibKit.Timer?

  init() { turn() }

  private func turn() {
    timer = MainLoop.after(1) { [weak self] in
      self?.count += 1
      self?.turn()
    }
  }
}
