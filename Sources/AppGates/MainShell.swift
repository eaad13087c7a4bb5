import GLibKit
import GateCore
import GateServices
import Gates
import GtkKit

/// What the gates lead to: the todos, and a page about oneself.
public struct MainShell: Screen {
  /// Makes the shell.
  public init() {}

  /// Mounts the shell.
  public func mount(in context: GateContext) -> Mount { Shell(context).mount() }
}

/// The shell's two pages, and the pages that lie over both: legal texts and the feedback form.
@MainActor
final class Shell {
  let context: GateContext
  private let pages = ViewStack()
  private let stack = Stack()
  private let toasts: ToastOverlay
  private let todos: TodosPage?
  private var detail: Widget?
  /// What works the detail: its handlers hold it weakly.
  private var detailOwner: AnyObject?
  /// Whether the detail stays, with what is begun there: nothing leaves it then, or puts another in its place.
  var isHeld = false
  private lazy var files = todos.map { TodoFiles($0, in: self) }
  private weak var mounted: Mount?
  /// What is said once the shell is back on the screen.
  private var unsaid: [@MainActor () -> Void] = []

  init(_ context: GateContext) {
    self.context = context
    toasts = ToastOverlay(stack)
    let account = context[AuthController.self]?.session?.account ?? .local
    todos = context[TodoStores.self].map { TodosPage($0.store(of: account), in: context) }
  }

  func mount() -> Mount {
    let me = MePage(self)
    if let todos {
      todos.toast = { [weak self] words, button, pressed in self?.toasts.show(words, button: button, pressed) }
      pages.add(todos.widget, name: "todos", title: tr("Todos"), icon: "view-list-symbolic")
    }
    pages.add(me.widget, name: "me", title: tr("Me"), icon: "avatar-default-symbolic")
    let (switcher, foot) = pages.switchers(title: Host.productName)
    let menu = MenuButton(
      icon: "open-menu-symbolic", label: tr("Main menu"),
      menu: Menu([
        (tr("_New Todo"), "app.new-todo"), (tr("_Import…"), "app.import"), (tr("_Export…"), "app.export"),
        (tr("_Lock Now"), "app.lock"), (tr("_Quit"), "app.quit"),
      ]))
    pages.expand(vertical: true)
    stack.add(Box(.vertical, [HeaderBar(title: switcher).end(menu), pages, foot]), name: "pages")
    let mount = Mount(toasts, keeping: self, me)
    mounted = mount
    pages.onChange(of: "visible-child") { [weak self] in self?.nameWindow() }
    for (name, keys, body) in shortcuts {
      let action = context.host.addAction(name, keys) { [weak self, weak mount] in
        if mount?.isParked == false, self?.isHeld == false { body() }
      }
      // Behind a gate the shell is not to be operated from outside either.
      mount.onPark({ action?.isEnabled = false }, onReturn: { action?.isEnabled = true })
      mount.onEnd { action?.isEnabled = false }
    }
    if let request = context[NewTodoRequest.self] { follow(request, mount) }
    stack.onKey { [weak self] in
      guard $0 == .escape, let self, self.detail != nil else { return false }
      self.closeDetail()
      return true
    }
    // No shortcut of the whole app: in a field, Control and Z undo what was typed there.
    toasts.onControl("z") { [weak self] in
      guard let self, self.detail == nil, self.pages.shown == "todos", let todos = self.todos, !todos.isTyping else {
        return false
      }
      todos.undo()
      return true
    }
    mount.keep(
      context.rating.wantsPrompt.listen { [weak self, weak mount] in
        if mount?.isParked == false { self?.askForRating() }
      })
    todos?.load()
    mount.firstFocus = todos?.opening
    if let todos {
      mount.onPark({ todos.rest() }, onReturn: { todos.goOn() })
      mount.onPark({}, onReturn: { [weak self] in self?.sayUnsaid() })
      mount.onEnd { todos.keepDrafts() }
      mount.keep(context.host.activity.listen { if !$0 { todos.keepDraftsSoon() } })
    }
    nameWindow()
    mount.keep(context.host.hearNotices { [weak self] in self?.say($0) })
    reportNotices()
    return mount
  }

  private var shortcuts: [(String, [String], @MainActor () -> Void)] {
    [
      ("todos", ["<Alt>1"], { [weak self] in self?.show("todos") }),
      ("me", ["<Alt>2"], { [weak self] in self?.show("me") }),
      ("import", [], { [weak self] in self?.files?.askToImport() }),
      ("export", [], { [weak self] in self?.files?.askToExport() }),
    ]
  }

  private func show(_ page: String) {
    closeDetail()
    let cursor = todos?.firstFocus.cursor
    pages.shown = page
    // With its page a field gets the keyboard back, and GTK selects all of its text: the next key would replace it.
    if let cursor { todos?.firstFocus.cursor = cursor }
  }

  /// Begins a new todo when that was asked for, or as soon as the shell is on the screen after that.
  private func follow(_ request: NewTodoRequest, _ mount: Mount) {
    let meet: @MainActor @Sendable () -> Void = { [weak self, weak mount] in
      guard let self, mount?.isParked == false, request.take() else { return }
      self.newTodo()
    }
    mount.keep(request.made.listen { meet() })
    // A turn later: what had the keyboard before the lock gets it back first.
    let soon: @MainActor () -> Void = { MainLoop.wake(meet) }
    mount.onPark({}, onReturn: soon)
    soon()
  }

  private func newTodo() {
    guard !isHeld else { return }
    show("todos")
    todos?.firstFocus.grabFocus()
  }

  private func nameWindow() { context.host.setSubject(pages.shown == "me" ? tr("Me") : tr("Todos")) }

  /// Shows a page over both others; `closeDetail` leaves it.
  func showDetail(_ page: Widget, keeping owner: AnyObject, focus: () -> Void) {
    guard !isHeld else { return }
    if let detail { stack.remove(detail) }
    detail = page
    detailOwner = owner
    stack.add(page, name: "detail")
    stack.shown = "detail"
    focus()
  }

  func closeDetail() {
    guard let detail, !isHeld else { return }
    stack.shown = "pages"
    stack.remove(detail)
    self.detail = nil
    detailOwner = nil
  }

  /// Leaves a page that was asked for from the main menu.
  func leaveDetail() {
    closeDetail()
    todos?.firstFocus.grabFocus()
  }

  /// Whether a page that lies over both others is this one's.
  func shows(_ owner: AnyObject) -> Bool { detailOwner === owner }

  /// Whether a gate has taken the shell off the screen.
  var isAway: Bool { mounted?.isParked != false }

  /// A short message at the foot of the window.
  func say(_ words: String) { toasts.show(words) }

  /// The same with a button, for as long as it shows.
  func say(_ words: String, button: String, _ pressed: @escaping @MainActor () -> Void) {
    toasts.show(words, button: button, pressed)
  }

  /// Does it now, or as soon as the shell is on the screen again: a message that nobody sees is gone by then.
  func whenBack(_ body: @escaping @MainActor () -> Void) { if isAway { unsaid.append(body) } else { body() } }

  private func sayUnsaid() {
    let due = unsaid
    unsaid = []
    for body in due { body() }
  }

  private func reportNotices() {
    if context.secrets.problems.isEmpty { return }
    toasts.show(tr("The app’s configuration has a mistake. The page “Me” tells more."))
  }

  private func askForRating() {
    // A prompt never lies over a form or another prompt, and takes the keyboard from no half-typed words: the moment
    // passes.
    guard detail == nil, context.host.isActive, todos?.isHalfTyped != true, let window = context.host.window,
      !window.hasDialog
    else { return }
    context.rating.promptShown()
    context.analytics.track(.reviewAsked)
    RatingPrompt.show(over: window, self)
  }
}
