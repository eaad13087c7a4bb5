// store-writer seed [fault]: changes the todos and the preferences of this environment until it is killed, and says on
// standard output what it begins, and what is done once the call has returned. Tests/EndToEnd/test_kills.py kills it,
// and compares what it said with what is on disk.
//
//   have <title> <done>     what is there at the start, one line each; then: ready
//   begin <change>          add T | tick T | delete T | import T n | set K V K V
//   done | failed <fault>
//
// With a fault it breaks a promise on purpose, to show that the test notices: `early` says done before the change is
// made, `pieces` imports one todo after the other.
import GLibKit
import GateCore
import GateServices
import Glibc

/// Numbers from a seed (SplitMix64), so that a run can be had again.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Writes a line at once: what is in a buffer would be lost with the process.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  guard write(1, bytes, bytes.count) == bytes.count else { exit(1) }
}

@MainActor
final class Writer {
  private let store = TodoStore(AppPaths())
  private let preferences = PreferencesClient.live(AppPaths())
  private let fault: String
  private let seed: UInt64
  private var random: Seeded
  private var todos: [Todo] = []
  private var count = 0

  init(seed: UInt64, fault: String) {
    self.seed = seed
    self.fault = fault
    random = Seeded(state: seed)
  }

  func run() async throws(FileFault) -> Never {
    todos = try store.load()
    for todo in todos { say("have \(todo.title) \(todo.isDone ? 1 : 0)") }
    for (key, value) in preferences.load().values.sorted(by: { $0.key < $1.key }) { say("pref \(key) \(value)") }
    say("ready")
    while true { await step() }
  }

  private func step() async {
    count += 1
    let title = "t\(seed)-\(count)"
    let victim = todos.randomElement(using: &random)
    switch (Int.random(in: 0..<100, using: &random), victim) {
    case (..<35, _) where todos.count < 80:
      await change("add \(title)") { () async throws(FileFault) in
        self.todos.append(try self.store.insert(Writer.todo(title)))
      }
    case (..<42, _) where todos.count < 80:
      let size = Int.random(in: 2...9, using: &random)
      let new = (0..<size).map { Writer.todo("\(title).\($0)") }
      await change("import \(title) \(size)") { () async throws(FileFault) in
        guard self.fault == "pieces" else { return self.todos += try await self.store.append(new) }
        for one in new { self.todos += try await self.store.append([one]) }
      }
    case (..<60, var todo?):
      todo.isDone.toggle()
      await change("tick \(todo.title)") { () async throws(FileFault) in
        try self.store.update(todo)
        self.todos = self.todos.map { $0.id == todo.id ? todo : $0 }
      }
    case (..<85, let todo?):
      await change("delete \(todo.title)") { () async throws(FileFault) in
        try self.store.delete(todo.id)
        self.todos.removeAll { $0.id == todo.id }
      }
    default:
      // Two keys with one save: both or none.
      await change("set one \(title) two \(title)") { () async throws(FileFault) in
        try self.preferences.save(["one": title, "two": title])
      }
    }
  }

  private func change(_ words: String, _ body: @MainActor () async throws(FileFault) -> Void) async {
    say("begin " + words)
    if fault == "early" { say("done") }
    do throws(FileFault) {
      try await body()
      if fault != "early" { say("done") }
    } catch {
      say("failed \(error)")
    }
  }

  private static func todo(_ title: String) -> Todo {
    Todo(id: 0, title: title, isDone: false, created: 5, completed: nil, position: 1, line: "2026-05-01 " + title)
  }
}

let arguments = CommandLine.arguments.dropFirst()
guard let seed = arguments.first.flatMap({ UInt64($0) }) else {
  say("usage: store-writer seed [early|pieces]")
  exit(2)
}
let writer = Writer(seed: seed, fault: arguments.dropFirst().first ?? "")
do throws(FileFault) {
  try await writer.run()
} catch {
  say("failed \(error)")
  exit(1)
}
