import GLibKit
import GateCore
import GtkKit

/// One todo in the list: ticked with Space, edited with Enter or F2, deleted with Delete.
@MainActor
final class TodoRow {
  let widget: ListRow
  var toggle: @MainActor () -> Void = {}
  var rename: @MainActor (String) -> Bool = { _ in false }
  var delete: @MainActor () -> Void = {}
  /// Runs when the title is edited no more.
  var closed: @MainActor () -> Void = {}

  private let check: CheckButton
  private let title = Label().leading().expand(horizontal: true)
  private let stack = Stack()
  private var todo: Todo
  private var editor: Entry?
  private var checking: Connection?

  init(_ todo: Todo) {
    self.todo = todo
    check = CheckButton(label: tr("Done"))
    check.align(vertical: .center)
    stack.expand(horizontal: true)
    stack.add(title, name: "title")
    let remove = Button(icon: "user-trash-symbolic", label: tr("Delete")).style("flat").align(vertical: .center)
    let row = Box(.horizontal, spacing: 9, [check, stack, remove]).margin(9, vertical: 6)
    widget = ListRow(row)
    remove.onClick { [weak self] in self?.delete() }
    checking = check.onChange(of: "active") { [weak self] in self?.toggle() }
    widget.on("activate") { [weak self] _ in self?.edit() }
    widget.onTap { [weak self] in self?.edit() }
    widget.onKey { [weak self] in self?.key($0) ?? false }
    apply(todo)
  }

  func apply(_ todo: Todo) {
    self.todo = todo
    title.text = todo.title
    title.setStyle("todo-done", todo.isDone)
    widget.accessibleLabel(todo.isDone ? tr("%s, done", todo.title) : todo.title)
    check.accessibleLabel(tr("Done: %s", todo.title))
    checking?.blocked { check.isActive = todo.isDone }
  }

  /// Whether its title is being edited, with the keyboard.
  var isTyping: Bool { editor?.isFocused == true }

  /// What is in the field of the title, while it is edited.
  var draft: TitleDraft? {
    editor.map { TitleDraft(Draft($0.text, cursor: $0.cursor), was: todo.title) }
  }

  /// Goes on with an edit that was left, and returns its field, which does not have the keyboard yet.
  @discardableResult
  func resume(_ draft: Draft) -> Entry {
    let editor = open(draft.text)
    editor.cursor = draft.cursor
    return editor
  }

  private func key(_ key: Key) -> Bool {
    guard editor == nil else { return false }
    switch key {
    case .space: toggle()
    case .enter, .f2: edit()
    case .delete: delete()
    default: return false
    }
    return true
  }

  private func edit() {
    guard editor == nil else { return }
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
    stack.add(editor, name: "editor")
    stack.shown = "editor"
    return editor
  }

  private func finish(saving: Bool) {
    guard let editor else { return }
    // An empty title, or one that cannot be saved, leaves the field open with what was typed.
    if saving, !rename(editor.text) { return }
    self.editor = nil
    stack.shown = "title"
    stack.remove(editor)
    widget.grabFocus()
    closed()
  }
}
