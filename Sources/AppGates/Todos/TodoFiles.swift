import GLibKit
import GateCore
import GateServices
import Gates
import GtkKit

/// Import and export, as the main menu offers them.
///
/// The desktop's chooser may be another program's window and outlive a lock, or whatever else takes the shell off the
/// screen. What is chosen there by then is dropped, and the user is told on return: whoever chose it may be another.
@MainActor
final class TodoFiles {
  private unowned let shell: Shell
  private let client: TodoFileClient
  private let todos: TodoListController
  private let shownPath: String
  private var isChoosing = false
  /// The import that was begun last; gone once its page is left, unless it is adding.
  private weak var importer: TodoImporter?

  init(_ page: TodosPage, in shell: Shell) {
    self.shell = shell
    todos = page.todos
    client = .live(page.store, clock: shell.context.clock)
    shownPath = page.store.shownPath
  }

  /// Asks for a file and shows what it would bring.
  func askToImport() {
    guard isReady, !isAdding else { return }
    isChoosing = true
    FileChooser.open(over: shell.context.host.window, title: tr("Import Todos")) { [weak self] path in
      self?.chosen(path, late: tr("The app was locked meanwhile, so nothing was imported. Import again.")) {
        self?.show($0)
      }
    }
  }

  /// Asks where to, and writes the todos there as they are then.
  func askToExport() {
    guard isReady else { return }
    guard !todos.items.isEmpty else { return shell.say(tr("There is nothing to export yet.")) }
    isChoosing = true
    FileChooser.save(over: shell.context.host.window, title: tr("Export Todos"), name: "todo.txt") {
      [weak self] path in
      self?.chosen(path, late: tr("The app was locked meanwhile, so nothing was exported. Export again.")) {
        self?.write(to: $0)
      }
    }
  }

  /// Whether there is a list, and no chooser open; without a list the user is told why.
  private var isReady: Bool {
    if let fault = todos.fault {
      shell.say(AppError.todosUnreadable(path: shownPath, fault).words)
      return false
    }
    return !isChoosing
  }

  /// Whether todos are being added; then the user is told: beside a list without them each would count as new.
  private var isAdding: Bool {
    guard case .adding? = importer?.stage else { return false }
    shell.say(tr("Todos are still being added. Import again when that is done."))
    return true
  }

  private func chosen(_ path: String?, late words: String, _ body: (String) -> Void) {
    isChoosing = false
    guard let path else { return }
    guard !shell.isAway else { return shell.whenBack { [weak shell] in shell?.say(words) } }
    body(path)
  }

  private func show(_ path: String) {
    // It may have been begun on the page behind the chooser.
    guard !isAdding else { return }
    let importer = TodoImporter(client, items: { [todos] in todos.items }, reload: { [todos] in todos.load() })
    let page = ImportPage(
      importer, name: path.split(separator: "/").last.map(String.init) ?? path,
      close: { [weak shell] in shell?.leaveDetail() }, another: { [weak self] in self?.askToImport() })
    self.importer = importer
    importer.ended = { [weak shell, weak page] importer in
      // The page may have been left by then, and the app locked.
      guard let shell else { return }
      let isShown = page.map(shell.shows) ?? false
      switch importer.stage {
      case .added(let added):
        if isShown { shell.leaveDetail() }
        shell.whenBack { [weak shell] in
          shell?.say(tr("%s todo was imported.", "%s todos were imported.", count: added.count), button: tr("Undo")) {
            TodoFiles.takeBack(importer, shell)
          }
        }
      case .notAdded(_, let fault) where !isShown:
        shell.whenBack { [weak shell] in shell?.say(fault.notAdded) }
      case .notAdded, .reading, .preview, .adding, .failed: break
      }
    }
    importer.open(path)
    shell.showDetail(page.widget(), keeping: page) { page.grabFocus() }
  }

  private static func takeBack(_ importer: TodoImporter, _ shell: Shell?) {
    Task { [weak shell] in
      guard let fault = await importer.undo() else { return }
      shell?.whenBack {
        shell?.say(tr("The import could not be undone: %s. Delete what you do not want.", fault.words))
      }
    }
  }

  private func write(to path: String) {
    let items = todos.items
    Task { [client, weak shell] in
      let words: String
      do throws(FileFault) {
        try await client.write(TodoText.text(items), path)
        words = tr("%s todo was exported.", "%s todos were exported.", count: items.count)
      } catch {
        words = tr("The file could not be written: %s. Choose another place.", error.words)
      }
      shell?.whenBack { shell?.say(words) }
    }
  }
}
