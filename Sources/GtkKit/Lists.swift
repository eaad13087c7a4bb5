import CGtk
import GLibKit

private let orderKey = "app-gates-order"

/// A list of rows, boxed or plain.
public final class ListBox: Widget {
  /// Makes a list; its rows are not selected, only activated.
  public init() {
    super.init(sinking: gtk_list_box_new())
    gtk_list_box_set_selection_mode(opaque, GTK_SELECTION_NONE)
  }

  /// Adds a row at a place; -1 is the end.
  public func insert(_ row: Widget, at place: Int) { gtk_list_box_insert(opaque, row.widget, gint(place)) }

  /// Takes a row out.
  public func remove(_ row: Widget) { gtk_list_box_remove(opaque, row.widget) }

  /// Lets `arrange` say where rows are.
  func sortByOrder() {
    gtk_list_box_set_sort_func(
      opaque, { one, other, _ in gint(clamping: ListBox.order(of: one) - ListBox.order(of: other)) }, nil, nil)
  }

  /// Puts rows into this order; those that are here already never leave the window meanwhile, and keep the keyboard.
  ///
  /// A row that leaves costs more than all else: its styles, and what a screen reader knows of it, are made anew.
  func arrange(_ rows: [ListRow]) {
    for (place, row) in rows.enumerated() {
      g_object_set_data(row.cast(), orderKey, UnsafeMutableRawPointer(bitPattern: place + 1))
    }
    for row in rows where gtk_widget_get_parent(row.widget) == nil { insert(row, at: -1) }
    var before: UnsafeMutablePointer<GtkWidget>?
    var isSorted = true
    // GTK sorts what it lays out; what a screen reader goes through is the order of the widgets.
    for row in rows {
      while !row.isMovable, let there = sibling(after: before), there != row.widget {
        gtk_widget_insert_before(there, widget, nil)
        isSorted = false
      }
      if sibling(after: before) != row.widget {
        gtk_widget_insert_after(row.widget, widget, before)
        isSorted = false
      }
      row.isMovable = false
      before = row.widget
    }
    if !isSorted { gtk_list_box_invalidate_sort(opaque) }
  }

  private func sibling(after row: UnsafeMutablePointer<GtkWidget>?) -> UnsafeMutablePointer<GtkWidget>? {
    if let row { gtk_widget_get_next_sibling(row) } else { gtk_widget_get_first_child(widget) }
  }

  private nonisolated static func order(of row: UnsafeMutablePointer<GtkListBoxRow>?) -> Int {
    guard let row else { return 0 }
    return Int(
      bitPattern: g_object_get_data(UnsafeMutableRawPointer(row).assumingMemoryBound(to: GObject.self), orderKey))
  }
}

/// A row for a list, around a child.
public final class ListRow: Widget {
  /// Whether `arrange` may find it anywhere; the others are in their order already.
  var isMovable = false

  /// Makes a row.
  public init(_ child: Widget) {
    super.init(sinking: gtk_list_box_row_new())
    gtk_list_box_row_set_child(cast(), child.widget)
  }

  private init(raw: UnsafeMutablePointer<GtkWidget>) { super.init(sinking: raw) }

  /// Empty room: no row for the keyboard, the pointer or a screen reader, and nothing to draw.
  static func gap() -> ListRow { ListRow(raw: gk_list_gap_new()) }

  /// Its place in the list.
  public var place: Int { Int(gtk_list_box_row_get_index(cast())) }
}

/// A row with a title, a line below it, and widgets at both ends.
public final class ActionRow: Widget {
  /// Makes a row.
  ///
  /// Title and line are plain text.
  public init(_ title: String, subtitle: String = "") {
    super.init(sinking: adw_action_row_new())
    adw_preferences_row_set_use_markup(cast(), 0)
    adw_preferences_row_set_title(cast(), title)
    adw_action_row_set_subtitle(cast(), subtitle)
    adw_action_row_set_subtitle_lines(cast(), 0)
    adw_action_row_set_title_lines(cast(), 0)
  }

  /// The line below the title.
  public var subtitle: String {
    get { adw_action_row_get_subtitle(cast()).map { String(cString: $0) } ?? "" }
    set { adw_action_row_set_subtitle(cast(), newValue) }
  }

  /// The title.
  public func setTitle(_ title: String) { adw_preferences_row_set_title(cast(), title) }

  /// Adds a widget at the end; the row passes clicks on to it where `activates`.
  @discardableResult
  public func suffix(_ child: Widget, activates: Bool = false) -> Self {
    adw_action_row_add_suffix(cast(), child.widget)
    guard activates else { return self }
    adw_action_row_set_activatable_widget(cast(), child.widget)
    // The row names the child by its title; with the child's own name GTK 4.8 would read the words out twice.
    gtk_accessible_reset_relation(child.opaque, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
    return self
  }

  /// Adds a widget at the start.
  @discardableResult
  public func prefix(_ child: Widget) -> Self {
    adw_action_row_add_prefix(cast(), child.widget)
    return self
  }

  /// Runs the body on a click or Enter, and shows an arrow that says so.
  @discardableResult
  public func onActivate(icon: String = "go-next-symbolic", _ body: @escaping @MainActor () -> Void) -> Self {
    gtk_list_box_row_set_activatable(cast(), 1)
    suffix(Image(icon: icon))
    on("activated") { _ in body() }
    return self
  }
}

/// A row with a choice of one among several words.
public final class ComboRow: Widget {
  private var isApplying = false

  /// Makes a row with its choices.
  public init(_ title: String, subtitle: String = "", choices: [String]) {
    super.init(sinking: adw_combo_row_new())
    adw_preferences_row_set_title(cast(), title)
    adw_action_row_set_subtitle(cast(), subtitle)
    adw_action_row_set_subtitle_lines(cast(), 0)
    let model = Object(owning: UnsafeMutableRawPointer(gtk_string_list_new(nil)))
    for choice in choices { gtk_string_list_append(model.opaque, choice) }
    adw_combo_row_set_model(cast(), model.opaque)
  }

  /// The place of the choice.
  ///
  /// Setting it does not call `onChoose`.
  public var chosen: Int {
    get { Int(adw_combo_row_get_selected(cast())) }
    set {
      isApplying = true
      adw_combo_row_set_selected(cast(), guint(newValue))
      isApplying = false
    }
  }

  /// Runs the body with the place of what the user chooses.
  @discardableResult
  public func onChoose(_ body: @escaping @MainActor (Int) -> Void) -> Self {
    onChange(of: "selected") { [weak self] in
      guard let self, !self.isApplying else { return }
      body(self.chosen)
    }
    return self
  }
}

/// A titled group of rows.
public final class Group: Widget {
  /// Makes a group.
  public init(_ title: String = "", about: String = "", _ rows: [Widget] = []) {
    super.init(sinking: adw_preferences_group_new())
    adw_preferences_group_set_title(cast(), markup(title))
    adw_preferences_group_set_description(cast(), markup(about))
    for row in rows { adw_preferences_group_add(cast(), row.widget) }
  }

  /// Adds a row.
  public func add(_ row: Widget) { adw_preferences_group_add(cast(), row.widget) }

  /// Takes a row out.
  public func remove(_ row: Widget) { adw_preferences_group_remove(cast(), row.widget) }
}

/// A page of groups, clamped and scrolled.
public final class GroupsPage: Widget {
  /// Makes a page.
  public init(_ groups: [Group]) {
    super.init(sinking: adw_preferences_page_new())
    mendScrolling()
    for group in groups { adw_preferences_page_add(cast(), group.cast()) }
  }

  /// Adds a group at the end.
  public func add(_ group: Group) { adw_preferences_page_add(cast(), group.cast()) }
}
