import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

@MainActor
let errorBoundaryTests = Suite(
  "ErrorBoundary",
  [
    Test("shows its child while nothing is wrong", opensAtOnce),
    Test("posts from eight threads make one card, which counts", eightThreads),
    Test("Try again brings the child back with its draft", tryAgain),
    Test("the card comes before anything is drawn", beforeRedraws),
    Test("shows the card at once for what was posted before", postedBefore),
    Test("stands above a locked gate and shows no content", aboveTheLock),
    Test("details show in debug builds only", details),
    Test("Quit quits", quits),
  ])

private let title = "Something went wrong"

@MainActor
private func opensAtOnce() {
  let content = Content()
  let play = Play(ErrorBoundary { content.screen }, in: World())
  expect(content.isInWindow, "the child in the window")
  expect(!play.shows(title), "no card")
  play.end()
  expect(content.ended, is: 1, "the ends of the child")
}

@MainActor
private func eightThreads() {
  let content = Content()
  let world = World()
  let play = Play(ErrorBoundary { content.screen }, in: world)
  let bus = world.bus
  let threads = (0..<8).map { number in
    Thread { for _ in 0..<50 { bus.post(number < 4 ? .todosNotSaved(.noSpace) : .todosNotSaved(.readOnly)) } }
  }
  for thread in threads { thread.join() }
  Stage.until("the card") { play.shows(title) }
  Stage.drain()
  expect(play.words.count { $0 == title }, is: 1, "the number of cards")
  expect(play.words.count { $0.has("(200 times)") }, is: 2, "the sentences with their count")
  expect(!content.isInWindow, "the child out of the window")
  expect(content.made, is: 1, "the children made")
  play.end()
}

@MainActor
private func tryAgain() {
  let content = Content()
  let world = World()
  let play = Play(ErrorBoundary { content.screen }, in: world)
  content.entry?.text = "half a thought"
  content.entry?.grabFocus()
  content.entry?.cursor = 4
  world.bus.post(.todosNotSaved(.noSpace))
  Stage.until("the card") { play.shows(title) }
  expect(content.parked, is: 1, "the parkings")
  expect(!play.holds("half") && !play.holds("Behind"), "nothing of the content in the window")
  play.press("Try again")
  Stage.until("the child back") { content.isInWindow }
  expect(content.entry?.text ?? "", is: "half a thought", "the draft")
  expect(content.entry?.cursor ?? -1, is: 4, "the cursor")
  expect(content.entry?.isFocused ?? false, "the field with the keyboard")
  expect(world.bus.current.isEmpty, "an empty bus")
  expect([content.made, content.ended], is: [1, 0], "children made and ended")
  play.end()
}

@MainActor
private func beforeRedraws() {
  let content = Content()
  let world = World()
  let play = Play(ErrorBoundary { content.screen }, in: world)
  var framesWithContent = 0
  gtk_widget_queue_draw(play.root)
  let clock = Object(borrowing: UnsafeMutableRawPointer(gtk_widget_get_frame_clock(play.root)))
  let connection = clock.on("paint") { _ in
    if !world.bus.current.isEmpty, content.isInWindow { framesWithContent += 1 }
  }
  world.bus.post(.todosNotSaved(.noSpace))
  Stage.until("the card") { play.shows(title) }
  MainLoop.run(atMost: 50) { false }
  connection.disconnect()
  expect(framesWithContent, is: 0, "the frames drawn with content after the post")
  play.end()
}

@MainActor
private func postedBefore() {
  let content = Content()
  let world = World()
  world.bus.post(.unexpected(detail: "x"))
  let play = Play(ErrorBoundary { content.screen }, in: world)
  expect(play.shows(title) && content.made == 0, "the card, and no child made")
  play.press("Try again")
  Stage.until("the child") { content.isInWindow }
  play.end()
}

@MainActor
private func aboveTheLock() {
  let content = Content()
  let world = World(["biometricEnabled": "true"])
  let play = Play(ErrorBoundary { BiometricGate { content.screen } }, in: world)
  expect(play.shows("App Gates is locked") && content.made == 0, "the locked page, and no child made")
  let before = world.pam.begun
  world.bus.post(.todosUnreadable(path: "~/todos", .damaged))
  Stage.until("the card") { play.shows(title) }
  expect(!play.shows("App Gates is locked"), "the card in the place of the locked page")
  expect(world.pam.last?.isCancelled ?? true, "no password check behind the card")
  play.press("Try again")
  Stage.until("the locked page back") { play.shows("App Gates is locked") }
  expect(content.made == 0 && !content.isInWindow, "no content at any time")
  expect(world.pam.begun > before, "a new password check")
  // Locked while the card shows: what the card gives back is the locked page.
  play.unlock()
  expect(content.isInWindow, "the child once unlocked")
  world.bus.post(.todosNotSaved(.noSpace))
  Stage.until("the card") { play.shows(title) }
  content.context?[BiometricController.self]?.lock()
  play.press("Try again")
  Stage.until("the locked page") { play.shows("App Gates is locked") }
  expect(!content.isInWindow, "the content out of the window")
  play.end()
}

@MainActor
private func details() {
  for showsDetails in [false, true] {
    let world = World()
    world.host.showsDetails = showsDetails
    world.bus.post(.unexpected(detail: "index 7 of 3"))
    let content = Content()
    let play = Play(ErrorBoundary { content.screen }, in: world)
    expect(play.shows("index 7 of 3"), is: showsDetails, "the details in sight")
    play.end()
  }
}

@MainActor
private func quits() {
  let world = World()
  world.bus.post(.unexpected(detail: ""))
  let content = Content()
  let play = Play(ErrorBoundary { content.screen }, in: world)
  play.press("Quit")
  expect(world.quits, is: 1, "the number of quits")
  play.end()
}
