import CGtk
import GLibKit
import GtkKit

@MainActor
let activityTests = Suite(
  "Activity",
  [
    Test("a dialog of the app's own, opened and closed, is no leaving", ownDialog),
    Test("a menu of the app’s own, opened and closed, is none either", ownMenu),
    Test("another program's window is", otherProgram),
    Test("the last window's minimising is", minimised),
  ])

@MainActor
private final class Watch {
  let window = Window(Stage.application, title: "Activity")
  let activity: Activity
  private(set) var told: [Bool] = []

  init() {
    window.content = Button("A")
    window.present()
    activity = Activity()
    activity.onChange = { [weak self] in self?.told.append($0) }
    Stage.until("the window in front") { gtk_window_is_active(window.cast()) != 0 }
  }

  func end() {
    window.destroy()
    Stage.drain()
  }
}

/// Longer than the desktop is given to hand the keyboard over.
private let handover: Int64 = 700

@MainActor
private func ownDialog() {
  let watch = Watch()
  for _ in 0..<3 {
    let sheet = Sheet(over: watch.window, title: "Own", Button("B"))
    sheet.show()
    Stage.until("the sheet in front") { gtk_window_is_active(sheet.cast()) != 0 }
    MainLoop.run(atMost: handover) { false }
    sheet.dismiss()
    Stage.until("the window in front again") { gtk_window_is_active(watch.window.cast()) != 0 }
    MainLoop.run(atMost: handover) { false }
  }
  let second = Window(Stage.application, title: "Own too")
  second.content = Button("C")
  second.present()
  Stage.until("the second window in front") { gtk_window_is_active(second.cast()) != 0 }
  MainLoop.run(atMost: handover) { false }
  second.destroy()
  Stage.until("the window in front again") { gtk_window_is_active(watch.window.cast()) != 0 }
  MainLoop.run(atMost: handover) { false }
  expect(watch.told, is: [], "what was told")
  expect(watch.activity.isActive, "active")
  watch.end()
}

@MainActor
private func otherProgram() {
  let watch = Watch()
  // Past the first moments, in which a window that was just shown counts as active.
  MainLoop.run(atMost: handover) { false }
  var turnOfLoss = 0
  var turnTold = 0
  var turn = 0
  let lost = watch.window.onChange(of: "is-active") { turnOfLoss = turn }
  watch.activity.onChange = { isActive in if !isActive { turnTold = turn } }
  guard let other = need(OtherProgram(), "another program") else { return }
  MainLoop.run(atMost: 5000) {
    turn += 1
    return turnTold > 0
  }
  lost.disconnect()
  expect(!watch.activity.isActive, "not active")
  expect(turnTold > 0 && turnTold == turnOfLoss, "told in the very turn: lost in \(turnOfLoss), told in \(turnTold)")
  var isBack = false
  watch.activity.onChange = { isBack = $0 }
  other.end()
  Stage.until("active again") { isBack }
  watch.end()
}

@MainActor
private func minimised() {
  let watch = Watch()
  MainLoop.run(atMost: handover) { false }
  gtk_window_minimize(watch.window.cast())
  Stage.until("the leaving told") { watch.told == [false] }
  watch.window.present()
  Stage.until("the return told") { watch.told == [false, true] }
  watch.end()
}

@MainActor
private func ownMenu() {
  let watch = Watch()
  let menu = MenuButton(icon: "open-menu-symbolic", label: "Menu", menu: Menu([("Plans", "app.plans")]))
  watch.window.content = menu
  MainLoop.run(atMost: handover) { false }
  // X11 takes the keyboard from a window and gives it back where a menu grabs it: told or not, no frame may show it.
  guard let clock = need(gtk_widget_get_frame_clock(watch.window.widget), "a frame clock") else { return }
  var frames = 0
  var covered = 0
  let painted = Object(borrowing: UnsafeMutableRawPointer(clock)).on("before-paint") { _ in
    frames += 1
    if !watch.activity.isActive { covered += 1 }
  }
  for _ in 0..<3 {
    gtk_menu_button_popup(menu.opaque)
    guard let popover = need(Tree.find("GtkPopoverMenu", in: watch.window.widget).first, "a menu") else { return }
    Stage.until("the menu on the screen") { gtk_widget_get_mapped(popover) != 0 }
    MainLoop.run(atMost: handover) { false }
    gtk_menu_button_popdown(menu.opaque)
    Stage.until("the menu gone") { gtk_widget_get_mapped(popover) == 0 }
    MainLoop.run(atMost: handover) { false }
  }
  painted.disconnect()
  expect(frames > 0, "frames")
  expect(covered, is: 0, "frames that were drawn while nobody seemed to be here")
  expect(watch.activity.isActive, "active")
  watch.end()
}
