import GLibKit
import GateCore
import GateServices
import Gates
import GtkKit

/// The list of todos, with a field to add one and a choice of which to show.
@MainActor
final class TodosPage {
  let widget = Stack()
  /// Where the keyboard goes when the page is opened.
  let firstFocus: Entry
  /// The field that has the keyboard when the list comes up: where the user was the last time.
  private(set) lazy var opening = firstFocus
  /// Shows a short message with a button.
  var toast: @MainActor (String, String?, (@MainActor () -> Void)?) -> Void = { _, _, _ in }

  let todos: TodoListController
  let store: TodoStore
  private let list = ListBox().style("boxed-list")
  private let scrolled: Scrolled
  private let nothing = StatusPage(icon: "object-select-symbolic", title: "", about: "")
  private let body = Stack()
  private let problem = StatusPage(icon: "dialog-warning-symbolic", title: tr("Your todos cannot be read"))
  private let setAside = Button(tr("_Keep It Aside and Begin Anew"))
  private var rows: [Int64: TodoRow] = [:]
  private var listening: Listening?
  private let keeper: TodoDraftKeeper
  /// Titles that are being edited in rows that the filter does not show.
  private var waiting: [Int64: TitleDraft] = [:]
  /// What was half-typed when the page left the window, where the keyboard can be looked for no more.
  private var atRest: TodoDrafts?
  private var writing: Timer?

  init(_ store: TodoStore, in context: GateContext) {
    self.store = store
    todos = TodoListController(
      client: .live(store), preferences: context.preferences, rating: context.rating, analytics: context.analytics,
      clock: context.clock, bus: context.bus)
    keeper = TodoDraftKeeper(.live(store))
    firstFocus = Entry(placeholder: tr("Add a todo")).limit(Todo.titleLimit)
    scrolled = Scrolled(Clamp(Box(.vertical, [list]).margin(12, vertical: 12)))
    list.pages(in: scrolled)
    build()
    listening = todos.changed.listen { [weak self] in self?.follow($0) }
  }

  func load() {
    todos.load()
    restoreDrafts()
    if store.takeEmptyNotice() {
      toast(tr("The file %s was empty; a new list was begun.", store.shownPath), nil, nil)
    }
  }

  func undo() { todos.undoDelete() }

  /// Whether there is something in the field that has the keyboard.
  var isTyping: Bool {
    (firstFocus.isFocused && !firstFocus.text.isEmpty) || rows.values.contains(where: \.isTyping)
  }

  /// Whether words stand in a field that are not in the list yet, with the keyboard there or elsewhere.
  var isHalfTyped: Bool { !firstFocus.text.isEmpty || rows.values.contains { $0.draft != nil } }

  private func build() {
    firstFocus.onEnter { [weak self] in self?.add() }
    firstFocus.onEdit { [weak self] in
      if let self, self.firstFocus.text.isEmpty, self.keeper.kept.new != nil { self.keepDrafts() }
    }
    firstFocus.icon("list-add-symbolic", label: tr("Add")) { [weak self] in self?.add() }
    firstFocus.onKey { [weak self] in
      guard $0 == .down, let self, let first = self.todos.visible.first else { return false }
      return self.rows[first.id]?.widget.grabFocus() ?? false
    }
    let head = Clamp(Box(.vertical, spacing: 12, [firstFocus, filters()]).margin(12, vertical: 12))
    body.add(scrolled, name: "list")
    body.add(nothing, name: "nothing")
    widget.add(Box(.vertical, [head, body]), name: "todos")
    let again = Button(tr("_Try Again")).style("suggested-action", "pill").onClick { [weak self] in self?.load() }
    setAside.style("pill").onClick { [weak self] in self?.beginAnew() }
    let buttons = Box(.vertical, spacing: 12, [again, setAside]).align(horizontal: .center)
    widget.add(Box(.vertical, [problem, Clamp(buttons).margin(12, vertical: 24)]), name: "problem")
  }

  private func filters() -> Widget {
    let row = Box(.horizontal).style("linked").align(horizontal: .center)
    var group: ToggleButton?
    for filter in TodoFilter.allCases {
      let button = ToggleButton(filter.words, group: group)
      group = group ?? button
      button.isActive = filter == todos.filter
      button.onChoose { [weak self] in self?.todos.filter = filter }
      row.append(button)
    }
    return row
  }

  private func add() {
    guard todos.add(firstFocus.text) else { return }
    firstFocus.text = ""
    scrolled.scrollToEnd()
  }

  private func follow(_ change: TodoChange) {
    switch change {
    case .reloaded: reload()
    case .inserted(let todo, let place): insert(todo, at: place)
    case .removed(let id, let place): remove(id, at: place)
    case .updated(let todo, _): rows[todo.id]?.apply(todo)
    }
    showBody()
  }

  private func reload() {
    for (id, row) in rows {
      waiting[id] = row.draft
      list.remove(row.widget)
    }
    rows = [:]
    for (place, todo) in todos.visible.enumerated() { insert(todo, at: place) }
  }

  private func insert(_ todo: Todo, at place: Int) {
    let row = TodoRow(todo)
    row.toggle = { [weak self] in self?.toggle(todo.id) }
    row.rename = { [weak self] in self?.todos.rename(todo.id, to: $0) ?? false }
    row.delete = { [weak self] in self?.delete(todo.id) }
    row.closed = { [weak self] in self?.titleClosed(todo.id) }
    rows[todo.id] = row
    list.insert(row.widget, at: place)
    if let title = waiting.removeValue(forKey: todo.id) { row.resume(title.draft) }
  }

  private func remove(_ id: Int64, at place: Int) {
    guard let row = rows.removeValue(forKey: id) else { return }
    let hadFocus = row.widget.isFocused
    waiting[id] = row.draft
    list.remove(row.widget)
    guard hadFocus else { return }
    let left = todos.visible
    let next = left.indices.contains(place) ? left[place] : left.last
    if let next, let row = rows[next.id] { row.widget.grabFocus() } else { firstFocus.grabFocus() }
  }

  private func toggle(_ id: Int64) {
    todos.toggle(id)
    // Where it could not be saved, the box goes back to what is.
    if let todo = todos.items.first(where: { $0.id == id }) { rows[id]?.apply(todo) }
  }

  private func delete(_ id: Int64) {
    guard let todo = todos.items.first(where: { $0.id == id }) else { return }
    todos.delete(id)
    guard rows[id] == nil else { return }
    waiting[id] = nil
    titleClosed(id)
    toast(tr("Deleted “%s”", todo.title), tr("Undo")) { [weak self] in self?.todos.undoDelete(of: id) }
  }

  private func showBody() {
    if let fault = todos.fault {
      problem.setAbout(AppError.todosUnreadable(path: store.shownPath, fault).words)
      setAside.isVisible = fault == .damaged
      widget.shown = "problem"
      return
    }
    widget.shown = "todos"
    guard todos.visible.isEmpty else {
      body.shown = "list"
      return
    }
    body.shown = "nothing"
    nothing.setTitle(todos.items.isEmpty ? tr("Nothing to do") : todos.filter.nothing)
    nothing.setAbout(todos.items.isEmpty ? tr("What you add above is kept on this computer.") : "")
  }

  private func beginAnew() {
    do throws(FileFault) {
      let copy = try store.setAside()
      load()
      toast(tr("The damaged file is kept as %s.", copy), nil, nil)
    } catch {
      problem.setAbout(AppError.todosUnreadable(path: store.shownPath, error).words)
    }
  }
}

// What is half-typed, kept over a lock, a quit and a crash.
extension TodosPage {
  /// The page is out of sight: what is half-typed is read now, while the keyboard is still where it was, and written
  /// when the screen that took its place has been drawn.
  func rest() {
    atRest = drafts
    keepDraftsSoon()
  }

  /// The page is back.
  func goOn() { atRest = nil }

  /// Writes what is half-typed in a moment, when the frame without it is drawn.
  ///
  /// The disk is not waited for: the locked page may be verifying by then. The quit waits.
  func keepDraftsSoon() {
    writing = MainLoop.after(50) { [weak self] in self?.keepDrafts(durably: false) }
  }

  /// Writes what is half-typed, where that is not on disk yet; never its words into the log.
  func keepDrafts(durably: Bool = true) {
    writing = nil
    guard let fault = keeper.keep(atRest ?? drafts, durably: durably) else { return }
    Log.warning("What is half-typed could not be kept in \(store.shownDrafts): \(fault.words). Add it before you quit.")
  }

  private var drafts: TodoDrafts {
    var titles = waiting
    for (id, row) in rows { if let title = row.draft { titles[id] = title } }
    return TodoDrafts(
      new: Draft(firstFocus.text, cursor: firstFocus.cursor), titles: titles,
      focus: rows.first { $0.value.isTyping }?.key)
  }

  private func restoreDrafts() {
    // Without the list there is no place for them; they wait on disk.
    guard todos.fault == nil, let found = keeper.load(for: todos.items) else { return }
    if let fault = found.fault {
      Log.warning("What was half-typed could not be read from \(store.shownDrafts): \(fault.words).")
      toast(tr("What you were typing last time could not be read: %s.", fault.words), nil, nil)
    }
    if let new = found.drafts.new {
      firstFocus.text = new.text
      firstFocus.cursor = new.cursor
    }
    waiting = found.drafts.titles
    for (id, row) in rows {
      guard let title = waiting.removeValue(forKey: id) else { continue }
      let field = row.resume(title.draft)
      if id == found.drafts.focus { opening = field }
    }
  }

  private func titleClosed(_ id: Int64) {
    if keeper.kept.titles[id] != nil { keepDrafts() }
  }
}

extension TodoFilter {
  fileprivate var words: String {
    switch self {
    case .all: tr("_All")
    case .open: tr("_Open")
    case .done: tr("_Done")
    }
  }

  fileprivate var nothing: String {
    switch self {
    case .all: tr("Nothing to do")
    case .open: tr("All done")
    case .done: tr("Nothing done yet")
    }
  }
}
