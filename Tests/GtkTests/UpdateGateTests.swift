import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

@MainActor
let updateGateTests = Suite(
  "UpdateGate",
  [
    Test("opens where nothing is configured", idle),
    Test("a forced update makes no child, and offers Update and Quit only", forced),
    Test("a prompt offers Update, Later and Skip this version", prompt),
    Test("Later and Skip open in the same turn", answers),
    Test("comes back over the content when its time has come", comesBack),
    Test("Update opens the address, and the page stays", opensStore),
    Test("a store that does not open is told", storeFails),
  ])

private let tooOld = "This version is too old"
private let newer = "A new version is there"
private let store = "https://example.org/app"

@MainActor
private func idle() {
  let content = Content()
  let play = Play(UpdateGate { content.screen }, in: World())
  expect(content.isInWindow && !play.shows(tooOld) && !play.shows(newer), "the child")
  play.end()
}

@MainActor
private func forced() {
  let content = Content()
  let world = World(secrets: ["MIN_APP_VERSION": "2.0", "APP_STORE_URL": store])
  let play = Play(UpdateGate { content.screen }, in: world)
  expect(play.shows(tooOld) && play.shows(store), "the page, with the address in sight")
  for words in ["Later", "Skip this version"] { expect(Tree.button(words, in: play.root) == nil, "no “\(words)”") }
  play.press("Update")
  play.press("Quit")
  expect(world.opened, is: [store], "what was opened")
  expect(world.quits, is: 1, "the quits")
  world.host.setActive(true)
  expect(content.made == 0 && play.shows(tooOld), "the page still, and no child made")
  play.end()
  let bare = Play(UpdateGate { content.screen }, in: World(secrets: ["MIN_APP_VERSION": "2.0"]))
  expect(Tree.button("Update", in: bare.root) == nil, "no button that leads nowhere")
  expect(bare.shows("the way you installed it"), "words on how to update")
  bare.end()
}

@MainActor
private func prompt() {
  let content = Content()
  let play = Play(
    UpdateGate { content.screen }, in: World(secrets: ["LATEST_APP_VERSION": "1.1", "APP_STORE_URL": store]))
  expect(play.shows(newer) && content.made == 0, "the page, and no child made")
  for words in ["Update", "Later", "Skip this version"] {
    expect(Tree.button(words, in: play.root) != nil, "a button “\(words)”")
  }
  play.end()
}

@MainActor
private func answers() {
  for words in ["Later", "Skip this version"] {
    let content = Content()
    let play = Play(UpdateGate { content.screen }, in: World(secrets: ["LATEST_APP_VERSION": "1.1"]))
    play.press(words)
    expect(content.isInWindow && !play.shows(newer), "the child in the same turn after “\(words)”")
    play.end()
  }
}

@MainActor
private func comesBack() {
  let content = Content()
  let world = World(secrets: ["LATEST_APP_VERSION": "1.1"])
  let play = Play(UpdateGate { content.screen }, in: world)
  play.press("Later")
  content.entry?.text = "half a thought"
  world.hands.wall += UpdateController.rest
  world.host.setActive(true)
  expect(play.shows(newer) && !content.isInWindow, "the page in the same turn")
  play.press("Skip this version")
  expect(content.isInWindow && content.made == 1, "the same child")
  expect(content.entry?.text ?? "", is: "half a thought", "the draft")
  play.end()
}

@MainActor
private func opensStore() {
  let content = Content()
  let world = World(secrets: ["LATEST_APP_VERSION": "1.1", "APP_STORE_URL": store])
  let play = Play(UpdateGate { content.screen }, in: world)
  play.press("Update")
  expect(world.opened, is: [store], "what was opened")
  expect(play.shows(newer) && content.made == 0, "the page still")
  play.end()
}

@MainActor
private func storeFails() {
  let content = Content()
  let world = World(secrets: ["MIN_APP_VERSION": "2", "APP_STORE_URL": store])
  world.host.open = { _, done in done(.notInstalled) }
  let play = Play(UpdateGate { content.screen }, in: world)
  play.press("Update")
  expect(play.shows("xdg-open is missing"), "the sentence")
  expect(play.shows(store), "the address still in sight")
  play.end()
}
