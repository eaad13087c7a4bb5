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
  private lazy var list = LongList<TodoRow>(
    make: { [unowned self] in makeRow() }, bind: { [weak self] in self?.show(in: $0, at: $1) },
    release: { [weak self] in self?.release($0) })
  private let nothing = StatusPage(icon: "object-select-symbolic", title: "", about: "")
  private let body = Stack()
  private let problem = StatusPage(icon: "dialog-warning-symbolic", title: tr("Your todos cannot be read"))
  private let setAside = Button(tr("_Keep It Aside and Begin Anew"))
  /// The rows that exist, by the number of their todo.
  private var rows: [Int64: TodoRow] = [:]
  private var listening: Listening?
  private let keeper: TodoDraftKeeper
  /// Titles that are being edited in rows that are out of view, or that the filter does not show.
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
    build()
    listening = todos.changed.listen { [weak self] in self?.follow($0) }
  }

  func load() { show { todos.load() } }

  /// Shows the list that this reads, with what was half-typed in it.
  private func show(_ read: () -> Void) {
    read()
    restoreDrafts()
    if store.takeEmptyNotice() {
      toast(tr("The file %s was empty; a new list was begun.", store.shownPath), nil, nil)
    }
  }

  func undo() { todos.undoDelete() }

  /// Whether there is something in the field that has the keyboard.
  var isTyping: Bool {
    (firstFocus.isFocused && !firstFocus.text.isEmpty) || typing != nil
  }

  /// Whether words stand in a field that are not in the list yet, with the keyboard there or elsewhere.
  var isHalfTyped: Bool {
    !firstFocus.text.isEmpty || !waiting.isEmpty || rows.values.contains { $0.draft != nil }
  }

  /// The row whose title is being edited, with the keyboard.
  private var typing: TodoRow? { rows.values.first(where: \.isTyping) }

  private func build() {
    firstFocus.onEnter { [weak self] in self?.add() }
    firstFocus.onEdit { [weak self] in
      if let self, self.firstFocus.text.isEmpty, self.keeper.kept.new != nil { self.keepDrafts() }
    }
    firstFocus.icon("list-add-symbolic", label: tr("Add")) { [weak self] in self?.add() }
    firstFocus.onKey { [weak self] in
      $0 == .down && self?.list.focus(0) == true
    }
    list.widget.style("boxed-list")
    let head = Clamp(Box(.vertical, spacing: 12, [firstFocus, filters()]).margin(12, vertical: 12))
    body.add(list.scrolled, name: "list")
    body.add(nothing, name: "nothing")
    widget.add(Box(.vertical, [head, body]), name: "todos")
    let again = Button(tr("_Try Again")).style("suggested-action", "pill").onClick { [weak self] in self?.tryAgain() }
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
    // The new one is the last, where the filter shows it.
    if todos.visible.last?.id == todos.items.last?.id { list.reveal(list.count - 1) }
  }

  private func follow(_ change: TodoChange) {
    switch change {
    case .reloaded: reload()
    case .inserted(_, let place): list.insert(at: place)
    case .removed(_, let place): remove(at: place)
    case .updated(let todo, let place):
      rows[todo.id]?.apply(todo)
      list.changed(at: place)
    }
    showBody()
  }

  private func reload() {
    let row = list.focusedPlace.flatMap { list.rows[$0] }
    let (held, wasTyping) = (row?.todo?.id, row?.isTyping == true)
    list.reload(count: todos.visible.count)
    guard let held else { return }
    keepKeyboard(at: todos.visible.firstIndex { $0.id == held } ?? 0)
    if wasTyping { rows[held]?.field?.grabFocus() }
  }

  private func remove(at place: Int) {
    let hadFocus = list.focusedPlace == place
    list.remove(at: place)
    if hadFocus { keepKeyboard(at: min(place, list.count - 1)) }
  }

  /// The keyboard stays in the list; where there is none left, it goes to the field above.
  private func keepKeyboard(at place: Int) {
    if !list.focus(place) { firstFocus.grabFocus() }
  }

  private func makeRow() -> TodoRow {
    let row = TodoRow()
    row.toggle = { [weak self] in self?.toggle($0) }
    row.rename = { [weak self] in self?.todos.rename($0, to: $1) ?? false }
    row.delete = { [weak self] in self?.delete($0) }
    row.closed = { [weak self] in self?.titleClosed($0) }
    return row
  }

  private func show(in row: TodoRow, at place: Int) {
    let todo = todos.visible[place]
    row.apply(todo)
    rows[todo.id] = row
    if let title = waiting.removeValue(forKey: todo.id) { row.resume(title.draft) }
  }

  private func release(_ row: TodoRow) {
    guard let id = row.todo?.id else { return }
    waiting[id] = row.draft
    rows[id] = nil
    row.clear()
  }

  private func toggle(_ id: Int64) {
    todos.toggle(id)
    // Where it could not be saved, the box goes back to what is.
    if let row = rows[id], let todo = todos.item(id) { row.apply(todo) }
  }

  private func delete(_ id: Int64) {
    guard let todo = todos.item(id) else { return }
    todos.delete(id)
    guard todos.item(id) == nil else { return }
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

  private func tryAgain() {
    load()
    // The page looks as before, to whoever looks; a screen reader says nothing by itself.
    if let fault = todos.fault { toast(tr("The todos still cannot be read: %s.", fault.words), nil, nil) }
  }

  private func beginAnew() {
    do throws(FileFault) {
      let copy = try store.setAside()
      show { todos.beginAnew() }
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
      focus: typing?.todo?.id)
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
      if let title = waiting.removeValue(forKey: id) { row.resume(title.draft) }
    }
    if let focus = found.drafts.focus, let place = todos.visible.firstIndex(where: { $0.id == focus }) {
      opening = list.keep(at: place)?.field ?? firstFocus
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
