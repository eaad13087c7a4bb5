import CGtk
import GLibKit
import GtkKit

@MainActor
let slotTests = Suite(
  "Slot",
  [
    Test("makes no child before it opens, and one only", childIsLate),
    Test("an interruption parks the child, its reference kept", interruptParks),
    Test("an end drops the child", endDrops),
    Test("text, cursor and selection survive parking", textSurvives),
    Test("the selection in a text of several lines survives parking", areaSurvives),
    Test("the scroll position survives parking", scrollSurvives),
    Test("the keyboard comes back to where it was", focusSurvives),
    Test("the first keyboard focus is the one asked for", firstFocus),
    Test("a slot within a slot is parked with it, and stays as it was", nested),
    Test("a face replaces a face, and each ends once", facesReplace),
    Test("what comes up while the slot is parked stays at rest", parkedSlot),
    Test("parking twice is parking once", parkTwice),
    Test("closing ends all that is there, once", closes),
  ])

/// A slot in a window, and notes of what its mounts go through.
@MainActor
private final class Rig {
  let window = Window(Stage.application, title: "Slot")
  private(set) var slot: Slot
  private(set) var log: [String] = []
  private(set) var entry: Entry?

  init() {
    slot = Slot { Mount(Box(.vertical)) }
    slot = Slot { [weak self] in self?.makeChild() ?? Mount(Box(.vertical)) }
    window.content = slot.widget
    window.present()
    Stage.until("the window on the screen") { gtk_widget_get_mapped(window.widget) != 0 }
  }

  private func makeChild() -> Mount {
    let entry = Entry(placeholder: "Child")
    self.entry = entry
    log.append("child made")
    return note(Mount(Box(.vertical, [Button("Before"), entry])), "child")
  }

  private func note(_ mount: Mount, _ name: String) -> Mount {
    mount.onPark(
      { [weak self] in self?.log.append(name + " parked") },
      onReturn: { [weak self] in self?.log.append(name + " returned") })
    mount.onEnd { [weak self] in self?.log.append(name + " ended") }
    return mount
  }

  func face(_ name: String = "face") -> Mount {
    log.append(name + " made")
    return note(Mount(Button(name)), name)
  }

  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  var showsChild: Bool { entry.map { Tree.isInWindow($0.widget) } ?? false }
  func shows(face: String) -> Bool { Tree.button(face, in: slot.widget.widget) != nil }

  func end() {
    slot.close()
    window.content = nil
    window.destroy()
    Stage.drain()
  }
}

@MainActor
private func playing(_ body: (Rig) -> Void) {
  let before = Census()
  do {
    let rig = Rig()
    body(rig)
    rig.end()
  }
  expect(Census(), is: before, "the census afterwards")
}

@MainActor
private func childIsLate() {
  playing { rig in
    rig.slot.interrupt { rig.face() }
    expect(!rig.slot.hasChild && rig.entry == nil, "no child before the slot opens")
    rig.slot.open()
    rig.slot.open()
    expect(rig.takeLog(), is: ["face made", "child made", "face ended"], "what happened")
    expect(rig.showsChild && rig.slot.hasChild, "the child in the window")
  }
}

@MainActor
private func interruptParks() {
  playing { rig in
    rig.slot.open()
    _ = rig.takeLog()
    guard let entry = need(rig.entry, "the child") else { return }
    rig.slot.interrupt {
      // Whatever the face does while it is made, the content is out of the window by then.
      expect(!rig.showsChild, "the child out of the window before the face is made")
      return rig.face()
    }
    expect(rig.slot.hasChild && !rig.showsChild, "the child kept, and out of the window")
    expect(gtk_widget_get_mapped(entry.widget) == 0, "the child not mapped")
    expect(rig.shows(face: "face"), "the face in the window")
    rig.slot.open()
    expect(rig.showsChild && rig.entry === entry, "the same child back")
    expect(
      rig.takeLog(), is: ["child parked", "face made", "child returned", "face ended"], "what happened")
  }
}

@MainActor
private func endDrops() {
  playing { rig in
    rig.slot.open()
    weak var old: Entry?
    old = rig.entry
    rig.slot.end { rig.face() }
    expect(!rig.slot.hasChild && !rig.showsChild, "no child")
    rig.slot.open()
    expect(rig.entry !== old && rig.showsChild, "a new child")
    expect(
      rig.takeLog(), is: ["child made", "child ended", "face made", "child made", "face ended"], "what happened")
  }
}

@MainActor
private func textSurvives() {
  playing { rig in
    rig.slot.open()
    guard let entry = need(rig.entry, "the child") else { return }
    entry.text = "grüße an alle"
    entry.grabFocus()
    gtk_editable_select_region(gk_editable(entry.widget), 2, 9)
    rig.slot.interrupt { rig.face() }
    Stage.drain()
    rig.slot.open()
    Stage.drain()
    var start: gint = -1
    var end: gint = -1
    gtk_editable_get_selection_bounds(gk_editable(entry.widget), &start, &end)
    expect(entry.text, is: "grüße an alle", "the text")
    expect([start, end], is: [2, 9], "the selection")
    gtk_editable_select_region(gk_editable(entry.widget), 4, 4)
    rig.slot.interrupt { rig.face() }
    rig.slot.open()
    expect(entry.cursor, is: 4, "the cursor")
    expect(entry.isFocused, "the field to have the keyboard")
  }
}

@MainActor
private func areaSurvives() {
  let window = Window(Stage.application, title: "Area")
  let area = TextArea(label: "Area")
  area.text = "one line\nanother line\n日本\n"
  let slot = Slot { Mount(Scrolled(area)) }
  window.content = slot.widget
  window.present()
  slot.open()
  area.grabFocus()
  Stage.until("the area on the screen") { gtk_widget_get_mapped(area.widget) != 0 }
  let buffer = gtk_text_view_get_buffer(area.cast())
  var (insert, bound) = (GtkTextIter(), GtkTextIter())
  gtk_text_buffer_get_iter_at_offset(buffer, &insert, 4)
  gtk_text_buffer_get_iter_at_offset(buffer, &bound, 23)
  gtk_text_buffer_select_range(buffer, &insert, &bound)
  slot.interrupt { Mount(Button("face")) }
  Stage.drain()
  slot.open()
  expect(gtk_text_buffer_get_has_selection(buffer) != 0, "a selection")
  gtk_text_buffer_get_iter_at_mark(buffer, &insert, gtk_text_buffer_get_insert(buffer))
  gtk_text_buffer_get_iter_at_mark(buffer, &bound, gtk_text_buffer_get_selection_bound(buffer))
  expect([gtk_text_iter_get_offset(&insert), gtk_text_iter_get_offset(&bound)], is: [4, 23], "cursor and anchor")
  expect(area.text, is: "one line\nanother line\n日本\n", "the text")
  slot.close()
  window.content = nil
  window.destroy()
  Stage.drain()
}

@MainActor
private func scrollSurvives() {
  let window = Window(Stage.application, title: "Scroll")
  let lines = Box(.vertical, (0..<300).map { Label("Line \($0)") })
  let scrolled = Scrolled(lines)
  let slot = Slot { Mount(scrolled) }
  window.content = slot.widget
  window.present()
  slot.open()
  Stage.until("room to scroll") {
    gtk_adjustment_get_upper(gtk_scrolled_window_get_vadjustment(scrolled.opaque)) > 3000
  }
  scrolled.position = 1234
  slot.interrupt { Mount(Button("face")) }
  Stage.drain()
  slot.open()
  Stage.until("the child on the screen") { gtk_widget_get_mapped(scrolled.widget) != 0 }
  Stage.drain()
  expect(scrolled.position, is: 1234, "the scroll position")
  slot.close()
  window.content = nil
  window.destroy()
  Stage.drain()
}

@MainActor
private func focusSurvives() {
  playing { rig in
    rig.slot.open()
    guard let entry = need(rig.entry, "the child") else { return }
    entry.grabFocus()
    rig.slot.interrupt { rig.face() }
    expect(!entry.isFocused, "the parked field without the keyboard")
    expect(Tree.button("face", in: rig.window.widget) == gtk_window_get_focus(rig.window.cast()), "the face focused")
    rig.slot.open()
    expect(entry.isFocused, "the field to have the keyboard again")
  }
}

@MainActor
private func firstFocus() {
  let window = Window(Stage.application, title: "Focus")
  let second = Button("Second")
  let slot = Slot {
    let mount = Mount(Box(.vertical, [Button("First"), second]))
    mount.firstFocus = second
    return mount
  }
  window.content = slot.widget
  window.present()
  slot.open()
  expect(second.isFocused, "the second button focused")
  slot.close()
  window.content = nil
  window.destroy()
  Stage.drain()
}

@MainActor
private func nested() {
  playing { rig in
    let outer = Slot { [slot = rig.slot] in
      slot.open()
      let mount = Mount(slot.widget)
      mount.onPark({ slot.park() }, onReturn: { slot.unpark() })
      return mount
    }
    rig.window.content = outer.widget
    outer.open()
    rig.entry?.text = "kept"
    rig.entry?.grabFocus()
    _ = rig.takeLog()
    outer.interrupt { rig.face("outer") }
    expect(rig.takeLog(), is: ["child parked", "outer made"], "what happened")
    expect(!rig.showsChild, "the child out of the window")
    outer.open()
    expect(rig.takeLog(), is: ["child returned", "outer ended"], "what happened")
    expect(rig.showsChild && rig.entry?.text == "kept", "the child as it was")
    expect(rig.entry?.isFocused == true, "the field to have the keyboard again")
    // The inner slot closes while the outer one is closed too: the child must not come back with the outer one.
    outer.interrupt { rig.face("outer") }
    rig.slot.interrupt { rig.face("inner") }
    outer.open()
    expect(!rig.showsChild && rig.shows(face: "inner"), "the inner face, and not the child")
    rig.slot.open()
    expect(rig.showsChild, "the child")
    outer.close()
  }
}

@MainActor
private func facesReplace() {
  playing { rig in
    rig.slot.interrupt { rig.face("one") }
    rig.slot.interrupt { rig.face("two") }
    expect(!rig.shows(face: "one") && rig.shows(face: "two"), "the second face only")
    rig.slot.end { rig.face("three") }
    expect(rig.takeLog(), is: ["one made", "two made", "one ended", "three made", "two ended"], "what happened")
  }
}

@MainActor
private func parkedSlot() {
  playing { rig in
    rig.slot.park()
    rig.slot.interrupt { rig.face() }
    rig.slot.open()
    expect(rig.takeLog(), is: ["face made", "face parked", "child made", "child parked", "face ended"], "what happened")
    rig.slot.interrupt { rig.face() }
    rig.slot.open()
    expect(!rig.takeLog().contains("child returned"), "the child at rest still")
    rig.slot.unpark()
    expect(rig.takeLog(), is: ["child returned"], "what happened")
  }
}

@MainActor
private func parkTwice() {
  playing { rig in
    rig.slot.open()
    _ = rig.takeLog()
    rig.slot.park()
    rig.slot.park()
    expect(rig.takeLog(), is: ["child parked"], "what happened")
    rig.slot.unpark()
    rig.slot.unpark()
    expect(rig.takeLog(), is: ["child returned"], "what happened")
  }
}

@MainActor
private func closes() {
  playing { rig in
    rig.slot.open()
    rig.slot.interrupt { rig.face() }
    _ = rig.takeLog()
    rig.slot.close()
    rig.slot.close()
    expect(rig.takeLog(), is: ["child ended", "face ended"], "what happened")
    expect(!rig.slot.hasChild, "no child")
  }
}
