import CGtk

/// The toolkit itself.
public enum Toolkit {
  /// The version of GTK that the program runs with, such as `4.8.3`.
  public static var version: String {
    "\(gtk_get_major_version()).\(gtk_get_minor_version()).\(gtk_get_micro_version())"
  }

  /// What the program draws on, such as `Wayland` or `X11`; empty without a display.
  public static var display: String {
    guard let display = gdk_display_get_default() else { return "" }
    let name = String(
      cString: g_type_name_from_instance(UnsafeMutableRawPointer(display).assumingMemoryBound(to: GTypeInstance.self)))
    return name.hasPrefix("Gdk") && name.hasSuffix("Display") ? String(name.dropFirst(3).dropLast(7)) : name
  }

  /// The versions of libadwaita and GLib that it runs with.
  public static var libraries: (adwaita: String, glib: String) {
    (
      "\(adw_get_major_version()).\(adw_get_minor_version()).\(adw_get_micro_version())",
      "\(glib_major_version).\(glib_minor_version).\(glib_micro_version)"
    )
  }
}
