import GLibKit
import GateCore
import GtkKit

/// A row of the list: its todo is ticked with Space, edited with Enter or F2, deleted with Delete.
///
/// The row outlives what it shows: it is given one todo after another.
@MainActor
final class TodoRow: RecycledRow {
  let widget: ListRow
  var toggle: @MainActor (Int64) -> Void = { _ in }
  var rename: @MainActor (Int64, String) -> Bool = { _, _ in false }
  var delete: @MainActor (Int64) -> Void = { _ in }
  /// Runs when the title is edited no more.
  var closed: @MainActor (Int64) -> Void = { _ in }

  private(set) var todo: Todo?
  private let check: CheckButton
  /// The priority of a todo.txt, which sorts the list for those who work with it.
  private let priority = Label().style("dim-label", "heading")
  private let title = Label().leading().least(characters: 8).expand(horizontal: true)
  /// The title, or the field that edits it.
  private let place = Bin()
  private var editor: Entry?
  private var checking: Connection?

  init() {
    check = CheckButton(label: tr("Done"))
    check.align(vertical: .center)
    place.child = title
    place.expand(horizontal: true)
    let remove = Button(icon: "user-trash-symbolic", label: tr("Delete")).style("flat").align(vertical: .center)
    let row = Columns(spacing: 9, [check, priority, place, remove]).margin(9, vertical: 6)
    widget = ListRow(row)
    remove.onClick { [weak self] in self?.act { $0.delete($1.id) } }
    checking = check.onChange(of: "active") { [weak self] in self?.act { $0.toggle($1.id) } }
    widget.on("activate") { [weak self] _ in self?.edit() }
    widget.onTap { [weak self] in self?.edit() }
    widget.onKey { [weak self] in self?.key($0) ?? false }
  }

  func apply(_ todo: Todo) {
    self.todo = todo
    title.text = todo.title
    title.setStyle("todo-done", todo.isDone)
    let letter = todo.priority.map { String($0) }
    priority.isVisible = letter != nil
    if let letter { priority.text = letter }
    widget.accessibleLabel(TodoRow.name(of: todo, letter))
    check.accessibleLabel(tr("Done: %s", todo.title))
    checking?.blocked { check.isActive = todo.isDone }
  }

  private static func name(of todo: Todo, _ priority: String?) -> String {
    if todo.isDone { return tr("%s, done", todo.title) }
    return priority.map { tr("%s, priority %s", todo.title, $0) } ?? todo.title
  }

  /// Lets go of its todo, for which another row may come.
  func clear() {
    if editor != nil { close() }
    todo = nil
  }

  /// Whether its title is being edited, with the keyboard.
  var isTyping: Bool { editor?.isFocused == true }

  /// The field of the title, while it is edited.
  var field: Entry? { editor }

  /// What is in it.
  var draft: TitleDraft? {
    guard let editor, let todo else { return nil }
    return TitleDraft(Draft(editor.text, cursor: editor.cursor), was: todo.title)
  }

  /// Goes on with an edit that was left; its field does not have the keyboard yet.
  func resume(_ draft: Draft) {
    open(draft.text).cursor = draft.cursor
  }

  private func act(_ body: (TodoRow, Todo) -> Void) {
    if let todo { body(self, todo) }
  }

  private func key(_ key: Key) -> Bool {
    guard editor == nil, let todo else { return false }
    switch key {
    case .space: toggle(todo.id)
    case .enter, .f2: edit()
    case .delete: delete(todo.id)
    default: return false
    }
    return true
  }

  private func edit() {
    guard editor == nil, let todo else { return }
    let editor = open(todo.title)
    editor.grabFocus()
    editor.cursor = -1
  }

  private func open(_ text: String) -> Entry {
    let editor = Entry(placeholder: tr("Title")).limit(max(Todo.titleLimit, text.unicodeScalars.count))
    editor.text = text
    editor.onEnter { [weak self] in self?.finish(saving: true) }
    editor.onKey(first: true) { [weak self] in
      guard $0 == .escape else { return false }
      self?.finish(saving: false)
      return true
    }
    self.editor = editor
    place.child = editor
    return editor
  }

  private func finish(saving: Bool) {
    guard let editor, let todo else { return }
    // An empty title, or one that cannot be saved, leaves the field open with what was typed.
    if saving, !rename(todo.id, editor.text) { return }
    close()
    widget.grabFocus()
    closed(todo.id)
  }

  private func close() {
    editor = nil
    place.child = title
  }
}
