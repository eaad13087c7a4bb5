import CGtk
import GLibKit

/// Which rows exist, and where.
extension LongList {
  /// The topmost row in view, and where it begins: what keeps its place on the screen when rows above it change.
  struct Anchor {
    var place: Int
    var top: Int
  }

  var anchor: Anchor {
    let place = heights.place(at: Int(value) - longListInset)
    return Anchor(place: place, top: heights.top(of: place))
  }

  /// How far it is scrolled, in pixels.
  var value: Double { gtk_adjustment_get_value(adjustment.cast()) }

  /// How much is in view, in pixels; zero before the list has been laid out.
  var page: Double { gtk_adjustment_get_page_size(adjustment.cast()) }

  private var currentRoom: [Double] { [gtk_adjustment_get_upper(adjustment.cast()), page] }

  /// Scrolls, and makes the rows that come into view.
  func go(to position: Double) {
    guard position != value else { return }
    setValue(position)
    update()
  }

  func setValue(_ position: Double) {
    let wasUpdating = isUpdating
    isUpdating = true
    // The layout has not seen yet what was put in.
    if position + page > currentRoom[0] { gtk_adjustment_set_upper(adjustment.cast(), position + page) }
    gtk_adjustment_set_value(adjustment.cast(), position)
    isUpdating = wasUpdating
  }

  /// The view was scrolled, by the user or by a layout.
  func moved() {
    guard !isUpdating else { return }
    // Where the room is another too, GTK is laying out right now, and no row may come or go.
    if room == currentRoom { update() } else { updateSoon() }
  }

  /// Looks again as soon as GTK is done with what it is doing.
  func updateSoon() {
    guard !isUpdating, !isWaiting else { return }
    isWaiting = true
    MainLoop.wake { [weak self] in
      guard let self else { return }
      self.isWaiting = false
      // Out of the window nobody has the keyboard, and the row that had it is to be there at the return.
      guard gtk_widget_get_root(self.widget.widget) != nil else { return }
      self.update()
      guard let wanted = self.wanted, self.page > 0 else { return }
      self.wanted = nil
      self.reveal(wanted)
    }
  }

  /// Makes the rows that are in view, with the anchor where it was on the screen; some of those around them too where
  /// there is time.
  func update(_ given: Anchor? = nil, hasTime: Bool = false) {
    var anchor = given ?? self.anchor
    isUpdating = true
    followWidth()
    var seen = span(more: 1)
    // Each time the rows that came may be higher than they were thought to be.
    for _ in 0..<4 {
      fill(seen, more: hasTime ? 2 : 0)
      measure()
      let top = heights.top(of: anchor.place)
      if top != anchor.top { setValue(value + Double(top - anchor.top)) }
      anchor.top = top
      let next = span(more: 1)
      if next == seen { break }
      seen = next
    }
    for row in spare where gtk_widget_get_parent(row.widget.widget) != nil { widget.remove(row.widget) }
    spare = []
    isUpdating = false
    room = currentRoom
    // While the view moves, time goes to what is seen.
    let isWhole = around.allSatisfy { rows[$0] != nil }
    resting = isWhole ? nil : MainLoop.after(60) { [weak self] in self?.growAtRest() }
  }

  private func growAtRest() {
    resting = nil
    if gtk_widget_get_root(widget.widget) != nil { update(hasTime: true) }
  }

  /// The places in view, with so many above and below.
  private func span(more: Int) -> Range<Int> {
    guard page > 0 else { return 0..<min(count, 20) }
    let first = heights.place(at: Int(value) - longListInset)
    let last = heights.place(at: Int(value + page) - longListInset)
    return min(count, max(0, first - more))..<min(count, last + 1 + more)
  }

  /// The places whose rows are there once the view rests: what a key or a step of the wheel brings.
  private var around: Range<Int> { span(more: 10) }

  private func followWidth() {
    let now = Int(gtk_widget_get_width(widget.widget))
    guard now > 0, now != width, !rows.isEmpty else { return }
    width = now
    let measured = rows.values.map { height(of: $0) }
    heights.forget(usual: measured.reduce(0, +) / measured.count)
  }

  private func measure() {
    guard width > 0 else { return }
    for (place, row) in rows { heights[place] = height(of: row) }
  }

  private func height(of row: Row) -> Int {
    var least: gint = 0
    gtk_widget_measure(row.widget.widget, GTK_ORIENTATION_VERTICAL, gint(width), &least, nil, nil, nil)
    return Int(least)
  }

  private func fill(_ seen: Range<Int>, more: Int) {
    let focused = focusedPlace
    if let focused, rows[focused] === kept { kept = nil }
    let pinned = rows.first { $0.value === kept }?.key ?? focused
    let shown = reach(from: seen, more: more)
    for place in rows.keys.sorted() where !shown.contains(place) && place != pinned {
      if let row = rows.removeValue(forKey: place) { free(row) }
    }
    for place in shown where rows[place] == nil { rows[place] = take(for: place) }
    arrange(shown, pinned: pinned.flatMap { shown.contains($0) ? nil : $0 })
  }

  /// What is seen, with the rows around that are there without a gap, and some more.
  private func reach(from seen: Range<Int>, more: Int) -> Range<Int> {
    let most = around
    var (lower, upper) = (seen.lowerBound, seen.upperBound)
    while lower > most.lowerBound, rows[lower - 1] != nil { lower -= 1 }
    while upper < most.upperBound, rows[upper] != nil { upper += 1 }
    return min(lower, max(most.lowerBound, lower - more))..<max(upper, min(most.upperBound, upper + more))
  }

  func free(_ row: Row) {
    release(row)
    // What was to stay is gone; the row comes back as another.
    if row === kept { kept = nil }
    spare.append(row)
  }

  func take(for place: Int) -> Row {
    // In their order: where all rows change, each gives way to one at its own place, and none moves.
    let row = spare.isEmpty ? makeRow() : spare.removeFirst()
    row.widget.isMovable = true
    bind(row, place)
    return row
  }

  private func makeRow() -> Row {
    let row = make()
    row.widget.onFocus { [weak self, weak row] in
      guard let self, let place = self.rows.first(where: { $0.value === row })?.key else { return }
      self.reveal(place)
    }
    return row
  }

  private func arrange(_ shown: Range<Int>, pinned: Int?) {
    let isAbove = pinned.map { $0 < shown.lowerBound } ?? false
    let above = isAbove ? pinned : nil
    let below = isAbove ? nil : pinned
    let row = { (place: Int?) in place.flatMap { self.rows[$0]?.widget } }
    let order =
      [gaps[0].row, row(above), gaps[1].row] + shown.map { row($0) } + [gaps[2].row, row(below), gaps[3].row]
    for gap in gaps { gap.row.isMovable = true }
    widget.arrange(order.compactMap { $0 })
    gaps[0].height = heights.top(of: above ?? shown.lowerBound)
    gaps[1].height = above.map { heights.height(of: $0 + 1..<shown.lowerBound) } ?? 0
    gaps[2].height = heights.height(of: shown.upperBound..<(below ?? count))
    gaps[3].height = below.map { heights.height(of: $0 + 1..<count) } ?? 0
  }
}

/// Empty room in a list, of a height.
@MainActor
final class ListGap {
  let row = ListRow.gap()

  var height = 0 {
    didSet {
      guard height != oldValue else { return }
      row.isVisible = height > 0
      row.size(height: Int32(clamping: height))
    }
  }
}
