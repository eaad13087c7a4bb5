import CGtk
import GLibKit
import GtkKit

/// What a child keeps while it is out of the window.
@MainActor
let parkingTests = Suite(
  "Parking",
  [
    Test("text, cursor and selection survive parking", textSurvives),
    Test("the selection in a text of several lines survives parking", areaSurvives),
    Test("the scroll position survives parking", scrollSurvives),
    Test("the keyboard comes back to where it was", focusSurvives),
    Test("the first keyboard focus is the one asked for", firstFocus),
    Test("stacks are empty while they are parked, and as they were or were told to be after it", stacksSurvive),
    Test("a stack that two slots have parked stays empty until both are open", stacksInBoth),
  ])

@MainActor
private func textSurvives() {
  withSlot { rig in
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
  withSlot { rig in
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
private func stacksSurvive() {
  let window = Window(Stage.application, title: "Stacks")
  let stack = Stack()
  let pages = [Label("one"), Label("two"), Label("three")]
  for (page, name) in zip(pages, ["one", "two", "three"]) { stack.add(page, name: name) }
  stack.shown = "two"
  let late = Label("four")
  let slot = Slot { Mount(Box(.vertical, [stack])) }
  window.content = slot.widget
  window.present()
  slot.open()
  Stage.until("the stack on the screen") { gtk_widget_get_mapped(pages[1].widget) != 0 }
  var told: Set<String> = []
  stack.on("notify::visible-child-name") { [weak stack] _ in told.insert(stack?.shown ?? "") }

  slot.interrupt { Mount(Button("face")) }
  expect(gtk_widget_get_first_child(stack.widget) == nil, "no page in the stack")
  expect(stack.shown, is: "two", "what is shown, as our own code sees it")
  slot.open()
  Stage.drain()
  expect(stack.shown, is: "two", "what is shown")
  expect(told.subtracting(["two"]).isEmpty, "to be told of no other page: \(told)")
  expect(gtk_widget_get_mapped(pages[1].widget) != 0, "the page to be back on the screen")

  slot.interrupt { Mount(Button("face")) }
  stack.remove(pages[0])
  stack.add(late, name: "four")
  stack.shown = "four"
  slot.open()
  Stage.drain()
  expect(stack.shown, is: "four", "what was asked for meanwhile")
  expect(gtk_widget_get_parent(pages[0].widget) == nil, "the page that was taken out to stay out")
  slot.interrupt { Mount(Button("face")) }
  slot.close()
  window.destroy()
}

@MainActor
private func stacksInBoth() {
  let window = Window(Stage.application, title: "Stacks")
  let (stack, within) = (Stack(), Stack())
  let pages = [Label("one"), Label("two")]
  for (page, name) in zip(pages, ["one", "two"]) { within.add(page, name: name) }
  stack.add(within, name: "within")
  stack.add(Label("beside"), name: "beside")
  let inner = Slot { Mount(Box(.vertical, [stack])) }
  let outer = Slot {
    let mount = Mount(inner.widget)
    inner.open()
    return mount
  }
  window.content = outer.widget
  window.present()
  outer.open()
  let count = { (stack: Stack) in gtk_widget_get_first_child(stack.widget) == nil ? "none" : "some" }

  outer.interrupt { Mount(Button("card")) }
  inner.interrupt { Mount(Button("lock")) }
  within.remove(pages[0])
  outer.open()
  expect([count(stack), count(within)], is: ["none", "none"], "pages behind the inner face")
  inner.open()
  Stage.drain()
  expect([stack.shown, within.shown], is: ["within", "two"], "what is shown")
  expect(gtk_widget_get_parent(pages[0].widget) == nil, "the page that was taken out to stay out")

  inner.interrupt { Mount(Button("lock")) }
  outer.interrupt { Mount(Button("card")) }
  inner.open()
  outer.open()
  Stage.drain()
  expect([stack.shown, within.shown], is: ["within", "two"], "what is shown after the other order")
  outer.close()
  inner.close()
  window.destroy()
}
