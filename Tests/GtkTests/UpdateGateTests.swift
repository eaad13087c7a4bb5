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
    Test("Check again shows that it asks, says what came of it, and keeps the keyboard", checksAgain),
    Test("what is new is shown as plain text", notes),
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

@MainActor
private func checksAgain() {
  let content = Content()
  let world = World(secrets: ["MIN_APP_VERSION": "2.0", "UPDATE_MANIFEST_URL": "https://example.org/app.json"])
  var answers: [@MainActor (Result<WebAnswer, WebFault>) -> Void] = []
  world.web = WebClient { _, done in
    answers.append(done)
    return {}
  }
  let play = Play(UpdateGate { content.screen }, in: world)
  let button = Tree.button("Check again", in: play.root)
  expect(answers.isEmpty && button != nil, "nothing asked by itself, and a button for it")
  gtk_widget_grab_focus(button)
  play.press("Check again")
  play.press("Check again")
  expect(answers.count, is: 1, "the questions")
  expect(play.shows("Asking the server"), "that it asks")
  answers[0](.failure(.timedOut))
  expect(play.shows("took too long") && !play.shows("Asking the server"), "what came of it")
  expect(play.shows(tooOld), "the page still")
  expect(gtk_widget_is_focus(button) != 0, "the keyboard where it was")
  play.end()
}

@MainActor
private func notes() {
  let world = World(
    ["acceptedConsentVersion": LegalContent.version], secrets: ["UPDATE_MANIFEST_URL": "https://example.org/app.json"])
  let manifest = UpdateManifest(["version": "1.1", "notes": "<b>Bold</b> & new"])
  world.updates = UpdateClient(
    reload: { nil },
    load: { [hands = world.hands] in
      manifest.map {
        KeptManifest(address: "https://example.org/app.json", tag: nil, askedAt: hands.wall, manifest: $0)
      }
    }, save: { _ in }, parse: { _ in nil })
  let play = Play(UpdateGate { Content().screen }, in: world)
  expect(play.shows(newer) && play.shows("What is new") && play.shows("<b>Bold</b> & new"), "the notes as they are")
  play.end()
}
