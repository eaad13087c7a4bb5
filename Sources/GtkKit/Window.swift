import CGtk
import GLibKit

/// The app's window: one child, its own header bars within it.
public final class Window: Widget {
  /// Makes a window for the application, not yet shown.
  public init(_ application: Application, title: String) {
    super.init(sinking: adw_application_window_new(application.cast()))
    gtk_window_set_title(cast(), title)
    gtk_widget_set_size_request(widget, 360, 294)
    gtk_window_set_default_size(cast(), 760, 640)
    closeInspector()
  }

  /// What it shows.
  public var content: Widget? {
    didSet { adw_application_window_set_content(cast(), content?.widget) }
  }

  /// The title that window lists and task switchers show.
  public var title: String {
    get { gtk_window_get_title(cast()).map { String(cString: $0) } ?? "" }
    set { if newValue != title { gtk_window_set_title(cast(), newValue) } }
  }

  /// Shows it, or brings it to the front.
  public func present() { gtk_window_present(cast()) }

  /// Asks it to close, as its close button does.
  public func close() { gtk_window_close(cast()) }

  /// Takes it away.
  ///
  /// A window that is only dropped stays on the screen: GTK keeps it.
  public func destroy() { gtk_window_destroy(cast()) }

  /// The size it has, or will have when it is shown next; `isMaximized` with it.
  public var size: (width: Int, height: Int) {
    get {
      var width: gint = 0
      var height: gint = 0
      gtk_window_get_default_size(cast(), &width, &height)
      return (Int(width), Int(height))
    }
    set { gtk_window_set_default_size(cast(), gint(newValue.width), gint(newValue.height)) }
  }

  /// The widget that has the keyboard.
  var focus: UnsafeMutablePointer<GtkWidget>? { gtk_window_get_focus(cast()) }
}
