import CGtk
import GLibKit

/// A row that a long list uses for one thing after another.
@MainActor
public protocol RecycledRow: AnyObject {
  /// The row as the list shows it.
  var widget: ListRow { get }
}

/// A scrolled list of any length, of which only the rows in view and some around them exist.
///
/// Main thread. A row that leaves the view is taken for one that comes into it; the others are empty room, as high as
/// they are, or would be by the usual height. The row with the keyboard stays, wherever the view goes. GTK's own
/// list view (4.8) keeps two hundred rows, leads Tab through all of them, and names none for a screen reader.
@MainActor
public final class LongList<Row: RecycledRow> {
  /// The list.
  public let widget = ListBox()
  /// The list with its scroll bar.
  public let scrolled: Scrolled
  /// The rows that exist, by their places.
  public internal(set) var rows: [Int: Row] = [:]

  let make: @MainActor () -> Row
  let bind: @MainActor (Row, Int) -> Void
  let release: @MainActor (Row) -> Void
  let adjustment: Object
  var heights = RowHeights(count: 0, usual: 47)
  /// The empty room above and below the rows in view, and between them and a row with the keyboard that lies elsewhere.
  let gaps = (0..<4).map { _ in ListGap() }
  /// Rows that show nothing any more, to be taken for others.
  var spare: [Row] = []
  /// A row that is to stay until it has the keyboard.
  weak var kept: Row?
  /// The row to bring into view when the list has been laid out.
  var wanted: Int?
  /// The width for which heights are known.
  var width = 0
  /// Waits for the view to rest, to make rows around it.
  var resting: Timer?
  var isUpdating = false
  var isWaiting = false
  /// How high all is and how much of it is in view, as of the last update.
  var room: [Double] = []

  /// Makes an empty list.
  ///
  /// `bind` gives a row what it shows at a place, `release` takes from it what must outlive it there.
  public init(
    make: @escaping @MainActor () -> Row, bind: @escaping @MainActor (Row, Int) -> Void,
    release: @escaping @MainActor (Row) -> Void
  ) {
    (self.make, self.bind, self.release) = (make, bind, release)
    scrolled = Scrolled(Clamp(Box(.vertical, [widget]).margin(12, vertical: Int32(longListInset))))
    adjustment = Object(borrowing: UnsafeMutableRawPointer(gtk_scrolled_window_get_vadjustment(scrolled.opaque)))
    // A row that has just come has no place on the screen yet: GTK would take it to lie at the very top.
    gtk_viewport_set_scroll_to_focus(OpaquePointer(gtk_scrolled_window_get_child(scrolled.opaque)), 0)
    widget.sortByOrder()
    adjustment.on("value-changed") { [weak self] _ in self?.moved() }
    adjustment.on("changed") { [weak self] _ in self?.updateSoon() }
    widget.onMap { [weak self] in self?.updateSoon() }
    widget.onKey { [weak self] in self?.key($0) ?? false }
  }

  /// How many rows there would be.
  public var count: Int { heights.count }

  /// Shows so many rows, all of them anew, from the top.
  public func reload(count: Int) {
    heights = RowHeights(count: count, usual: heights.usual)
    for (_, row) in rows.sorted(by: { $0.key < $1.key }) { free(row) }
    rows = [:]
    setValue(0)
    update(Anchor(place: 0, top: 0))
  }

  /// Makes room for a row; what is in view stays where it is, unless the row is.
  public func insert(at place: Int) {
    var anchor = self.anchor
    if place < anchor.place { anchor.place += 1 }
    heights.insert(at: place)
    rows = Dictionary(uniqueKeysWithValues: rows.map { ($0 < place ? $0 : $0 + 1, $1) })
    update(anchor)
  }

  /// Takes a row out.
  public func remove(at place: Int) {
    var anchor = self.anchor
    if place < anchor.place { anchor.place -= 1 }
    heights.remove(at: place)
    if let row = rows.removeValue(forKey: place) { free(row) }
    rows = Dictionary(uniqueKeysWithValues: rows.map { ($0 < place ? $0 : $0 - 1, $1) })
    update(anchor)
  }

  /// The height of a row may be another than it was.
  public func changed(at place: Int) {
    if rows[place] == nil { heights[place] = 0 }
  }

  /// Makes the row at a place, wherever the view is, and keeps it until it has had the keyboard.
  @discardableResult
  public func keep(at place: Int) -> Row? {
    guard (0..<count).contains(place) else { return nil }
    if rows[place] == nil { rows[place] = take(for: place) }
    kept = rows[place]
    update()
    return kept
  }

  /// Gives the keyboard to the row at a place, and brings it into view.
  @discardableResult
  public func focus(_ place: Int) -> Bool {
    reveal(place)
    return keep(at: place)?.widget.grabFocus() ?? false
  }

  /// Brings a row into view, by the shortest way.
  public func reveal(_ place: Int) {
    guard (0..<count).contains(place) else { return }
    guard page > 0 else {
      wanted = place
      return
    }
    // Each step may bring rows that are higher than they were thought to be.
    for _ in 0..<4 {
      let top = place == 0 ? 0 : Double(longListInset + heights.top(of: place))
      let below = place == count - 1 ? longListInset : 0
      let bottom = Double(longListInset + heights.top(of: place) + heights[place] + below)
      if top < value || bottom - top > page {
        go(to: top)
      } else if bottom > value + page {
        go(to: bottom - page)
      } else {
        break
      }
    }
  }

  /// The place of the row that has the keyboard, or a part of it that has.
  public var focusedPlace: Int? {
    guard let root = gtk_widget_get_root(widget.widget) else { return nil }
    var held = gtk_root_get_focus(root)
    while let each = held {
      let parent = gtk_widget_get_parent(each)
      if parent == widget.widget { return rows.first { $0.value.widget.widget == each }?.key }
      held = parent
    }
    return nil
  }
}

/// The space around a long list, in pixels.
let longListInset = 12
