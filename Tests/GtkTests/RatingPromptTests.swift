import AppGates
import CGtk
import GLibKit
import GateCore
import GateServices
import Gates
import GtkKit

@MainActor
let ratingPromptTests = Suite(
  "RatingPrompt",
  [
    Test("comes over the shell, and counts from then on", comes),
    Test("passes while words are half-typed", passesWhileTyping),
    Test("passes while a dialog is open", passesUnderADialog),
    Test("passes while another page lies over the shell", passesUnderAPage),
    Test("passes while a gate stands before the shell", passesBehindAGate),
    Test("passes while the user is elsewhere", passesWhileAway),
  ])

/// The shell of a user whose next action is the third, and what has become of the question.
@MainActor
private final class Asked {
  let world: World
  let play: Play
  private let folder = temporaryFolder()
  private let context: GateContext

  init(_ more: [String: String] = [:]) {
    world = World(World.complete.merging(["ratingActions": "2"].merging(more) { $1 }) { $1 })
    let paths = AppPaths(xdg: XdgPaths { [folder] in $0 == "HOME" ? folder : nil })
    context = world.context().adding(TodoStores(paths))
    play = Play(RootView(), in: world, context: context)
  }

  /// Something went well; whether the question came.
  func act() -> Bool {
    context.rating.recordAction()
    Stage.drain()
    let isAsked = !world.preferences[.ratingPromptDates].isEmpty
    expect(dialog != nil, is: isAsked, "what is recorded and what shows")
    return isAsked
  }

  var dialog: GtkPointer? {
    let list = Object(borrowing: UnsafeMutableRawPointer(gtk_window_get_toplevels()))
    for place in 0..<g_list_model_get_n_items(list.opaque) {
      guard let item = g_list_model_get_item(list.opaque, place) else { continue }
      let window = Object(owning: UnsafeMutableRawPointer(item))
      let widget: GtkPointer = window.cast()
      if Tree.typeName(widget) == "AdwMessageDialog", gtk_widget_get_visible(widget) != 0 { return widget }
    }
    return nil
  }

  func end() {
    if let dialog { gtk_window_destroy(Object(borrowing: UnsafeMutableRawPointer(dialog)).cast()) }
    play.end()
    removeAll(folder)
  }
}

@MainActor
private func comes() {
  let asked = Asked()
  expect(asked.act(), "the question")
  expect(asked.world.preferences[.ratingActions], is: 0, "the actions since")
  asked.end()
}

@MainActor
private func passesWhileTyping() {
  let asked = Asked()
  guard let field = need(Tree.find("GtkEntry", in: asked.play.root).first, "the field") else { return }
  gtk_editable_set_text(gk_editable(field), "Buy")
  expect(!asked.act(), "no question over half a word")
  expect(asked.world.preferences[.ratingActions], is: 3, "the action counts")
  gtk_editable_set_text(gk_editable(field), "")
  expect(asked.act(), "the question at the next action")
  asked.end()
}

@MainActor
private func passesUnderADialog() {
  let asked = Asked()
  let sheet = Sheet(over: asked.play.window, title: "Another", Label("Another question"))
  sheet.show()
  Stage.until("the other dialog") { sheet.isMapped }
  asked.world.preferences.set(.ratingActions, to: 5)
  expect(!asked.act(), "no question over another")
  sheet.dismiss()
  Stage.drain()
  expect(asked.act(), "the question once it is gone")
  asked.end()
}

@MainActor
private func passesUnderAPage() {
  let asked = Asked()
  guard let row = need(asked.row("Terms of Use"), "the row of a text") else { return }
  Tree.emit("activated", of: row)
  Stage.drain()
  expect(!asked.act(), "no question over a page")
  asked.end()
}

@MainActor
private func passesBehindAGate() {
  for gate in ["biometricEnabled": "true", "acceptedConsentVersion": "", "onboardingCompleted": "false"] {
    let asked = Asked([gate.key: gate.value])
    expect(!asked.act(), "no question over the gate that \(gate.key) closes")
    asked.end()
  }
  // A gate that closes over the living shell.
  let asked = Asked()
  asked.world.file.change("acceptedConsentVersion", to: "2020-01-01")
  expect(!asked.act(), "no question over a gate that has closed")
  asked.end()
}

@MainActor
private func passesWhileAway() {
  let asked = Asked()
  asked.world.host.setActive(false)
  expect(!asked.act(), "no question while the user is elsewhere")
  asked.world.host.setActive(true)
  expect(asked.act(), "the question once the user is back")
  asked.end()
}

extension Asked {
  fileprivate func row(_ title: String) -> GtkPointer? {
    Tree.find("AdwActionRow", in: play.root).first { Tree.texts($0).contains(title) }
  }
}
