import CGtk
import GLibKit

/// Words on the screen, wrapped where the room is narrow.
public final class Label: Widget {
  /// Makes a label; plain text unless `isMarkup`.
  public init(_ text: String = "", isMarkup: Bool = false) {
    super.init(sinking: gtk_label_new(nil))
    gtk_label_set_wrap(opaque, 1)
    gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
    gtk_label_set_natural_wrap_mode(opaque, GTK_NATURAL_WRAP_NONE)
    if isMarkup { gtk_label_set_markup(opaque, text) } else { gtk_label_set_text(opaque, text) }
  }

  /// A label that a screen reader speaks whenever it changes: errors, states.
  ///
  /// GTK 4.8 has no other way to announce.
  public static func alert() -> Label {
    Label(raw: gk_alert_label_new())
  }

  /// A heading, which screen readers can jump to; level 1 is a page's title.
  public static func heading(_ text: String, level: Int) -> Label {
    let label = Label(raw: gk_heading_label_new(gint(level)))
    gtk_label_set_text(label.opaque, text)
    gtk_label_set_justify(label.opaque, GTK_JUSTIFY_LEFT)
    return label
  }

  private init(raw: UnsafeMutablePointer<GtkWidget>) {
    super.init(sinking: raw)
    gtk_label_set_wrap(opaque, 1)
    gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
    gtk_label_set_justify(opaque, GTK_JUSTIFY_CENTER)
  }

  /// The words.
  public var text: String {
    get { String(cString: gtk_label_get_text(opaque)) }
    set { gtk_label_set_text(opaque, newValue) }
  }

  /// Words lie at the start of the line, in the language's own direction.
  @discardableResult
  public func leading() -> Self {
    gtk_label_set_xalign(opaque, 0)
    return self
  }

  /// Never narrower than so many characters of usual width: GTK need not find out how narrow the words can be made.
  @discardableResult
  public func least(characters: Int) -> Self {
    gtk_label_set_width_chars(opaque, gint(characters))
    return self
  }

  /// Lines are centred.
  @discardableResult
  public func centered() -> Self {
    gtk_label_set_justify(opaque, GTK_JUSTIFY_CENTER)
    return self
  }

  /// The words can be selected and copied.
  @discardableResult
  public func selectable() -> Self {
    gtk_label_set_selectable(opaque, 1)
    return self
  }

  /// Nothing is added to the words: no hyphen where a line is broken within a word.
  @discardableResult
  public func verbatim() -> Self {
    let attributes = pango_attr_list_new()
    pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
    gtk_label_set_attributes(opaque, attributes)
    pango_attr_list_unref(attributes)
    return self
  }

  /// One line, with an ellipsis at its end where the room is too narrow.
  @discardableResult
  public func oneLine() -> Self {
    gtk_label_set_wrap(opaque, 0)
    gtk_label_set_ellipsize(opaque, PANGO_ELLIPSIZE_END)
    return self
  }

  /// Runs the body when a link is clicked; nothing is opened by GTK itself.
  public func onLink(_ body: @escaping @MainActor (String) -> Void) {
    on("activate-link") { arguments in
      if let address = arguments.string(1) { body(address) }
      arguments.answer(true)
    }
  }
}

/// An icon by its name in the theme.
public final class Image: Widget {
  /// Makes an icon of so many pixels, or of the theme's own size.
  public init(icon: String, pixels: Int32? = nil) {
    super.init(sinking: gtk_image_new_from_icon_name(icon))
    if let pixels { gtk_image_set_pixel_size(opaque, pixels) }
    // An icon beside words says nothing that the words do not.
    gk_accessible_presentation(widget)
  }
}

/// A drawing from a file, as large as there is room.
public final class Picture: Widget {
  /// Makes a picture; an absent file leaves an empty place.
  public init(path: String?) {
    super.init(sinking: gtk_picture_new_for_filename(path))
    gtk_picture_set_can_shrink(opaque, 1)
    gk_accessible_presentation(widget)
  }

  /// The file that is drawn.
  public func setPath(_ path: String?) { gtk_picture_set_filename(opaque, path) }
}

/// Several lines of text to edit.
public final class TextArea: Widget {
  /// Makes an area with the words that a screen reader says for it.
  public init(label: String) {
    super.init(sinking: gtk_text_view_new())
    gtk_text_view_set_wrap_mode(cast(), GTK_WRAP_WORD_CHAR)
    gtk_text_view_set_accepts_tab(cast(), 0)
    accessibleLabel(label)
    for set in [gtk_text_view_set_top_margin, gtk_text_view_set_bottom_margin] { set(cast(), 9) }
    for set in [gtk_text_view_set_left_margin, gtk_text_view_set_right_margin] { set(cast(), 9) }
  }

  /// The text.
  public var text: String {
    get {
      let buffer = gtk_text_view_get_buffer(cast())
      var start = GtkTextIter()
      var end = GtkTextIter()
      gtk_text_buffer_get_bounds(buffer, &start, &end)
      guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 0) else { return "" }
      defer { g_free(text) }
      return String(cString: text)
    }
    set { gtk_text_buffer_set_text(gtk_text_view_get_buffer(cast()), newValue, -1) }
  }

  /// Runs the body whenever the text changes.
  public func onEdit(_ body: @escaping @MainActor () -> Void) {
    Object(borrowing: UnsafeMutableRawPointer(gtk_text_view_get_buffer(cast()))).on("changed") { _ in body() }
  }
}
