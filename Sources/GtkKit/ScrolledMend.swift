import CGtk
import GLibKit
import GLibShim

extension Widget {
  /// Takes the scrolled windows in this tree off GTK's settings whenever they leave their window.
  ///
  /// GTK 4.8 connects each to its settings as it is realized, and looks for another handler than that one as it is
  /// unrealized: it stays, some bytes at each lock, and runs with freed memory when the setting changes.
  func mendScrolling() {
    if gs_is_a(raw, "GtkScrolledWindow") != 0 {
      on("unrealize") { arguments in
        guard let scrolled = arguments.object(0), let settings = gtk_settings_get_default() else { return }
        g_signal_handlers_disconnect_matched(
          UnsafeMutableRawPointer(settings), G_SIGNAL_MATCH_DATA, 0, 0, nil, nil, scrolled)
      }
    }
    var child = gtk_widget_get_first_child(widget)
    while let each = child {
      Widget(borrowing: each).mendScrolling()
      child = gtk_widget_get_next_sibling(each)
    }
  }
}
