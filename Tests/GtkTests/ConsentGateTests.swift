import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

@MainActor
let consentGateTests = Suite(
  "ConsentGate",
  [
    Test("Agree opens in the same turn, and analytics begins", agrees),
    Test("Decline opens nothing, and leads back", declines),
    Test("each text can be read inside the app", reads),
    Test("consent that is taken back closes over the content", takenBack),
    Test("another version asks again", otherVersion),
  ])

private let title = "Before you begin"

@MainActor
private func agrees() {
  let content = Content()
  let world = World()
  // The slides come first in the stack, and leave an event that waits for consent.
  let play = Play(OnboardingGate { ConsentGate { content.screen } }, in: world)
  play.press("Skip")
  expect(play.shows(title) && content.made == 0, "the page, and no child made")
  expect(world.events, is: [], "the events before there is consent")
  play.press("Agree")
  expect(content.isInWindow && !play.shows(title), "the child in the same turn")
  expect(world.preferences[.acceptedConsentVersion], is: LegalContent.version, "the version on record")
  expect(world.events.map(\.name), is: [.onboardingCompleted], "the events with consent")
  play.end()
}

@MainActor
private func declines() {
  let content = Content()
  let world = World()
  let play = Play(ConsentGate { content.screen }, in: world)
  play.press("Decline")
  expect(play.shows("Without your consent"), "the page that says so")
  expect(world.preferences[.acceptedConsentVersion], is: "", "the version on record")
  play.press("Read again")
  expect(content.made, is: 0, "the children made")
  play.press("Decline")
  play.press("Quit")
  expect(world.quits, is: 1, "the quits")
  play.end()
}

@MainActor
private func reads() {
  let content = Content()
  let world = World(secrets: ["TERMS_URL": "https://example.org/terms"])
  let play = Play(ConsentGate { content.screen }, in: world)
  let rows = Tree.find("AdwActionRow", in: play.root)
  expect(rows.count, is: 3, "the texts")
  for row in rows {
    // Clicks and Enter end in this signal.
    Tree.emit("activated", of: row)
    expect(play.shows("One paragraph."), "the text of \(Tree.words(row).first ?? "")")
  }
  Tree.emit("activated", of: rows[0])
  play.press("View online")
  expect(world.opened, is: ["https://example.org/terms"], "what was opened")
  expect(content.made, is: 0, "the children made")
  play.end()
}

@MainActor
private func takenBack() {
  let content = Content()
  let world = World(World.complete)
  let play = Play(ConsentGate { content.screen }, in: world)
  content.entry?.text = "half a thought"
  world.file.change("acceptedConsentVersion", to: "2020-01-01")
  expect(play.shows(title) && !content.isInWindow, "the page in the same turn")
  play.press("Agree")
  expect(content.isInWindow && content.made == 1, "the same child")
  expect(content.entry?.text ?? "", is: "half a thought", "the draft")
  play.end()
}

@MainActor
private func otherVersion() {
  for version in ["2025-12-31", "2099-01-01", "yes"] {
    let content = Content()
    let play = Play(ConsentGate { content.screen }, in: World(["acceptedConsentVersion": version]), shown: false)
    expect(play.shows(title) && content.made == 0, "the page for version \(version)")
    play.end()
  }
}
