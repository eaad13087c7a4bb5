import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

@MainActor
let coverTests = Suite(
  "Cover",
  [
    Test("covers in the same turn, and conceals the title", coversAtOnce),
    Test("covers without the lock too, unless that is switched off", coverWithoutLock),
    Test("other windows are hidden and come back", shields),
    Test("a window that is destroyed while hidden stays away", shieldForgets),
  ])

private let locked = "App Gates is locked"
private let lockOn = ["biometricEnabled": "true"]

@MainActor
private func coversAtOnce() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  play.unlock()
  expect(play.window.title, is: "Secret plans – App Gates", "the title")
  play.world.host.setActive(false)
  expect(play.isCovered, "the cover in this same turn")
  expect(play.window.title, is: "App Gates", "the title while away")
  play.world.host.setSubject("More plans")
  expect(play.window.title, is: "App Gates", "the title while away, set anew")
  play.world.host.setActive(true)
  expect(!play.isCovered, "no cover, in this same turn")
  expect(play.window.title, is: "More plans – App Gates", "the title when back")
  play.end()
}

@MainActor
private func coverWithoutLock() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World())
  play.world.host.setActive(false)
  expect(play.isCovered && play.window.title == "App Gates", "the cover")
  play.world.hands.boot += 3_600_000
  play.world.host.setActive(true)
  expect(!play.isCovered && content.isInWindow, "the content, an hour later")
  play.world.preferences.set(.hideContent, to: false)
  play.world.host.setActive(false)
  expect(!play.isCovered, "no cover where it is switched off")
  play.world.preferences.set(.hideContent, to: true)
  expect(play.isCovered, "the cover at once where it is switched on")
  play.end()
}

@MainActor
private func shields() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  play.unlock()
  let sheet = Sheet(over: play.window, title: "Sheet", Label("Content in a sheet"))
  sheet.show()
  Stage.until("the sheet on the screen") { gtk_widget_get_mapped(sheet.widget) != 0 }
  expect(play.window.hasDialog, "a dialog")
  play.world.host.setActive(false)
  let words = Tree.find("GtkLabel", in: sheet.widget).first
  expect(words.map(isDrawn) == false && play.window.isVisible, "the sheet blank in this same turn, the window not")
  play.world.host.setActive(true)
  expect(sheet.isVisible && words.map(isDrawn) == true, "the sheet back")
  play.world.host.setActive(false)
  play.world.hands.boot += 5000
  play.world.host.setActive(true)
  expect(!sheet.isVisible && play.shows(locked), "the sheet hidden while locked")
  play.unlock()
  expect(sheet.isVisible && content.isInWindow, "the sheet back when unlocked")
  sheet.dismiss()
  play.end()
}

/// Whether the widget shows on the screen: neither it nor anything around it is hidden or clear as glass.
@MainActor
private func isDrawn(_ widget: GtkPointer) -> Bool {
  guard gtk_widget_get_visible(widget) != 0, gtk_widget_get_opacity(widget) > 0 else { return false }
  return gtk_widget_get_parent(widget).map(isDrawn) ?? true
}

@MainActor
private func shieldForgets() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World())
  let before = Census()
  do {
    let sheet = Sheet(over: play.window, title: "Sheet", Label("Content in a sheet"))
    sheet.show()
    play.world.host.setActive(false)
    sheet.dismiss()
  }
  play.world.host.setActive(true)
  Stage.drain()
  expect(!play.window.hasDialog, "no dialog")
  expect(Census(), is: before, "the census")
  play.end()
}
