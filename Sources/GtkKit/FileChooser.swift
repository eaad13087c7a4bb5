import CGtk
import GLibKit

/// The desktop's own dialog for a file's place.
@MainActor
public enum FileChooser {
  /// Asks where to save; the body has the path, or nothing where the user thought better of it.
  public static func save(
    over parent: Window?, title: String, name: String, _ body: @escaping @MainActor (String?) -> Void
  ) {
    let dialog = make(GTK_FILE_CHOOSER_ACTION_SAVE, over: parent, title)
    gtk_file_chooser_set_current_name(dialog.opaque, name)
    ask(dialog, body)
  }

  /// Asks for a file that is there; the body has its path, or nothing where the user thought better of it.
  public static func open(over parent: Window?, title: String, _ body: @escaping @MainActor (String?) -> Void) {
    ask(make(GTK_FILE_CHOOSER_ACTION_OPEN, over: parent, title), body)
  }

  private static func make(_ action: GtkFileChooserAction, over parent: Window?, _ title: String) -> Object {
    Object(owning: UnsafeMutableRawPointer(gtk_file_chooser_native_new(title, parent?.cast(), action, nil, nil)))
  }

  private static func ask(_ dialog: Object, _ body: @escaping @MainActor (String?) -> Void) {
    // The closure keeps the dialog until it has answered: GTK itself does not.
    var kept: Object? = dialog
    dialog.on("response") { arguments in
      defer { kept = nil }
      guard let dialog = kept, arguments.int(1) == Int(GTK_RESPONSE_ACCEPT.rawValue),
        let file = gtk_file_chooser_get_file(dialog.opaque)
      else { return body(nil) }
      let chosen = Object(owning: UnsafeMutableRawPointer(file))
      guard let path = g_file_get_path(chosen.opaque) else { return body(nil) }
      defer { g_free(path) }
      body(String(cString: path))
    }
    gtk_native_dialog_show(dialog.cast())
  }
}
