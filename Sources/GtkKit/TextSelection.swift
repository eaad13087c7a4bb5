import CGtk

/// The cursor and selection of a text field or area, to be put back after it was out of the window.
///
/// A text that leaves the window gives up the desktop's selection, and GTK then unselects it.
@MainActor
struct TextSelection {
  private let restore: () -> Void

  /// Reads the selection; nothing where the widget is no text or nothing is selected.
  init?(of widget: Widget) {
    if gk_is_text(widget.widget) != 0 {
      let editable = gk_editable(widget.widget)
      var start: gint = 0
      var end: gint = 0
      guard gtk_editable_get_selection_bounds(editable, &start, &end) != 0 else { return nil }
      let cursor = gtk_editable_get_position(editable)
      let anchor = cursor == start ? end : start
      restore = { gtk_editable_select_region(editable, anchor, cursor) }
    } else if gk_is_text_view(widget.widget) != 0 {
      let buffer = gtk_text_view_get_buffer(widget.cast())
      guard gtk_text_buffer_get_has_selection(buffer) != 0 else { return nil }
      let cursor = TextSelection.place(of: gtk_text_buffer_get_insert(buffer), in: buffer)
      let anchor = TextSelection.place(of: gtk_text_buffer_get_selection_bound(buffer), in: buffer)
      restore = {
        var (insert, bound) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_iter_at_offset(buffer, &insert, cursor)
        gtk_text_buffer_get_iter_at_offset(buffer, &bound, anchor)
        gtk_text_buffer_select_range(buffer, &insert, &bound)
      }
    } else {
      return nil
    }
  }

  /// Selects the same again; the widget that it was read from must be alive.
  func putBack() { restore() }

  private static func place(
    of mark: UnsafeMutablePointer<GtkTextMark>?, in buffer: UnsafeMutablePointer<GtkTextBuffer>?
  ) -> gint {
    var place = GtkTextIter()
    gtk_text_buffer_get_iter_at_mark(buffer, &place, mark)
    return gtk_text_iter_get_offset(&place)
  }
}
