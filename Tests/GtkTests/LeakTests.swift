import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

/// 1,000 openings and closings of each gate leave no widget, signal box or mount behind but the one that is parked.
@MainActor
let leakTests = Suite(
  "Leaks",
  [
    Test("ErrorBoundary", errorBoundary),
    Test("BiometricGate", biometricGate),
    Test("UpdateGate", updateGate),
    Test("OnboardingGate", onboardingGate),
    Test("ConsentGate", consentGate),
    Test("AuthGate", authGate),
    Test("a census sees a leak", seesLeak),
    Test("no page that scrolls stays connected to GTK's settings", settingsForget),
  ])

private let rounds = 1000

/// Goes round a thousand times, and compares with what there was after the first ten.
@MainActor
private func goRound(_ what: String, line: UInt = #line, _ once: () -> Void) {
  for _ in 0..<10 { once() }
  Stage.drain()
  let before = Census()
  for _ in 10..<rounds { once() }
  Stage.drain()
  expect(Census(), is: before, "the census after \(rounds) rounds of \(what)", line: line)
}

/// The same for a gate that closes over its content: the content must be one and the same throughout.
@MainActor
private func goRound(
  _ screen: (Content) -> any Screen, in world: World, close: (Play, Content) -> Void, open: (Play, Content) -> Void,
  line: UInt = #line
) {
  let outside = Census()
  var made = 0
  do {
    let content = Content()
    let play = Play(screen(content), in: world)
    if !content.isInWindow { open(play, content) }
    var wrong = 0
    goRound("closing and opening", line: line) {
      close(play, content)
      if content.isInWindow { wrong += 1 }
      open(play, content)
      if !content.isInWindow { wrong += 1 }
    }
    expect(wrong, is: 0, "the times that the wrong thing showed", line: line)
    // Closed at the end: what remains is what is parked, and it goes with the gate.
    close(play, content)
    made = content.made
    play.end()
  }
  MainLoop.run(atMost: 20) { false }
  expect(made >= 1, "a child to have been made", line: line)
  let left = Census()
  expect(left.mounts, is: outside.mounts, "the mounts once the gate has gone", line: line)
  expect(left.widgets, is: outside.widgets, "the widgets once the gate has gone", line: line)
}

@MainActor
private func errorBoundary() {
  let world = World()
  goRound(
    { content in ErrorBoundary { content.screen } }, in: world,
    close: { _, content in
      // Seldom enough to be tried again each time.
      world.hands.boot += 2 * ErrorReturns.window
      world.bus.post(.todosNotSaved(.noSpace))
      MainLoop.run(atMost: 1000) { !content.isInWindow }
    },
    open: { play, content in
      play.press("Try again")
      MainLoop.run(atMost: 1000) { content.isInWindow }
    })
}

@MainActor
private func biometricGate() {
  let world = World(["biometricEnabled": "true"])
  goRound(
    { content in BiometricGate { content.screen } }, in: world,
    close: { _, _ in
      world.host.setActive(false)
      world.hands.boot += 2000
      world.host.setActive(true)
    },
    open: { play, _ in play.unlock() })
}

@MainActor
private func updateGate() {
  let world = World(secrets: ["LATEST_APP_VERSION": "1.1", "APP_STORE_URL": "https://example.org/app"])
  goRound(
    { content in UpdateGate { content.screen } }, in: world,
    close: { _, _ in
      world.hands.wall += UpdateController.rest
      world.host.setActive(true)
    },
    open: { play, _ in play.press("Later") })
}

@MainActor
private func consentGate() {
  let world = World()
  goRound(
    { content in ConsentGate { content.screen } }, in: world,
    close: { _, _ in world.file.change("acceptedConsentVersion", to: "2020-01-01") },
    open: { play, _ in play.press("Agree") })
}

@MainActor
private func authGate() {
  let world = World(World.complete)
  goRound(
    { content in AuthGate { content.screen } }, in: world,
    close: { _, content in content.context?[AuthController.self]?.signOut() },
    open: { play, content in
      play.press("Continue on this computer")
      MainLoop.run(atMost: 1000) { content.isInWindow }
    })
}

/// This gate opens once and for all, so each round is a new one.
@MainActor
private func onboardingGate() {
  let window = Window(Stage.application, title: "Leaks")
  window.present()
  Stage.until("the window on the screen") { gtk_widget_get_mapped(window.widget) != 0 }
  goRound("slides seen and skipped") {
    let world = World()
    let content = Content()
    let mount = OnboardingGate { content.screen }.mount(in: world.context())
    window.content = mount.widget
    Tree.press("Next", in: window.widget)
    Tree.press("Skip", in: window.widget)
    if !content.isInWindow { Checks.fail("expected the content", #fileID, #line) }
    mount.end()
    window.content = nil
  }
  window.destroy()
  Stage.drain()
}

/// What the other tests rest on: something that is left behind makes a difference.
@MainActor
private func seesLeak() {
  let before = Census()
  var kept: [Any] = []
  kept.append(Mount(Box(.vertical)))
  expect(Census() != before, "a mount to be seen")
  kept = []
  expect(Census(), is: before, "the census without it")
  // The wrapper goes, the widget stays: it holds itself through its own handler.
  var button: Button? = Button("A")
  if let held = button { held.onClick { held.isSensitive = false } }
  button = nil
  expect(Census() != before, "a widget that holds itself to be seen")
}

/// A handler that outlives its widget runs with freed memory at the next change of the setting.
@MainActor
private func settingsForget() {
  guard let settings = need(gtk_settings_get_default(), "settings") else { return }
  let window = Window(Stage.application, title: "Scrolled")
  window.present()
  for page in [Scrolled(Label("A")), StatusPage(title: "A"), GroupsPage([])] as [Widget] {
    let scrolled = Tree.find("GtkScrolledWindow", in: page.widget)
    let isConnected = {
      scrolled.contains {
        g_signal_handler_find(UnsafeMutableRawPointer(settings), G_SIGNAL_MATCH_DATA, 0, 0, nil, nil, $0) != 0
      }
    }
    for _ in 0..<2 {
      window.content = page
      Stage.until("the page on the screen") { gtk_widget_get_mapped(page.widget) != 0 }
      expect(isConnected(), "a page that is connected, without which this test means nothing")
      window.content = nil
      expect(!isConnected(), "no connection of \(Tree.typeName(page.widget)) out of the window")
    }
  }
  window.destroy()
  Stage.drain()
}
