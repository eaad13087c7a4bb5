import CGtk
import GLibKit
import GLibShim

/// Takes stacks apart while what they show is out of the window, and puts them together again.
///
/// For each page of a stack GTK 4.8 has an accessible thing that is no widget (GtkStackPage). It does not go with the
/// window: asked for its parent or its child, it brings back what was put away, one step at each question. Only a stack
/// without pages has none. Main thread; end it with `putBack` or `drop`.
@MainActor
final class ParkedStacks {
  private let stacks: [ParkedStack]

  /// Takes apart every stack in a tree that is out of the window already.
  ///
  /// A stack within one that a slot further out has parked too stays apart until both have put it back.
  init(in root: Widget) {
    var found: [Widget] = []
    ParkedStacks.look(at: root, &found)
    stacks = found.map { ParkedStack.of($0) ?? ParkedStack($0) }
    for stack in stacks { stack.holders += 1 }
  }

  /// Puts all of them together as they were; call it before the tree is back in the window.
  func putBack() {
    for stack in stacks {
      stack.holders -= 1
      if stack.holders == 0 { stack.putBack() }
    }
  }

  /// Lets go of them for good, with the tree that they are in.
  func drop() {
    for stack in stacks {
      stack.holders -= 1
      if stack.holders == 0 { stack.forget() }
    }
  }

  private static func look(at widget: Widget, _ found: inout [Widget]) {
    if gs_is_a(widget.widget, "GtkStack") != 0 { found.append(widget) }
    for page in ParkedStack.of(widget)?.children ?? [] { look(at: page, &found) }
    var child = gtk_widget_get_first_child(widget.widget)
    while let next = child {
      look(at: Widget(borrowing: next), &found)
      child = gtk_widget_get_next_sibling(next)
    }
  }
}

/// One stack and the pages that were taken out of it, in their order.
///
/// What our own code does to the stack meanwhile is done to these, and is found when it is put back.
@MainActor
final class ParkedStack {
  private struct Page {
    let child: Widget
    var name: String?
    var title: String?
    var icon: String?
    var isVisible: gboolean = 1
    var needsAttention: gboolean = 0
    var usesUnderline: gboolean = 0

    init(_ child: Widget, name: String) {
      self.child = child
      self.name = name
    }

    @MainActor
    init(_ stack: OpaquePointer, _ child: UnsafeMutablePointer<GtkWidget>) {
      self.child = Widget(borrowing: child)
      let page = gtk_stack_get_page(stack, child)
      name = gtk_stack_page_get_name(page).map { String(cString: $0) }
      title = gtk_stack_page_get_title(page).map { String(cString: $0) }
      icon = gtk_stack_page_get_icon_name(page).map { String(cString: $0) }
      isVisible = gtk_stack_page_get_visible(page)
      needsAttention = gtk_stack_page_get_needs_attention(page)
      usesUnderline = gtk_stack_page_get_use_underline(page)
    }

    @MainActor
    func add(to stack: OpaquePointer) {
      let page = gtk_stack_add_child(stack, child.widget)
      if let name { gtk_stack_page_set_name(page, name) }
      if let title { gtk_stack_page_set_title(page, title) }
      if let icon { gtk_stack_page_set_icon_name(page, icon) }
      gtk_stack_page_set_visible(page, isVisible)
      gtk_stack_page_set_needs_attention(page, needsAttention)
      gtk_stack_page_set_use_underline(page, usesUnderline)
    }
  }

  private static var parked: [UnsafeMutablePointer<GtkWidget>: ParkedStack] = [:]

  /// The stack as it is put away; nothing where it is in use.
  static func of(_ stack: Widget) -> ParkedStack? { parked.isEmpty ? nil : parked[stack.widget] }

  /// How many slots have parked it.
  var holders = 0
  private let stack: Widget
  private var pages: [Page]
  private var shownChild: Widget?

  init(_ stack: Widget) {
    self.stack = stack
    shownChild = gtk_stack_get_visible_child(stack.opaque).map { Widget(borrowing: $0) }
    var pages: [Page] = []
    var child = gtk_widget_get_first_child(stack.widget)
    while let next = child {
      pages.append(Page(stack.opaque, next))
      child = gtk_widget_get_next_sibling(next)
    }
    self.pages = pages
    // Nobody is to hear that other pages are shown meanwhile.
    g_object_freeze_notify(stack.cast())
    for page in pages { gtk_stack_remove(stack.opaque, page.child.widget) }
    ParkedStack.parked[stack.widget] = self
  }

  var children: [Widget] { pages.map(\.child) }

  func putBack() {
    forget()
    for page in pages { page.add(to: stack.opaque) }
    if let shownChild { gtk_stack_set_visible_child(stack.opaque, shownChild.widget) }
    g_object_thaw_notify(stack.cast())
  }

  /// Takes it for one that goes for good.
  func forget() { ParkedStack.parked[stack.widget] = nil }

  func add(_ child: Widget, name: String) {
    pages.append(Page(child, name: name))
    if shownChild == nil { shownChild = child }
  }

  func remove(_ child: Widget) {
    pages.removeAll { $0.child.widget == child.widget }
    if shownChild?.widget == child.widget { shownChild = pages.first?.child }
  }

  var shown: String {
    get { pages.first { $0.child.widget == shownChild?.widget }?.name ?? "" }
    set { shownChild = pages.first { $0.name == newValue }?.child ?? shownChild }
  }
}
