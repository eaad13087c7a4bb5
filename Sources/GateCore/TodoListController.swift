extension PreferenceKey where Value == String {
  /// Which todos are shown, a `TodoFilter`.
  public static var todoFilter: Self { PreferenceKey("todoFilter", fallback: TodoFilter.all.rawValue) }
}

/// A change of the list that shows, in places of that list.
public enum TodoChange: Hashable, Sendable {
  case reloaded
  case inserted(Todo, at: Int)
  case removed(id: Int64, at: Int)
  case updated(Todo, at: Int)
}

/// The todos and what is done with them.
///
/// Main thread.
///
/// Every change is on disk before the list shows it. One that cannot be saved leaves the list as it was, and the bus
/// is told.
@MainActor
public final class TodoListController {
  /// All todos, in their order.
  public private(set) var items: [Todo] = []
  /// The todos that show, in their order.
  public private(set) var visible: [Todo] = []
  /// Why they could not be read.
  public private(set) var fault: FileFault?
  /// Tells of each change of the list that shows.
  public let changed = Listeners<TodoChange>()

  private let client: TodoClient
  private let preferences: AppPreferences
  private let rating: RatingController
  private let analytics: AnalyticsController
  private let clock: Clock
  private let bus: AppErrorBus
  private var deleted: [Todo] = []

  /// Takes the store; `load()` reads it.
  public init(
    client: TodoClient, preferences: AppPreferences, rating: RatingController, analytics: AnalyticsController,
    clock: Clock, bus: AppErrorBus
  ) {
    self.client = client
    self.preferences = preferences
    self.rating = rating
    self.analytics = analytics
    self.clock = clock
    self.bus = bus
  }

  /// Reads the todos.
  public func load() {
    do throws(FileFault) {
      items = try client.load().sorted(by: Self.isBefore)
      fault = nil
    } catch {
      fault = error
    }
    showAll()
  }

  /// Reads another list than before, which stands in its place now: what was deleted from that one cannot come into it.
  public func beginAnew() {
    deleted = []
    load()
  }

  /// Which todos show.
  public var filter: TodoFilter {
    get { TodoFilter(rawValue: preferences[.todoFilter]) ?? .all }
    set {
      guard newValue != filter else { return }
      preferences.set(.todoFilter, to: newValue.rawValue)
      showAll()
    }
  }

  /// The todo of this number.
  public func item(_ id: Int64) -> Todo? { place(of: id).map { items[$0] } }

  /// Whether there is a deletion to undo.
  public var canUndo: Bool { !deleted.isEmpty }

  /// Adds a todo at the end.
  ///
  /// False where there is no title, or it could not be saved: the text is the caller's still.
  public func add(_ text: String) -> Bool {
    guard let title = Todo.title(from: text) else { return false }
    let last = items.last?.position ?? 0
    let new = Todo(typed: title, at: clock.wall(), on: clock.today, position: last + 1)
    let isSaved = save { () throws(FileFault) in
      let todo = try client.insert(new)
      items.append(todo)
      return (nil, todo)
    }
    if isSaved { analytics.track(.todoAdded) }
    return isSaved
  }

  /// Gives a todo another title.
  ///
  /// False where there is no title, or it could not be saved.
  public func rename(_ id: Int64, to text: String) -> Bool {
    guard let place = place(of: id) else { return false }
    var todo = items[place]
    // A title from a file may be longer than what can be typed, and an edit of it does not cut it.
    guard let title = Todo.title(from: text, limit: max(Todo.titleLimit, todo.title.count)) else { return false }
    guard todo.title != title else { return true }
    todo.setTitle(title, on: clock.today)
    return replace(todo, at: place)
  }

  /// Ticks a todo, or takes the tick away.
  public func toggle(_ id: Int64) {
    guard let place = place(of: id) else { return }
    var todo = items[place]
    todo.setDone(!todo.isDone, at: clock.wall(), on: clock.today)
    guard replace(todo, at: place), todo.isDone else { return }
    analytics.track(.todoCompleted)
    rating.recordAction()
  }

  /// Deletes a todo; `undoDelete` brings it back.
  public func delete(_ id: Int64) {
    guard let place = place(of: id) else { return }
    let todo = items[place]
    let isSaved = save { () throws(FileFault) in
      try client.delete(id)
      return (items.remove(at: place), nil)
    }
    if isSaved { deleted.append(todo) }
  }

  /// Brings back the todo that was deleted last, or the one with this number, to the place that it had.
  public func undoDelete(of id: Int64? = nil) {
    let last = id == nil ? deleted.indices.last : deleted.lastIndex { $0.id == id }
    guard let last else { return }
    let todo = deleted[last]
    let isSaved = save { () throws(FileFault) in
      try client.restore(todo)
      items.insert(todo, at: items.firstIndex { Self.isBefore(todo, $0) } ?? items.count)
      return (nil, todo)
    }
    if isSaved { deleted.remove(at: last) }
  }

  private func place(of id: Int64) -> Int? { items.firstIndex { $0.id == id } }

  private func replace(_ todo: Todo, at place: Int) -> Bool {
    save { () throws(FileFault) in
      try client.update(todo)
      let before = items[place]
      items[place] = todo
      return (before, todo)
    }
  }

  private func showAll() {
    visible = items.filter(filter.shows)
    changed.notify(.reloaded)
  }

  /// Makes the change on disk, then in memory, then tells what it means for the list that shows.
  private func save(_ change: () throws(FileFault) -> (before: Todo?, after: Todo?)) -> Bool {
    let done: (before: Todo?, after: Todo?)
    do throws(FileFault) {
      done = try change()
    } catch {
      bus.post(.todosNotSaved(error))
      return false
    }
    let filter = filter
    let gone = done.before.flatMap { todo in visible.firstIndex { $0.id == todo.id } }
    let come = done.after.flatMap { filter.shows($0) ? $0 : nil }
    switch (gone, come) {
    case (nil, let todo?):
      let place =
        visible.last.map { Self.isBefore($0, todo) } ?? true
        ? visible.count : visible.firstIndex { Self.isBefore(todo, $0) } ?? visible.count
      visible.insert(todo, at: place)
      changed.notify(.inserted(todo, at: place))
    case (let place?, nil):
      let id = visible.remove(at: place).id
      changed.notify(.removed(id: id, at: place))
    case (let place?, let todo?):
      visible[place] = todo
      changed.notify(.updated(todo, at: place))
    case (nil, nil): break
    }
    return true
  }

  private static func isBefore(_ one: Todo, _ other: Todo) -> Bool {
    (one.position, one.id) < (other.position, other.id)
  }
}
