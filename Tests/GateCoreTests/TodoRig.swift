import Testing

@testable import GateCore

/// Todos in memory, with a list that follows only what it is told.
@MainActor
final class TodoRig {
  let world = World()
  var stored: [Todo] = []
  var fault: FileFault?
  private(set) var shown: [Todo] = []
  private(set) var changes: [TodoChange] = []
  private var nextID: Int64 = 1
  private(set) var list: TodoListController?
  private var listening: Listening?

  lazy var client = TodoClient(
    load: { [unowned self] () throws(FileFault) in
      try check()
      return stored
    },
    insert: { [unowned self] (todo) throws(FileFault) in
      try check()
      var todo = todo
      todo.id = nextID
      nextID += 1
      stored.append(todo)
      return todo
    },
    restore: { [unowned self] (todo) throws(FileFault) in
      try check()
      stored.append(todo)
    },
    update: { [unowned self] (todo) throws(FileFault) in
      try check()
      stored = stored.map { $0.id == todo.id ? todo : $0 }
    },
    delete: { [unowned self] (id) throws(FileFault) in
      try check()
      stored.removeAll { $0.id == id }
    })

  init() {
    let list = TodoListController(
      client: client, preferences: world.preferences, rating: world.rating(), analytics: world.analytics(),
      clock: world.clock, bus: world.bus)
    self.list = list
    listening = list.changed.listen { [unowned self] in follow($0) }
  }

  var todos: TodoListController {
    guard let list else { fatalError("no list") }
    return list
  }
  var titles: [String] { shown.map(\.title) }

  private func check() throws(FileFault) { if let fault { throw fault } }

  private func follow(_ change: TodoChange) {
    changes.append(change)
    switch change {
    case .reloaded: shown = todos.visible
    case .inserted(let todo, let place): shown.insert(todo, at: place)
    case .removed(let id, let place): if shown.remove(at: place).id != id { Issue.record("removed the wrong one") }
    case .updated(let todo, let place): shown[place] = todo
    }
  }

  func add(_ titles: String...) {
    for title in titles { #expect(todos.add(title)) }
  }

  /// Disk, list and screen tell the same.
  var isInStep: Bool {
    shown == todos.visible && stored.sorted { ($0.position, $0.id) < ($1.position, $1.id) } == todos.items
  }
}
