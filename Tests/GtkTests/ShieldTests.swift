import CGtk
import GLibKit
import Gates
import GtkKit

@MainActor
let shieldTests = Suite(
  "Shield",
  [
    Test("blanks in the same turn, hides soon after, and brings back in order", blanksThenHides),
    Test("a blip leaves a dialog its place and its keyboard", blip),
    Test("hides at once where it must, raised before or not", atOnce),
    Test("what appears behind it is hidden in the same turn", newcomers),
    Test("a dialog of GTK's own is hidden too", fileDialog),
    Test("an open menu is blank, then closed", openMenu),
    Test("a menu that opens behind it closes in the same turn", menuBehind),
    Test("leaves nothing behind", leavesNothing),
  ])

/// A window with a menu button and a field, in front.
@MainActor
private final class Scene {
  let window = Window(Stage.application, title: "Shield")
  let shield = Shield()
  let menu = MenuButton(icon: "open-menu-symbolic", label: "Menu", menu: Menu([("Secret plans", "app.plans")]))

  init() {
    window.content = Box(.vertical, [menu, Entry(placeholder: "Draft")])
    window.present()
    Stage.until("the window in front") { gtk_window_is_active(window.cast()) != 0 }
  }

  /// A sheet on the screen, with the keyboard.
  func sheet(_ words: String = "Content in a sheet") -> (sheet: Sheet, field: Entry) {
    let field = Entry(placeholder: words)
    let sheet = Sheet(over: window, title: "Sheet", Box(.vertical, [Label(words), field]))
    sheet.show()
    Stage.until("the sheet in front") { gtk_window_is_active(sheet.cast()) != 0 }
    field.grabFocus()
    return (sheet, field)
  }

  func popover() -> GtkPointer? { Tree.find("GtkPopoverMenu", in: window.widget).first }

  func end() {
    shield.lower()
    window.content = nil
    window.destroy()
    Stage.drain()
  }
}

/// Whether nothing but its background can be drawn of a window, menu or tooltip.
@MainActor
private func isBlank(_ widget: GtkPointer) -> Bool {
  var child = gtk_widget_get_first_child(widget)
  while let each = child {
    if gtk_widget_get_visible(each) != 0, gtk_widget_get_opacity(each) > 0 { return false }
    child = gtk_widget_get_next_sibling(each)
  }
  return true
}

/// Expects a window that has just appeared to be blank, and hidden before any frame can be drawn.
@MainActor
private func expectGone(
  _ window: Widget, _ what: String, file: StaticString = #fileID, line: UInt = #line
) {
  expect(isBlank(window.widget), "\(what): blank in its first turn", file: file, line: line)
  guard let clock = need(gtk_widget_get_frame_clock(window.widget), "a frame clock", file: file, line: line) else {
    return
  }
  var frames = 0
  let painted = Object(borrowing: UnsafeMutableRawPointer(clock)).on("before-paint") { _ in frames += 1 }
  Stage.until("\(what) to be hidden", file: file, line: line) { !window.isVisible }
  painted.disconnect()
  expect(frames, is: 0, "\(what): the frames before it was hidden", file: file, line: line)
}

/// Longer than any blip.
private let moment: Int64 = 1000

@MainActor
private func blanksThenHides() {
  let scene = Scene()
  let first = scene.sheet("First")
  let second = scene.sheet("Second")
  expect(!isBlank(first.sheet.widget) && !isBlank(second.sheet.widget), "two sheets that show something")
  scene.shield.raise(except: scene.window)
  expect(isBlank(first.sheet.widget) && isBlank(second.sheet.widget), "both blank in this same turn")
  expect(!isBlank(scene.window.widget) && scene.window.isVisible, "the main window left alone")
  Stage.until("both hidden") { !first.sheet.isVisible && !second.sheet.isVisible }
  MainLoop.run(atMost: moment) { false }
  scene.shield.lower()
  expect(!isBlank(first.sheet.widget) && !isBlank(second.sheet.widget), "both show something in this same turn")
  expect(first.sheet.isVisible && second.sheet.isVisible, "both on the screen")
  Stage.until("the second in front") { gtk_window_is_active(second.sheet.cast()) != 0 }
  expect(second.field.isFocused, "the keyboard in the field that had it")
  first.sheet.dismiss()
  second.sheet.dismiss()
  scene.end()
}

@MainActor
private func blip() {
  let scene = Scene()
  let (sheet, field) = scene.sheet()
  var hidden = 0
  let watch = sheet.onChange(of: "visible") { hidden += 1 }
  let lost = sheet.onChange(of: "is-active") { hidden += 1 }
  scene.shield.raise(except: scene.window)
  MainLoop.run(atMost: 20) { false }
  expect(isBlank(sheet.widget), "blank for these milliseconds")
  scene.shield.lower()
  MainLoop.run(atMost: moment) { false }
  expect(hidden, is: 0, "hidings and losses of the keyboard")
  expect(!isBlank(sheet.widget) && field.isFocused, "what it shows, and the keyboard")
  watch.disconnect()
  lost.disconnect()
  sheet.dismiss()
  scene.end()
}

@MainActor
private func atOnce() {
  let scene = Scene()
  let (sheet, _) = scene.sheet()
  scene.shield.raise(except: scene.window, atOnce: true)
  expect(!sheet.isVisible, "hidden in this same turn")
  scene.shield.lower()
  expect(sheet.isVisible, "back")
  scene.shield.raise(except: scene.window)
  expect(sheet.isVisible && isBlank(sheet.widget), "blank only")
  scene.shield.raise(except: scene.window, atOnce: true)
  expect(!sheet.isVisible, "hidden in this same turn, raised before")
  scene.shield.lower()
  expect(sheet.isVisible && !isBlank(sheet.widget), "back as it was")
  sheet.dismiss()
  scene.end()
}

@MainActor
private func newcomers() {
  let scene = Scene()
  scene.shield.raise(except: scene.window)
  let dialog = MessageDialog(over: scene.window, heading: "Secret plans", body: "All of them.")
  var answer: String?
  dialog.answer("no", "No").closeAnswer("no").ask { answer = $0 }
  expectGone(dialog, "a dialog that is asked for")
  MainLoop.run(atMost: moment) { false }
  expect(!dialog.isVisible && answer == nil, "still hidden, and not answered")
  // Whoever shows it again meets the same.
  gtk_window_present(dialog.cast())
  expectGone(dialog, "the same, shown a second time")
  let second = Window(Stage.application, title: "Own too")
  second.content = Label("Secret plans")
  second.present()
  expectGone(second, "a window")
  second.destroy()
  scene.shield.lower()
  expect(dialog.isVisible && !isBlank(dialog.widget), "the dialog, when the shield is down")
  Stage.until("the dialog in front") { gtk_window_is_active(dialog.cast()) != 0 }
  dialog.dismiss()
  scene.end()
}

@MainActor
private func fileDialog() {
  let scene = Scene()
  var answered = 0
  scene.shield.raise(except: scene.window)
  FileChooser.save(over: scene.window, title: "Save", name: "secret-plans.txt") { _ in answered += 1 }
  let others = others(than: scene.window)
  guard let raw = need(others.first, "GTK's own dialog, since no portal is used here") else { return }
  let dialog = Widget(borrowing: raw)
  expectGone(dialog, "GTK's own dialog")
  MainLoop.run(atMost: moment) { false }
  expect(answered, is: 0, "answers")
  scene.shield.lower()
  expect(dialog.isVisible, "there, when the shield is down")
  Stage.until("the dialog in front") { gtk_window_is_active(dialog.cast()) != 0 }
  scene.shield.raise(except: scene.window)
  expect(isBlank(dialog.widget), "blank in the same turn")
  scene.shield.lower()
  gtk_window_close(dialog.cast())
  Stage.until("the answer") { answered == 1 }
  scene.end()
}

@MainActor
private func openMenu() {
  let scene = Scene()
  gtk_menu_button_popup(scene.menu.opaque)
  guard let popover = need(scene.popover(), "a menu") else { return }
  Stage.until("the menu on the screen") { gtk_widget_get_mapped(popover) != 0 }
  scene.shield.raise(except: scene.window)
  expect(isBlank(popover), "the menu blank in this same turn")
  Stage.until("the menu gone") { gtk_widget_get_mapped(popover) == 0 }
  scene.shield.lower()
  expect(gtk_widget_get_visible(popover) == 0, "no menu, when the shield is down")
  gtk_menu_button_popup(scene.menu.opaque)
  Stage.until("the menu on the screen again") { gtk_widget_get_mapped(popover) != 0 }
  expect(!isBlank(popover), "a menu that shows its entries")
  scene.shield.raise(except: scene.window, atOnce: true)
  expect(gtk_widget_get_mapped(popover) == 0, "no menu in this same turn")
  scene.end()
}

@MainActor
private func menuBehind() {
  let scene = Scene()
  scene.shield.raise(except: scene.window)
  gtk_menu_button_popup(scene.menu.opaque)
  guard let popover = need(scene.popover(), "a menu") else { return }
  expectGone(Widget(borrowing: popover), "a menu")
  scene.shield.raise(except: scene.window, atOnce: true)
  // Once the content is out of the window, what opens there is the locked page's own.
  gtk_menu_button_popup(scene.menu.opaque)
  MainLoop.run(atMost: moment) { false }
  expect(gtk_widget_get_mapped(popover) != 0 && !isBlank(popover), "the locked page's own menu")
  gtk_menu_button_popdown(scene.menu.opaque)
  scene.end()
}

@MainActor
private func leavesNothing() {
  let scene = Scene()
  let before = Census()
  for round in 0..<5 {
    let sheet = Sheet(over: scene.window, title: "Sheet", Label("Content in a sheet"))
    sheet.show()
    scene.shield.raise(except: scene.window, atOnce: round % 2 == 0)
    sheet.dismiss()
    let late = Sheet(over: scene.window, title: "Sheet", Label("Content in a sheet"))
    late.show()
    late.dismiss()
    scene.shield.lower()
  }
  Stage.drain()
  expect(others(than: scene.window).isEmpty, "no window left")
  expect(Census(), is: before, "the census")
  scene.end()
}

/// The app's other windows.
@MainActor
private func others(than main: Window) -> [UnsafeMutableRawPointer] {
  let list = Object(borrowing: UnsafeMutableRawPointer(gtk_window_get_toplevels()))
  return (0..<g_list_model_get_n_items(list.opaque)).compactMap { place in
    guard let item = g_list_model_get_item(list.opaque, place) else { return nil }
    g_object_unref(item)
    return item == main.raw ? nil : item
  }
}
