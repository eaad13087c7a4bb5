import CGtk
import GLibKit
import GtkKit

typealias GtkPointer = UnsafeMutablePointer<GtkWidget>

/// A window's or widget's tree, read as GTK has it: no wrapper of ours is asked.
@MainActor
enum Tree {
  /// The widgets below and including the root, in their order, the root first.
  static func all(_ root: GtkPointer) -> [GtkPointer] {
    var found = [root]
    var child = gtk_widget_get_first_child(root)
    while let widget = child {
      found += all(widget)
      child = gtk_widget_get_next_sibling(widget)
    }
    return found
  }

  static func typeName(_ widget: GtkPointer) -> String {
    let instance = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GTypeInstance.self)
    return g_type_name_from_instance(instance).map { String(cString: $0) } ?? ""
  }

  static func find(_ type: String, in root: GtkPointer) -> [GtkPointer] { all(root).filter { typeName($0) == type } }

  static func styled(_ name: String, in root: GtkPointer) -> [GtkPointer] {
    all(root).filter { gtk_widget_has_css_class($0, name) != 0 }
  }

  /// Whether the widget and all around it are to be seen; a window that was never presented counts as shown.
  static func isShown(_ widget: GtkPointer) -> Bool {
    guard let parent = gtk_widget_get_parent(widget) else { return true }
    // A stack hides its other pages in the second way.
    return gtk_widget_get_visible(widget) != 0 && gtk_widget_get_child_visible(widget) != 0 && isShown(parent)
  }

  /// The words of all labels that are to be seen.
  static func words(_ root: GtkPointer) -> [String] {
    find("GtkLabel", in: root).filter(isShown).map { String(cString: gtk_label_get_text(OpaquePointer($0))) }
  }

  /// Every text that hangs in the tree, to be seen or not: what an accessibility client could read.
  static func texts(_ root: GtkPointer) -> [String] {
    find("GtkLabel", in: root).map { String(cString: gtk_label_get_text(OpaquePointer($0))) }
      + find("GtkText", in: root).map { String(cString: gtk_editable_get_text(gk_editable($0))) }
  }

  /// The first button with these words that is shown, mnemonics left out.
  static func button(_ words: String, in root: GtkPointer) -> GtkPointer? {
    all(root).first { widget in
      ["GtkButton", "GtkToggleButton"].contains(typeName(widget)) && Tree.words(widget).contains(words)
    }
  }

  /// Presses the button, as a click does once it has been released; false where there is none.
  @discardableResult
  static func press(_ words: String, in root: GtkPointer) -> Bool {
    guard let button = button(words, in: root) else { return false }
    emit("clicked", of: button)
    return true
  }

  /// Emits a signal that has no arguments.
  static func emit(_ signal: String, of widget: GtkPointer) {
    let type = g_type_from_name(typeName(widget))
    var instance = GValue()
    g_value_init(&instance, type)
    g_value_set_object(&instance, widget)
    defer { g_value_unset(&instance) }
    g_signal_emitv(&instance, g_signal_lookup(signal, type), 0, nil)
  }

  static func isInWindow(_ widget: GtkPointer) -> Bool { gtk_widget_get_root(widget) != nil }
}
