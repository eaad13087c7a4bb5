import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

/// The display, the application, and the turning of the loop; one for all tests.
@MainActor
enum Stage {
  static let application = Application(id: "io.github.appgates.GtkTests")

  /// Registers the application, which starts GTK; false where there is no display.
  static func set() -> Bool {
    guard gtk_init_check() != 0 else { return false }
    g_application_set_flags(application.cast(), G_APPLICATION_NON_UNIQUE)
    return g_application_register(application.cast(), nil, nil) != 0
  }

  /// Turns the loop while there is something to do, without waiting for more.
  static func drain() {
    for _ in 0..<200 where g_main_context_iteration(nil, 0) == 0 { return }
  }

  /// Turns the loop until the condition holds, within five seconds.
  @discardableResult
  static func until(
    _ what: String, file: StaticString = #fileID, line: UInt = #line, _ condition: () -> Bool
  ) -> Bool {
    expect(MainLoop.run(atMost: 5000, until: condition), what + " within 5 s", file: file, line: line)
  }
}

/// A screen mounted in a window of its own, as the program does it.
@MainActor
final class Play {
  let world: World
  let window: Window
  let mount: Mount

  init(_ screen: any Screen, in world: World, context: GateContext? = nil, shown: Bool = true) {
    self.world = world
    window = Window(Stage.application, title: Host.productName)
    world.host.window = window
    mount = screen.mount(in: context ?? world.context())
    window.content = mount.widget
    mount.restoreFocus()
    if shown {
      window.present()
      Stage.until("the window on the screen") { gtk_widget_get_mapped(window.widget) != 0 }
      Stage.drain()
    }
  }

  var root: GtkPointer { window.widget }
  var words: [String] { Tree.words(root) }
  func shows(_ words: String) -> Bool { self.words.contains { $0.has(words) } }
  /// Whether the words hang anywhere in the window, be it hidden.
  func holds(_ words: String) -> Bool { Tree.texts(root).contains { $0.has(words) } }
  func press(_ words: String, file: StaticString = #fileID, line: UInt = #line) {
    expect(Tree.press(words, in: root), "a button “\(words)”", file: file, line: line)
  }

  func end() {
    mount.end()
    window.content = nil
    window.destroy()
    Stage.drain()
  }
}

/// A child to guard: a draft in a field, and notes of what becomes of it.
@MainActor
final class Content {
  static let draft = "a draft nobody else may read"
  private(set) var made = 0
  private(set) var ended = 0
  private(set) var parked = 0
  private(set) var returned = 0
  private(set) var context: GateContext?
  private(set) weak var entry: Entry?
  /// Runs while the child is being made.
  var whileMade: @MainActor (GateContext) -> Void = { _ in }
  /// Runs while it is being parked, and while it returns.
  var whileParked: @MainActor () -> Void = {}
  var whileReturning: @MainActor () -> Void = {}

  /// The screen around it.
  var screen: ContentScreen { ContentScreen(content: self) }

  fileprivate func mount(in context: GateContext) -> Mount {
    made += 1
    self.context = context
    let entry = Entry(placeholder: "Draft")
    entry.text = Content.draft
    self.entry = entry
    let mount = Mount(Box(.vertical, [Label("Behind the gates"), entry]))
    mount.firstFocus = entry
    mount.onPark(
      { [weak self] in
        self?.parked += 1
        self?.whileParked()
      },
      onReturn: { [weak self] in
        self?.returned += 1
        self?.whileReturning()
      })
    mount.onEnd { [weak self] in self?.ended += 1 }
    context.host.setSubject("Secret plans")
    whileMade(context)
    return mount
  }

  /// Whether it hangs in a window.
  var isInWindow: Bool { entry.map { Tree.isInWindow($0.widget) } ?? false }
}

struct ContentScreen: Screen {
  nonisolated let content: Content
  func mount(in context: GateContext) -> Mount { content.mount(in: context) }
}

/// How many of everything live; equal at two times where nothing was left behind.
@MainActor
struct Census: Equatable {
  let mounts = Mount.live
  let objects = Object.live
  let connections = Connection.live
  let widgets = Widget.alive
}

@MainActor
extension Play {
  /// Whether the cover lies over all.
  var isCovered: Bool { Tree.styled("gate-cover", in: root).contains { gtk_widget_get_visible($0) != 0 } }

  /// Unlocks as PAM's user does: types and presses Enter, and PAM is content.
  func unlock(_ password: String = "correct horse") {
    world.pam.last?.say(.prompt(text: "Password: ", hidden: true))
    guard let field = need(Tree.find("GtkPasswordEntry", in: root).first, "the password field") else { return }
    var place: gint = 0
    gtk_editable_insert_text(gk_editable(field), password, -1, &place)
    guard let inner = need(Tree.find("GtkText", in: field).first, "the inner text") else { return }
    Tree.emit("activate", of: inner)
    expect(world.pam.last?.answers ?? [], is: [Array(password.utf8)], "what PAM was answered")
    world.pam.succeed()
  }
}
