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
    Test("an earlier version is told what has changed since, and no more", changes),
    Test("the switch stands as it was left or configured, and counts with Agree", counting),
    Test("where no address is configured no page speaks of counting", nothingConfigured),
    Test("a text has headings and a list, and links that open on a click", structure),
    Test("a translation of the present version is shown in place of the text, an older one is not", translated),
  ])

private let title = "Before you begin"

@MainActor
private func agrees() {
  let content = Content()
  let world = World(secrets: ["ANALYTICS_URL": "https://example.org", "ANALYTICS_DEFAULT": "true"])
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
  expect(play.shows("The texts have changed") && !content.isInWindow, "the page in the same turn")
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
    let asks = version < LegalContent.version ? "The texts have changed" : title
    expect(play.shows(asks) && content.made == 0, "the page for version \(version)")
    play.end()
  }
}

private let list = """
  # What has changed
  ## \(LegalContent.version)
  - Something new.
  ## 2020-01-01
  - The beginning.
  """

@MainActor
private func changes() {
  for (version, shown, hidden) in [
    ("2020-01-01", ["Something new."], ["The beginning."]), ("2019-01-01", ["Something new.", "The beginning."], []),
    ("", [], ["Something new."]), ("2999-01-01", [], ["Something new."]), ("yes", [], ["Something new."]),
  ] {
    let world = World(["acceptedConsentVersion": version])
    world.texts["legal/changes.md"] = list
    let play = Play(ConsentGate { Content().screen }, in: world)
    for words in shown { expect(play.shows(words), "“\(words)” after \(version)") }
    for words in hidden { expect(!play.shows(words), "no “\(words)” after \(version)") }
    play.press("Agree")
    expect(world.preferences[.acceptedConsentVersion], is: LegalContent.version, "the version on record")
    play.end()
  }
}

@MainActor
private func counting() {
  for (stored, configured, stands) in [
    (nil, nil, false), (nil, "false", false), (nil, "true", true), ("false", "true", false), ("true", nil, true),
  ] as [(String?, String?, Bool)] {
    for isTurned in [false, true] {
      var secrets = ["ANALYTICS_URL": "https://example.org"]
      secrets["ANALYTICS_DEFAULT"] = configured
      let world = World(stored.map { ["analyticsEnabled": $0] } ?? [:], secrets: secrets)
      let play = Play(OnboardingGate { ConsentGate { Content().screen } }, in: world)
      play.press("Skip")
      guard let control = need(Tree.find("GtkSwitch", in: play.root).first, "the switch") else { return }
      expect(gtk_switch_get_active(OpaquePointer(control)) != 0, is: stands, "the switch at first")
      if isTurned { gtk_switch_set_active(OpaquePointer(control), stands ? 0 : 1) }
      expect(world.file.values["analyticsEnabled"] ?? "", is: stored ?? "", "what is on record before the answer")
      play.press("Agree")
      let isOn = stands != isTurned
      expect(world.preferences[.analyticsEnabled], is: isOn, "what is on record")
      expect(world.events.map(\.name), is: isOn ? [.onboardingCompleted] : [], "the events")
      play.end()
    }
  }
}

@MainActor
private func nothingConfigured() {
  let world = World(secrets: ["ANALYTICS_DEFAULT": "true"])
  let play = Play(ConsentGate { Content().screen }, in: world)
  expect(Tree.find("GtkSwitch", in: play.root).isEmpty && !play.holds("Count"), "no word of it")
  play.press("Agree")
  expect(world.file.values["analyticsEnabled"] == nil, "nothing on record")
  play.end()
}

@MainActor
private func structure() {
  let world = World()
  world.texts["legal/terms.md"] = """
    # Terms

    See [there](https://example.org/x).
    ## Part
    - one
    - two
    """
  let play = Play(ConsentGate { Content().screen }, in: world)
  Tree.emit("activated", of: Tree.find("AdwActionRow", in: play.root)[0])
  func roles(_ role: GtkAccessibleRole, _ type: String) -> [GtkPointer] {
    Tree.find(type, in: play.root).filter { gtk_accessible_get_accessible_role(OpaquePointer($0)) == role }
  }
  expect(roles(GTK_ACCESSIBLE_ROLE_HEADING, "GtkLabel").flatMap(Tree.texts), is: ["Terms", "Part"], "the headings")
  expect(roles(GTK_ACCESSIBLE_ROLE_LIST, "GtkBox").count, is: 1, "the lists")
  expect(roles(GTK_ACCESSIBLE_ROLE_LIST_ITEM, "GtkBox").count, is: 2, "the items")
  let prose = Tree.find("GtkLabel", in: play.root).filter {
    ["See there.", "one", "two", "Part"].contains(Tree.texts($0).first)
  }
  expect(prose.count == 4 && prose.allSatisfy { gtk_label_get_selectable(OpaquePointer($0)) != 0 }, "selectable")
  expect(world.opened, is: [], "what is opened by showing it")
  play.end()
}

@MainActor
private func translated() {
  for (version, shown) in [(LegalContent.version, "Ein Absatz."), ("2020-01-01", "One paragraph.")] {
    let before = g_getenv("LANGUAGE").map { String(cString: $0) }
    g_setenv("LANGUAGE", "de", 1)
    defer { if let before { g_setenv("LANGUAGE", before, 1) } else { g_unsetenv("LANGUAGE") } }
    // Somebody who has accepted is not asked again because of it.
    let content = Content()
    let world = World(World.complete)
    world.texts["legal/terms.de.md"] = "# Text\n\nVersion \(version)\n\nEin Absatz."
    let passed = Play(ConsentGate { content.screen }, in: world, shown: false)
    expect(content.isInWindow, "the child")
    passed.end()
    let reader = World()
    reader.texts = world.texts
    let play = Play(ConsentGate { Content().screen }, in: reader)
    Tree.emit("activated", of: Tree.find("AdwActionRow", in: play.root)[0])
    expect(play.shows(shown), "“\(shown)” where the translation is of \(version)")
    play.end()
  }
}
