import CGtk
import GLibKit

/// Children in a row or a column.
public final class Box: Widget {
  /// Makes a box with `spacing` pixels between its children.
  public init(_ axis: Axis, spacing: Int32 = 0, _ children: [Widget] = []) {
    super.init(sinking: gtk_box_new(axis.raw, spacing))
    for child in children { append(child) }
  }

  /// Items below each other, each behind a bullet; screen readers know them for a list.
  public static func list(spacing: Int32 = 6, _ items: [Label]) -> Box {
    let rows = items.map { item in
      let bullet = Label("•").align(vertical: .start)
      // A screen reader says by itself that this is an item.
      gk_accessible_presentation(bullet.widget)
      return Box(GTK_ORIENTATION_HORIZONTAL, 9, isItem: true, [bullet, item.expand(horizontal: true)])
        .direction(of: item.text)
    }
    return Box(GTK_ORIENTATION_VERTICAL, spacing, isItem: false, rows)
  }

  private init(_ axis: GtkOrientation, _ spacing: Int32, isItem: Bool, _ children: [Widget]) {
    super.init(sinking: gk_list_box_new(axis, spacing, isItem ? 1 : 0))
    for child in children { append(child) }
  }

  /// Adds a child at the end.
  @discardableResult
  public func append(_ child: Widget) -> Self {
    gtk_box_append(cast(), child.widget)
    return self
  }

  /// Takes a child out.
  public func remove(_ child: Widget) { gtk_box_remove(cast(), child.widget) }

  /// Takes every child out.
  public func removeAll() {
    while let child = gtk_widget_get_first_child(widget) { gtk_box_remove(cast(), child) }
  }
}

/// Children beside each other, for words that wrap among them.
///
/// GTK 4.8 finds out how high a box is by laying out such words for many widths in turn: ten milliseconds for three
/// lines, where a grid takes a tenth of one.
public final class Columns: Widget {
  /// Makes a column for each child, with `spacing` pixels between them.
  public init(spacing: Int32 = 0, _ children: [Widget]) {
    super.init(sinking: gtk_grid_new())
    gtk_grid_set_column_spacing(cast(), guint(spacing))
    for (place, child) in children.enumerated() { gtk_grid_attach(cast(), child.widget, gint(place), 0, 1, 1) }
  }
}

/// A place for one child.
public final class Bin: Widget {
  /// Makes an empty place, or one that holds the child.
  public init(_ child: Widget? = nil) {
    self.child = child
    super.init(sinking: adw_bin_new())
    // An initialiser's own assignment runs no observer.
    adw_bin_set_child(cast(), child?.widget)
  }

  /// The child; setting it unparents the one before.
  public var child: Widget? {
    didSet { adw_bin_set_child(cast(), child?.widget) }
  }
}

/// A child with others laid over it.
public final class Overlay: Widget {
  /// Makes an overlay over the child.
  public init(_ child: Widget) {
    super.init(sinking: gtk_overlay_new())
    gtk_overlay_set_child(opaque, child.widget)
  }

  /// Lays a widget over all that is there so far.
  @discardableResult
  public func cover(with widget: Widget) -> Self {
    gtk_overlay_add_overlay(opaque, widget.widget)
    return self
  }
}

/// A child that is never wider than is comfortable to read.
public final class Clamp: Widget {
  /// Makes a clamp of at most so many pixels.
  public init(_ child: Widget, width: Int32 = 600) {
    super.init(sinking: adw_clamp_new())
    adw_clamp_set_maximum_size(opaque, width)
    adw_clamp_set_tightening_threshold(opaque, width * 2 / 3)
    adw_clamp_set_child(opaque, child.widget)
  }
}

/// A child that scrolls up and down where the window is too low for it.
public final class Scrolled: Widget {
  private var growth: Connection?

  /// Makes a scrolled child; it never scrolls sideways.
  public init(_ child: Widget) {
    super.init(sinking: gtk_scrolled_window_new())
    mendScrolling()
    gtk_scrolled_window_set_policy(opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_child(opaque, child.widget)
    expand(vertical: true)
  }

  /// Goes to the end once the content has grown.
  public func scrollToEnd() {
    let adjustment = Object(borrowing: UnsafeMutableRawPointer(gtk_scrolled_window_get_vadjustment(opaque)))
    growth?.disconnect()
    growth = adjustment.on("changed") { [weak self] _ in
      self?.growth?.disconnect()
      self?.growth = nil
      // The view is just being laid out, and would show a new position only the next time.
      MainLoop.wake { [weak self] in self?.position = .greatestFiniteMagnitude }
    }
  }

  /// How far it is scrolled, in pixels.
  public var position: Double {
    get { gtk_adjustment_get_value(gtk_scrolled_window_get_vadjustment(opaque)) }
    set { gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(opaque), newValue) }
  }
}

/// Named pages, one of which is shown.
public final class Stack: Widget {
  /// Makes an empty stack; pages cross-fade where the desktop has animations on.
  public init() {
    super.init(sinking: gtk_stack_new())
    gtk_stack_set_transition_type(opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
    // Pages need not all be as high as the highest: a short page in a low window would be cut off.
    gtk_stack_set_vhomogeneous(opaque, 0)
  }

  /// Adds a page.
  public func add(_ page: Widget, name: String) {
    if let parked = ParkedStack.of(self) { return parked.add(page, name: name) }
    gtk_stack_add_named(opaque, page.widget, name)
  }

  /// Takes a page out.
  public func remove(_ page: Widget) {
    if let parked = ParkedStack.of(self) { return parked.remove(page) }
    gtk_stack_remove(opaque, page.widget)
  }

  /// The page that is shown.
  public var shown: String {
    get { ParkedStack.of(self)?.shown ?? gtk_stack_get_visible_child_name(opaque).map { String(cString: $0) } ?? "" }
    set {
      if let parked = ParkedStack.of(self) { return parked.shown = newValue }
      gtk_stack_set_visible_child_name(opaque, newValue)
    }
  }
}

/// The pages of a window with a switcher above them, or below where the window is narrow.
public final class ViewStack: Widget {
  /// Makes an empty stack.
  public init() { super.init(sinking: adw_view_stack_new()) }

  /// Adds a page with its title and icon.
  public func add(_ page: Widget, name: String, title: String, icon: String) {
    let added = adw_view_stack_add_titled(opaque, page.widget, name, title)
    adw_view_stack_page_set_icon_name(added, icon)
  }

  /// The page that is shown.
  public var shown: String {
    get { adw_view_stack_get_visible_child_name(opaque).map { String(cString: $0) } ?? "" }
    set { adw_view_stack_set_visible_child_name(opaque, newValue) }
  }

  /// The switcher for the header bar, and the bar for the foot of a narrow window, which shows itself when needed.
  public func switchers(title: String) -> (header: Widget, foot: Widget) {
    let header = Widget(sinking: adw_view_switcher_title_new())
    adw_view_switcher_title_set_stack(header.opaque, opaque)
    adw_view_switcher_title_set_title(header.opaque, title)
    let foot = Widget(sinking: adw_view_switcher_bar_new())
    adw_view_switcher_bar_set_stack(foot.opaque, opaque)
    g_object_bind_property(header.raw, "title-visible", foot.raw, "reveal", G_BINDING_SYNC_CREATE)
    return (header, foot)
  }
}

/// A place above which short messages slide in.
public final class ToastOverlay: Widget {
  /// The last message with a button: a newer one takes its place, and does not wait for it to go.
  private var offer: Object?

  /// Makes the place around a child.
  public init(_ child: Widget) {
    super.init(sinking: adw_toast_overlay_new())
    adw_toast_overlay_set_child(opaque, child.widget)
  }

  /// The last message without one.
  private var said: (text: String, toast: Object)?

  /// Shows a message, with a button where one is named; five seconds by itself, ten with a button.
  ///
  /// One without a button comes at once, and the button of an earlier one after it; said again, it is there once.
  public func show(_ message: String, button: String? = nil, _ pressed: (@MainActor () -> Void)? = nil) {
    guard let toast = adw_toast_new("") else { return }
    let shown = Object(owning: UnsafeMutableRawPointer(toast))
    // The title is markup; what the user wrote is not.
    shown.set("title", markup(message))
    if let button, let pressed {
      if let offer { adw_toast_dismiss(offer.opaque) }
      offer = shown
      adw_toast_set_button_label(toast, button)
      adw_toast_set_timeout(toast, 10)
      shown.on("button-clicked") { _ in pressed() }
    } else {
      if let said, said.text == message { adw_toast_dismiss(said.toast.opaque) }
      said = (message, shown)
      adw_toast_set_priority(toast, ADW_TOAST_PRIORITY_HIGH)
    }
    adw_toast_overlay_add_toast(opaque, OpaquePointer(g_object_ref(shown.raw)))
  }
}

/// The text with what markup would take for its own made harmless.
public func markup(_ text: String) -> String {
  guard let escaped = g_markup_escape_text(text, -1) else { return "" }
  defer { g_free(escaped) }
  return String(cString: escaped)
}
