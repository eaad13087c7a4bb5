import CGtk

/// The toolkit itself.
public enum Toolkit {
  /// The version of GTK that the program runs with, such as `4.8.3`.
  public static var version: String {
    "\(gtk_get_major_version()).\(gtk_get_minor_version()).\(gtk_get_micro_version())"
  }
}
