import GLibKit
import GateCore
import Gates
import GtkKit

/// What a todo.txt would bring, for the user to look at before anything is added.
@MainActor
final class ImportPage {
  private let importer: TodoImporter
  private let name: String
  private let leave = Button(tr("_Cancel"))
  private let confirm = Button(tr("_Import")).style("suggested-action")
  private let again = Button(tr("_Choose Another File…")).style("pill")
  private let stack = Stack()
  private let wheel = Spinner()
  private let progress = Label()
  /// Spoken as soon as it is there, since the keyboard goes to the button.
  private let summary = Label.alert()
  private let preview = Bin()
  private let outcome = Label.alert()
  private let problem = StatusPage(icon: "dialog-warning-symbolic", title: tr("Nothing Was Imported"))
  private var listening: Listening?

  /// The most todos, and the most unusable lines, that are shown: the user looks at a sample, not at all.
  private static let most = 20

  /// Makes the page of an import; `close` leaves it, `another` asks for another file.
  init(
    _ importer: TodoImporter, name: String, close: @escaping @MainActor () -> Void,
    another: @escaping @MainActor () -> Void
  ) {
    self.importer = importer
    self.name = name
    leave.onClick(close)
    again.onClick(another)
    confirm.onClick { [importer] in importer.confirm() }
    outcome.isVisible = false
  }

  isolated deinit { importer.cancel() }

  func widget() -> Widget {
    let reading = Box(.vertical, spacing: 12, [wheel, progress]).align(horizontal: .center, vertical: .center)
    stack.add(reading.expand(vertical: true), name: "reading")
    let column = Box(.vertical, spacing: 12, [outcome, preview]).align(vertical: .start).margin(18, vertical: 18)
    stack.add(Scrolled(Clamp(column, width: 560)), name: "preview")
    stack.add(
      Box(.vertical, [problem, Clamp(again.align(horizontal: .center)).margin(12, vertical: 24)]), name: "problem")
    listening = importer.changed.listen { [weak self] in self?.follow($0) }
    follow(importer.stage)
    let header = HeaderBar(title: Label(tr("Import Todos")).oneLine().style("heading")).start(leave).end(confirm)
    return Box(.vertical, [header, stack.expand(vertical: true)])
  }

  /// Gives the keyboard to what comes next.
  func grabFocus() {
    switch importer.stage {
    case .preview(let found) where !found.new.isEmpty: confirm.grabFocus()
    case .failed: again.grabFocus()
    default: leave.grabFocus()
    }
  }

  private func follow(_ stage: TodoImporter.Stage) {
    var isReady = false
    wheel.isSpinning = false
    switch stage {
    case .reading(let part):
      wheel.isSpinning = true
      progress.text = tr("Reading %s: %s %%", name, String(Int(part * 100)))
      stack.shown = "reading"
      // The keyboard is where it belongs since the first time.
      if part > 0 { return }
    case .preview(let found):
      isReady = !found.new.isEmpty
      preview.child = sample(of: found)
      stack.shown = "preview"
    case .adding:
      wheel.isSpinning = true
      progress.text = tr("Adding the todos…")
      stack.shown = "reading"
    case .notAdded(_, let fault):
      isReady = true
      outcome.text = fault.notAdded
      outcome.isVisible = true
      stack.shown = "preview"
    case .added: break
    case .failed(let fault):
      problem.setAbout(fault.words)
      stack.shown = "problem"
    }
    confirm.isSensitive = isReady
    if case .failed = stage { confirm.isVisible = false } else { confirm.isVisible = true }
    grabFocus()
  }

  private func sample(of found: TodoImport) -> Widget {
    summary.text = found.words
    var rows: [Widget] = [Label.heading(name, level: 2).leading().style("heading").verbatim(), summary.leading()]
    rows += section(tr("Lines that cannot be used"), found.unusable) { line in
      ActionRow(tr("Line %s", String(line.number)), subtitle: line.reason.words)
    }
    rows += section(tr("New todos"), found.new) { todo in
      ActionRow(
        todo.title.shortened,
        subtitle: todo.isDone ? tr("Done") : todo.priority.map { tr("Priority %s", String($0)) } ?? "")
    }
    return Box(.vertical, spacing: 12, rows)
  }

  /// A heading and the first of a list's rows; nothing where it would be empty.
  private func section<Item>(_ title: String, _ items: [Item], row: (Item) -> ActionRow) -> [Widget] {
    guard !items.isEmpty else { return [] }
    let list = ListBox().style("boxed-list")
    for item in items.prefix(Self.most) { list.insert(row(item), at: -1) }
    if items.count > Self.most {
      list.insert(ActionRow(tr("and %s more", String(items.count - Self.most))), at: -1)
    }
    return [Label.heading(title, level: 2).leading().style("heading"), list]
  }
}

extension String {
  /// At most as much of it as a row shows well.
  fileprivate var shortened: String { count > 200 ? prefix(199) + "…" : self }
}
