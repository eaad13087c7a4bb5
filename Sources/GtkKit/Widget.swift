import CGtk
import GLibKit

/// A GTK widget.
///
/// The methods that return `Self` set something and hand the widget on, so that a screen reads as one expression.
/// Main thread only, like everything in this module.
@MainActor
open class Widget: Object {
  /// The widget as GTK's own functions take it.
  public var widget: UnsafeMutablePointer<GtkWidget> { cast() }

  /// How many widgets made through this module are still alive; counted while `isCounting` is on.
  public private(set) static var alive = 0
  /// Counting costs a weak reference each, so only tests that look for leaks turn it on.
  public static var isCounting = false

  /// Takes a new widget.
  public override init(sinking pointer: UnsafeMutableRawPointer) {
    super.init(sinking: pointer)
    guard Widget.isCounting else { return }
    Widget.alive += 1
    g_object_weak_ref(cast(), { _, _ in MainActor.assumeIsolated { Widget.alive -= 1 } }, nil)
  }

  /// Takes a widget that belongs to someone else.
  public override init(borrowing pointer: UnsafeMutableRawPointer) { super.init(borrowing: pointer) }

  /// Whether it is to be shown at all.
  public var isVisible: Bool {
    get { gtk_widget_get_visible(widget) != 0 }
    set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
  }

  /// Whether it is on the screen now, as far as its own window goes.
  public var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

  /// Runs the body each time that the widget comes on the screen.
  public func onMap(_ body: @escaping @MainActor () -> Void) { on("map") { _ in body() } }

  /// Whether it answers to the user.
  public var isSensitive: Bool {
    get { gtk_widget_get_sensitive(widget) != 0 }
    set { gtk_widget_set_sensitive(widget, newValue ? 1 : 0) }
  }

  /// Adds style classes, GTK's or those of `style.css`.
  @discardableResult
  public func style(_ classes: String...) -> Self {
    for name in classes { gtk_widget_add_css_class(widget, name) }
    return self
  }

  /// Adds a style class or takes it away.
  public func setStyle(_ name: String, _ isOn: Bool) {
    if isOn { gtk_widget_add_css_class(widget, name) } else { gtk_widget_remove_css_class(widget, name) }
  }

  /// Where it lies in the space it is given; `nil` leaves a direction as it is.
  @discardableResult
  public func align(horizontal: Align? = nil, vertical: Align? = nil) -> Self {
    if let horizontal { gtk_widget_set_halign(widget, horizontal.raw) }
    if let vertical { gtk_widget_set_valign(widget, vertical.raw) }
    return self
  }

  /// Whether it takes the space that is left over.
  @discardableResult
  public func expand(horizontal: Bool? = nil, vertical: Bool? = nil) -> Self {
    if let horizontal { gtk_widget_set_hexpand(widget, horizontal ? 1 : 0) }
    if let vertical { gtk_widget_set_vexpand(widget, vertical ? 1 : 0) }
    return self
  }

  /// The space around it, in pixels: one value for all sides, or one for the sides and one for top and bottom.
  @discardableResult
  public func margin(_ sides: Int32, vertical: Int32? = nil) -> Self {
    gtk_widget_set_margin_start(widget, sides)
    gtk_widget_set_margin_end(widget, sides)
    gtk_widget_set_margin_top(widget, vertical ?? sides)
    gtk_widget_set_margin_bottom(widget, vertical ?? sides)
    return self
  }

  /// The least size, in pixels; -1 leaves a direction to the widget.
  @discardableResult
  public func size(width: Int32 = -1, height: Int32 = -1) -> Self {
    gtk_widget_set_size_request(widget, width, height)
    return self
  }

  /// The words shown when the pointer rests on it; a screen reader has them as description.
  @discardableResult
  public func tooltip(_ words: String) -> Self {
    gtk_widget_set_tooltip_text(widget, words)
    return self
  }

  /// The name that a screen reader says.
  @discardableResult
  public func accessibleLabel(_ words: String) -> Self {
    gk_accessible_label(widget, words)
    return self
  }

  /// Names the widget by another one's text, as a label names its field.
  @discardableResult
  public func accessibleLabel(by other: Widget) -> Self {
    gk_accessible_labelled_by(widget, other.widget)
    return self
  }

  /// Asks for the keyboard.
  ///
  /// A text field keeps its cursor and selection as they are.
  @discardableResult
  public func grabFocus() -> Bool {
    guard gtk_widget_get_root(widget) != nil else { return false }
    if gk_is_text(widget) != 0 { return gtk_text_grab_focus_without_selecting(cast()) != 0 }
    return gtk_widget_grab_focus(widget) != 0
  }

  /// Whether it, or a part of it, has the keyboard.
  public var isFocused: Bool {
    guard let root = gtk_widget_get_root(widget), let held = gtk_root_get_focus(root) else { return false }
    return contains(held)
  }

  /// Whether the other widget is this one or lies within it.
  public func contains(_ other: UnsafeMutablePointer<GtkWidget>) -> Bool {
    other == widget || gtk_widget_is_ancestor(other, widget) != 0
  }

  /// Keeps GTK's inspector shut in a window: it shows the whole app, with what a gate has put out of sight.
  func closeInspector() {
    on("enable-debugging") { arguments in
      // GTK's own handler, which opens it, comes after ours whatever ours answers.
      if let raw = arguments.object(0) { g_signal_stop_emission_by_name(raw, "enable-debugging") }
      arguments.answer(true)
    }
  }

  /// Lays it out in the direction of these words, whatever the desktop's language: a text that is not translated.
  @discardableResult
  public func direction(of words: String) -> Self {
    let layout = gtk_widget_create_pango_layout(widget, words)
    defer { g_object_unref(layout.map(UnsafeMutableRawPointer.init)) }
    switch pango_layout_get_direction(layout, 0) {
    case PANGO_DIRECTION_LTR: gtk_widget_set_direction(widget, GTK_TEXT_DIR_LTR)
    case PANGO_DIRECTION_RTL: gtk_widget_set_direction(widget, GTK_TEXT_DIR_RTL)
    default: break
    }
    return self
  }

  /// Whether the language is written from right to left.
  public var isRightToLeft: Bool { gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL }
}

/// Where a widget lies in the space it is given.
public enum Align {
  case fill, start, end, center, baseline

  var raw: GtkAlign {
    switch self {
    case .fill: GTK_ALIGN_FILL
    case .start: GTK_ALIGN_START
    case .end: GTK_ALIGN_END
    case .center: GTK_ALIGN_CENTER
    case .baseline: GTK_ALIGN_BASELINE
    }
  }
}

/// Which way children follow each other.
public enum Axis {
  case horizontal, vertical
  var raw: GtkOrientation { self == .horizontal ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL }
}
