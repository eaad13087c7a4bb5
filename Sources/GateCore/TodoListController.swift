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
      items = try client.load().sorted { ($0.position, $0.id) < ($1.position, $1.id) }
      fault = nil
    } catch {
      fault = error
    }
    changed.notify(.reloaded)
  }

  /// Which todos show.
  public var filter: TodoFilter {
    get { TodoFilter(rawValue: preferences[.todoFilter]) ?? .all }
    set {
      guard newValue != filter else { return }
      preferences.set(.todoFilter, to: newValue.rawValue)
      changed.notify(.reloaded)
    }
  }

  /// The todos that show.
  public var visible: [Todo] { items.filter(filter.shows) }

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
      return (items + [todo], todo.id)
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
      var left = items
      left.remove(at: place)
      return (left, id)
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
      let place = items.firstIndex { ($0.position, $0.id) > (todo.position, todo.id) } ?? items.count
      var all = items
      all.insert(todo, at: place)
      return (all, todo.id)
    }
    if isSaved { deleted.remove(at: last) }
  }

  private func place(of id: Int64) -> Int? { items.firstIndex { $0.id == id } }

  private func replace(_ todo: Todo, at place: Int) -> Bool {
    save { () throws(FileFault) in
      try client.update(todo)
      var all = items
      all[place] = todo
      return (all, todo.id)
    }
  }

  /// Makes the change on disk, then in memory, then tells what it means for the list that shows.
  private func save(_ change: () throws(FileFault) -> (items: [Todo], id: Int64)) -> Bool {
    let before = visible
    let id: Int64
    do throws(FileFault) {
      let changed = try change()
      items = changed.items
      id = changed.id
    } catch {
      bus.post(.todosNotSaved(error))
      return false
    }
    let after = visible
    switch (before.firstIndex { $0.id == id }, after.firstIndex { $0.id == id }) {
    case (nil, let place?): changed.notify(.inserted(after[place], at: place))
    case (let place?, nil): changed.notify(.removed(id: id, at: place))
    case (_?, let place?): changed.notify(.updated(after[place], at: place))
    case (nil, nil): break
    }
    return true
  }
}
