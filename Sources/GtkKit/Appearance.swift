import CGtk
import GLibKit

/// Our style sheet and icons, added to the desktop's own.
@MainActor
public enum Appearance {
  /// Loads the style sheet and adds the folder of icons; call once the display is open.
  public static func load(styleSheet: String?, icons: String?) {
    guard let display = gdk_display_get_default() else { return }
    if let styleSheet {
      let provider = Object(owning: UnsafeMutableRawPointer(gtk_css_provider_new()))
      gtk_css_provider_load_from_path(provider.cast(), styleSheet)
      gtk_style_context_add_provider_for_display(
        display, provider.opaque, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    }
    if let icons { gtk_icon_theme_add_search_path(gtk_icon_theme_get_for_display(display), icons) }
  }

  /// Whether the desktop asks for dark colours now.
  public static var isDark: Bool { adw_style_manager_get_dark(adw_style_manager_get_default()) != 0 }

  /// Runs the body whenever the desktop changes between light and dark; keep what it returns.
  public static func onChange(_ body: @escaping @MainActor () -> Void) -> Connected {
    let manager = Object(borrowing: UnsafeMutableRawPointer(adw_style_manager_get_default()))
    return Connected(manager.onChange(of: "dark", body), of: manager)
  }

  /// Whether the desktop wants things to move.
  public static var isAnimated: Bool {
    guard let settings = gtk_settings_get_default() else { return false }
    return Object(borrowing: UnsafeMutableRawPointer(settings)).bool("gtk-enable-animations")
  }
}

/// A handler on an object that outlives its listener: it is taken off when this is dropped.
@MainActor
public final class Connected {
  private let connection: Connection
  // The connection knows its object weakly.
  private let object: Object

  init(_ connection: Connection, of object: Object) {
    self.connection = connection
    self.object = object
  }

  isolated deinit { connection.disconnect() }
}
