import CGtk
import GLibKit
import GtkKit

/// A list of which only the rows in view exist.
@MainActor
let longListTests = Suite(
  "LongList",
  [
    Test("heights add up, whatever is put in and taken out", heightsAddUp),
    Test("the rows in view are there wherever the view goes, and few others", inView),
    Test("what is put in and taken out above the view moves nothing in it", staysInPlace),
    Test("a thousand random changes leave the list as it should be", randomChanges),
    Test("the row with the keyboard stays while the view is elsewhere", keepsKeyboard),
    Test("the view and the keyboard survive parking", survivesParking),
    Test("another width keeps the topmost row where it is", otherWidth),
    Test("a row far below can be had before the list is on the screen", keptBefore),
    Test("a row that was kept and is gone keeps no other in its place", keepsNoOther),
    Test("leaves nothing behind", leavesNothing),
  ])

/// A row that shows a line, or several.
@MainActor
private final class LineRow: RecycledRow {
  let label = Label().leading()
  let widget: ListRow
  init() { widget = ListRow(label) }
}

/// A long list in a window, and the lines that it should show.
@MainActor
private final class Rig {
  let window = Window(Stage.application, title: "Long list")
  private(set) var lines: [String]
  private(set) var made = 0
  private(set) lazy var list = LongList<LineRow>(
    make: { [unowned self] in
      made += 1
      return LineRow()
    },
    bind: { [unowned self] row, place in row.label.text = lines[place] },
    release: { $0.label.text = "nothing" })
  lazy var slot = Slot { [unowned self] in Mount(list.scrolled) }

  init(_ count: Int) {
    // Every seventh is three lines high, every hundredth ten.
    lines = (0..<count).map {
      "Line \($0)" + String(repeating: "\nmore", count: $0 % 100 == 9 ? 9 : $0 % 7 == 3 ? 2 : 0)
    }
    gtk_window_set_default_size(window.cast(), 400, 500)
    list.reload(count: count)
  }

  func show() {
    window.content = slot.widget
    slot.open()
    window.present()
    settle("the list on the screen")
  }

  func insert(_ line: String, at place: Int) {
    lines.insert(line, at: place)
    list.insert(at: place)
  }

  func remove(at place: Int) {
    lines.remove(at: place)
    list.remove(at: place)
  }

  var page: Int { Int(gtk_widget_get_height(list.scrolled.widget)) }

  /// Where a row begins and ends, seen from the top of the view.
  func bounds(_ place: Int) -> (top: Int, bottom: Int)? {
    guard let row = list.rows[place] else { return nil }
    var found = graphene_rect_t()
    guard gtk_widget_compute_bounds(row.widget.widget, list.scrolled.widget, &found) != 0 else { return nil }
    let top = Int(found.origin.y.rounded())
    return (top, top + Int(found.size.height.rounded()))
  }

  /// What is wrong with what is in view; nothing where it is as it should be.
  var fault: String? {
    for (place, row) in list.rows where row.label.text != lines[place] { return "row \(place) shows \(row.label.text)" }
    let view = list.rows.keys.sorted().compactMap { place in bounds(place).map { (place, $0.top, $0.bottom) } }
      .filter { $0.2 > 0 && $0.1 < page }
    guard let first = view.first, let last = view.last else { return lines.isEmpty ? nil : "nothing in view" }
    for (one, next) in zip(view, view.dropFirst()) {
      if next.0 != one.0 + 1 || next.1 != one.2 { return "\(one) is followed by \(next)" }
    }
    if first.1 > 0, first.0 != 0 { return "empty room above \(first)" }
    if last.2 < page, last.0 != lines.count - 1 { return "empty room below \(last)" }
    return nil
  }

  func settle(_ what: String, line: UInt = #line) {
    guard !MainLoop.run(atMost: 3000, until: { page > 0 && fault == nil }) else { return }
    expect(fault ?? "nothing on the screen", is: "", what, line: line)
  }

  func end() {
    slot.close()
    window.content = nil
    window.destroy()
    Stage.drain()
  }
}

@MainActor
private func withRig(_ count: Int, _ body: (Rig) -> Void) {
  let rig = Rig(count)
  rig.show()
  body(rig)
  rig.end()
}

/// The same numbers at each run.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) | (state << 31)
  }
}

@MainActor
private func heightsAddUp() {
  var numbers = Numbers(state: 7)
  var heights = RowHeights(count: 30, usual: 40)
  var model = [Int](repeating: 40, count: 30)
  for _ in 0..<500 {
    let place = Int.random(in: 0..<max(1, model.count), using: &numbers)
    switch Int.random(in: 0..<4, using: &numbers) {
    case 0:
      heights.insert(at: place)
      model.insert(40, at: place)
    case 1 where model.count > 1:
      heights.remove(at: place)
      model.remove(at: place)
    default:
      model[place] = Int.random(in: 1...90, using: &numbers)
      heights[place] = model[place]
    }
    let tops = (0...model.count).map { model[..<$0].reduce(0, +) }
    guard (0...model.count).map({ heights.top(of: $0) }) == tops, heights.total == tops.last else {
      expect("\(heights)", is: "\(model)", "the heights")
      return
    }
    for y in stride(from: -10, to: heights.total + 20, by: 17) {
      let place = model.indices.last { tops[$0] <= y } ?? 0
      guard heights.place(at: y) != place else { continue }
      expect(heights.place(at: y), is: place, "the row at \(y)")
      return
    }
  }
}

@MainActor
private func inView() {
  withRig(10_000) { rig in
    var numbers = Numbers(state: 3)
    var most = 0
    let end = gtk_adjustment_get_upper(gtk_scrolled_window_get_vadjustment(rig.list.scrolled.opaque))
    expect(end > 200_000, "room for ten thousand rows, not \(end)")
    for step in 0..<200 {
      let far = step % 3 == 0
      rig.list.scrolled.position =
        far
        ? Double.random(in: 0..<end, using: &numbers)
        : rig.list.scrolled.position + Double.random(in: -300...300, using: &numbers)
      rig.settle("the rows at \(rig.list.scrolled.position)")
      most = max(most, rig.list.rows.count)
    }
    rig.list.scrolled.position = .greatestFiniteMagnitude
    Stage.until("the last row at the end") { (rig.bounds(9_999)?.bottom ?? .max) <= rig.page }
    expect(most < 90, "few rows, not \(most)")
    expect(rig.made < 120, "rows taken again, not \(rig.made) made")
    expect(Tree.find("GtkListBoxRow", in: rig.list.widget.widget).count < 100, "few rows in the window")
  }
}

@MainActor
private func staysInPlace() {
  withRig(1_000) { rig in
    rig.list.reveal(500)
    rig.settle("the middle")
    guard let before = need(rig.bounds(495), "a row in view")?.top else { return }
    rig.insert("New\nin\nthree lines", at: 3)
    rig.insert("New", at: 480)
    rig.remove(at: 100)
    rig.settle("the middle, a row further down")
    Stage.until("the row where it was") { rig.bounds(496)?.top == before }
    rig.remove(at: 496)
    rig.settle("the middle without that row")
    expect(rig.lines[496], is: "Line 496", "the model")
    Stage.until("the next one in its place") { rig.bounds(496)?.top == before }

    rig.list.reveal(0)
    rig.settle("the top")
    rig.insert("The first", at: 0)
    rig.settle("the top with one more")
    expect((rig.bounds(0)?.top ?? -1) >= 0, "what is put in at the top in view")
  }
}

@MainActor
private func randomChanges() {
  withRig(60) { rig in
    var numbers = Numbers(state: 11)
    for step in 0..<1_000 {
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0, 1: rig.insert("New \(step)", at: Int.random(in: 0...rig.lines.count, using: &numbers))
      case 2 where !rig.lines.isEmpty: rig.remove(at: Int.random(in: 0..<rig.lines.count, using: &numbers))
      case 3: rig.list.focus(Int.random(in: 0..<max(1, rig.lines.count), using: &numbers))
      case 4: rig.list.scrolled.position = Double.random(in: 0..<4_000, using: &numbers)
      default: if step % 50 == 0 { rig.list.reload(count: rig.lines.count) }
      }
      if step % 20 == 0 { rig.settle("the rows after \(step)") }
    }
    rig.settle("the rows at the end")
    while !rig.lines.isEmpty { rig.remove(at: rig.lines.count / 2) }
    expect(rig.list.rows.isEmpty && rig.list.count == 0, "no row left")
    rig.insert("The only one", at: 0)
    rig.settle("one row")
  }
}

@MainActor
private func keepsKeyboard() {
  withRig(10_000) { rig in
    rig.list.focus(5)
    rig.settle("the top")
    let row = rig.list.rows[5]
    for position in [100_000.0, 200_000, 300, 150_000] {
      rig.list.scrolled.position = position
      rig.settle("the rows at \(position)")
      expect(rig.list.focusedPlace, is: 5, "the keyboard")
      expect(rig.list.rows[5] === row && row?.widget.isFocused == true, "the same row")
    }
    rig.remove(at: 2)
    rig.settle("the rows after a change far above")
    expect(rig.list.focusedPlace, is: 4, "the keyboard after that")
    rig.list.focus(9_000)
    rig.settle("the row far below")
    expect(rig.list.rows[4] == nil, "the other row gone")
    expect(rig.list.focusedPlace, is: 9_000, "the keyboard far below")
    guard let bounds = need(rig.bounds(9_000), "the row") else { return }
    expect(bounds.top >= 0 && bounds.bottom <= rig.page, "the row in view, not at \(bounds)")
  }
}

@MainActor
private func survivesParking() {
  withRig(10_000) { rig in
    rig.list.focus(7_000)
    rig.settle("the middle")
    rig.list.scrolled.position += 5_000
    rig.settle("further down")
    let position = rig.list.scrolled.position
    rig.slot.interrupt { Mount(Button("face")) }
    Stage.drain()
    rig.slot.open()
    rig.settle("the rows after the return")
    expect(rig.list.focusedPlace, is: 7_000, "the keyboard")
    // GTK too brings what has the keyboard into view.
    Stage.until("the row in view") { (rig.bounds(7_000)?.top ?? -1) >= 0 }
    rig.list.scrolled.position = position
    rig.list.focus(rig.list.rows.keys.sorted()[rig.list.rows.count / 2])
    rig.settle("further down, with the keyboard")
    let there = rig.list.scrolled.position
    rig.slot.interrupt { Mount(Button("face")) }
    Stage.drain()
    rig.slot.open()
    rig.settle("the rows after the second return")
    expect(rig.list.scrolled.position, is: there, "the view")
  }
}

@MainActor
private func otherWidth() {
  let words = String(repeating: "word ", count: 30)
  let rig = Rig(2_000)
  for place in stride(from: 0, to: 2_000, by: 3) {
    rig.remove(at: place)
    rig.insert(words, at: place)
  }
  rig.show()
  rig.list.reveal(1_000)
  rig.settle("the middle")
  let top = { rig.list.rows.keys.sorted().first { (rig.bounds($0)?.bottom ?? 0) > 0 } }
  let before = top()
  gtk_window_set_default_size(rig.window.cast(), 700, 500)
  Stage.until("the wider window") { gtk_widget_get_width(rig.list.scrolled.widget) > 600 }
  rig.settle("the rows in the wider window")
  Stage.until("the topmost row the same: \(before ?? -1), not \(top() ?? -1)") { top() == before }
  rig.end()
}

@MainActor
private func keptBefore() {
  let rig = Rig(5_000)
  let row = rig.list.keep(at: 4_321)
  expect(row?.label.text ?? "", is: rig.lines[4_321], "the row")
  rig.show()
  expect(rig.list.rows[4_321] === row, "the row still there")
  row?.widget.grabFocus()
  Stage.until("the row in view") { rig.bounds(4_321).map { $0.top >= 0 && $0.bottom <= rig.page } ?? false }
  rig.settle("the rows around it")
  rig.end()
}

@MainActor
private func keepsNoOther() {
  withRig(2_000) { rig in
    for gone in [{ rig.list.reload(count: 2_000) }, { rig.remove(at: 5) }] {
      rig.list.scrolled.position = 0
      rig.settle("the top")
      rig.list.keep(at: 5)
      gone()
      rig.settle("the top anew")
      rig.list.reveal(1_500)
      rig.settle("far below")
      expect(rig.list.rows.keys.filter { $0 < 1_000 }, is: [], "rows that are nobody's")
    }
  }
}

@MainActor
private func leavesNothing() {
  let once = {
    withRig(500) { rig in
      rig.list.focus(250)
      rig.list.scrolled.position = 0
      rig.settle("the top")
    }
  }
  for _ in 0..<3 { once() }
  let before = Census()
  for _ in 0..<10 { once() }
  expect(Census(), is: before, "the census after ten lists")
}
