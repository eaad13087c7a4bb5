import CGtk
import GLibKit

/// One line of text to edit.
public final class Entry: Widget {
  /// Makes a field; the words show while it is empty, and name it for a screen reader.
  public init(placeholder: String) {
    super.init(sinking: gtk_entry_new())
    gtk_entry_set_placeholder_text(cast(), placeholder)
    accessibleLabel(placeholder)
  }

  /// The text.
  public var text: String {
    get { String(cString: gtk_editable_get_text(gk_editable(widget))) }
    set { gtk_editable_set_text(gk_editable(widget), newValue) }
  }

  /// Where the cursor stands, in characters.
  public var cursor: Int {
    get { Int(gtk_editable_get_position(gk_editable(widget))) }
    set { gtk_editable_set_position(gk_editable(widget), gint(newValue)) }
  }

  /// Asks for the keyboard, and leaves cursor and selection as they are: GTK would select all of the text, and the next
  /// key would replace it.
  @discardableResult
  public override func grabFocus() -> Bool {
    gtk_widget_get_root(widget) != nil && gtk_entry_grab_focus_without_selecting(cast()) != 0
  }

  /// The most characters it takes.
  @discardableResult
  public func limit(_ characters: Int) -> Self {
    gtk_entry_set_max_length(cast(), gint(characters))
    return self
  }

  /// Runs the body on Enter.
  @discardableResult
  public func onEnter(_ body: @escaping @MainActor () -> Void) -> Self {
    on("activate") { _ in body() }
    return self
  }

  /// Runs the body whenever the text changes.
  @discardableResult
  public func onEdit(_ body: @escaping @MainActor () -> Void) -> Self {
    on("changed") { _ in body() }
    return self
  }

  /// Adds an icon at the end that does something when it is clicked.
  @discardableResult
  public func icon(_ name: String, label: String, _ body: @escaping @MainActor () -> Void) -> Self {
    gtk_entry_set_icon_from_icon_name(cast(), GTK_ENTRY_ICON_SECONDARY, name)
    gtk_entry_set_icon_tooltip_text(cast(), GTK_ENTRY_ICON_SECONDARY, label)
    on("icon-press") { _ in body() }
    return self
  }
}
