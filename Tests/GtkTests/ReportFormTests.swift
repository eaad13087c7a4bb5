import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

@MainActor
let reportFormTests = Suite(
  "ReportForm",
  [
    Test("what is read is what is sent", readIsSent),
    Test("what was typed while open is not shown above the lock, nor the other way about", draftsAndLock),
    Test("with the lock on, a form above it goes when the user goes", goesWithTheUser),
    Test("what was typed while locked is forgotten at the unlock", forgetsAtTheUnlock),
    Test("without an address, above the lock, no dialog shows the user's files", withoutAddress),
    Test("a card that comes and goes with its form leaves nothing behind", leavesNothing),
  ])

/// Reports that are sent to nobody, and remembered.
@MainActor
final class Desk {
  private(set) var bodies: [String] = []
  private(set) lazy var reports = ReportController(
    dsn: isConfigured ? SentryDsn("https://key@example.org/1") : nil, version: "1",
    writer: ReportWriter(
      parts: { report in
        [ReportPart(.event, id: "e", payload: "gate \(report.facts.gate)")]
          + (report.hasWords ? [ReportPart(.feedback, id: "f", payload: "says \(report.message)")] : [])
      },
      envelope: { part, at in "\(part.id)\(at == nil ? "" : " now")\n\(part.payload)\n" },
      makeID: { String(UInt64.random(in: 0...(.max))) }),
    store: ReportStore(load: { ([], RateLimits()) }, save: { _ in }, remove: { _ in }, saveLimits: { _ in }),
    web: WebClient { [weak self] request, done in
      self?.bodies.append(String(decoding: request.body, as: UTF8.self))
      done(.success(WebAnswer(status: 200)))
      return {}
    }, clock: Clock(wall: { Time.wall }, boot: { Time.boot }), after: { MainLoop.after($0, $1) })
  private let isConfigured: Bool

  init(isConfigured: Bool = true) { self.isConfigured = isConfigured }

  func context(_ world: World) -> GateContext {
    world.context().adding(
      Reporting(reports) {
        ReportFacts(
          version: "1", isDebugBuild: true, system: "S", systemVersion: "1", gtk: "4", locale: "C", gate: $0)
      })
  }
}

@MainActor
func type(_ words: String, in play: Play) {
  guard let view = need(Tree.find("GtkTextView", in: play.root).first, "the field") else { return }
  gtk_text_buffer_set_text(gtk_text_view_get_buffer(Widget(borrowing: view).cast()), words, -1)
}

@MainActor
func typed(_ play: Play) -> String {
  guard let view = Tree.find("GtkTextView", in: play.root).first else { return "no field" }
  var (start, end) = (GtkTextIter(), GtkTextIter())
  let buffer = gtk_text_view_get_buffer(Widget(borrowing: view).cast())
  gtk_text_buffer_get_bounds(buffer, &start, &end)
  guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 0) else { return "" }
  defer { g_free(text) }
  return String(cString: text)
}

@MainActor
private func readIsSent() {
  let (desk, world, content) = (Desk(), World(), Content())
  let screen = ErrorBoundary { BiometricGate { content.screen } }
  let play = Play(screen, in: world, context: desk.context(world))
  world.bus.post(.todosNotSaved(.noSpace))
  Stage.until("the card") { play.shows("Something went wrong") }
  play.press("Send a Report")
  type("It broke", in: play)
  guard let expander = need(Tree.find("GtkExpander", in: play.root).first, "the expander") else { return }
  gtk_expander_set_expanded(OpaquePointer(expander), 1)
  expect(play.holds("e\ngate MainShell\n\nf\nsays It broke\n"), "both envelopes to be read")
  expect(desk.bodies, is: [], "what was sent before the click")
  play.press("Send")
  Stage.until("both envelopes sent") { desk.bodies.count == 2 }
  expect(desk.bodies, is: ["e now\ngate MainShell\n", "f now\nsays It broke\n"], "what was sent")
  play.press("OK")
  expect(play.shows("Something went wrong") && play.shows("Try again"), "the card again")
  play.press("Send a Report")
  expect(typed(play), is: "", "the next report")
  play.end()
}

@MainActor
private func draftsAndLock() {
  let (desk, world, content) = (Desk(), World(["biometricEnabled": "true"]), Content())
  let screen = ErrorBoundary { BiometricGate { content.screen } }
  let play = Play(screen, in: world, context: desk.context(world))
  play.unlock()
  world.bus.post(.todosNotSaved(.noSpace))
  Stage.until("the card") { play.shows("Something went wrong") }
  play.press("Send a Report")
  type("mine", in: play)
  content.context?[BiometricController.self]?.lock()
  expect(play.shows("Try again") && !play.holds("mine"), "the card, and nothing of the form")
  play.press("Send a Report")
  expect(typed(play), is: "", "the form above the lock")
  type("a stranger's", in: play)
  let back = Tree.all(play.root).first { Tree.typeName($0) == "GtkButton" && gtk_widget_get_tooltip_text($0) != nil }
  guard let back = need(back, "Back") else { return }
  Tree.emit("clicked", of: back)
  play.press("Try again")
  play.unlock()
  world.hands.boot += 2 * ErrorReturns.window
  world.bus.post(.todosNotSaved(.noSpace))
  Stage.until("the card") { play.shows("Something went wrong") }
  play.press("Send a Report")
  expect(typed(play), is: "mine", "the draft of the user")
  play.end()
}

@MainActor
private func goesWithTheUser() {
  for isOn in [true, false] {
    let (desk, world, content) = (Desk(), World(["biometricEnabled": isOn ? "true" : "false"]), Content())
    let play = Play(ErrorBoundary { BiometricGate { content.screen } }, in: world, context: desk.context(world))
    if isOn { play.unlock() }
    world.bus.post(.todosNotSaved(.noSpace))
    Stage.until("the card") { play.shows("Something went wrong") }
    play.press("Send a Report")
    type("mine", in: play)
    world.host.setActive(false)
    expect(typed(play), is: isOn ? "no field" : "mine", "the form while nobody is there, the lock on: \(isOn)")
    world.host.setActive(true)
    if isOn {
      play.press("Send a Report")
      expect(typed(play), is: "mine", "the draft of the user who is back in time")
    }
    play.end()
  }
}

@MainActor
private func forgetsAtTheUnlock() {
  let (desk, world, content) = (Desk(), World(["biometricEnabled": "true"]), Content())
  let play = Play(ErrorBoundary { BiometricGate { content.screen } }, in: world, context: desk.context(world))
  desk.reports.drafts[.card(isLocked: true)].message = "a stranger's"
  desk.reports.drafts[.card(isLocked: false)].message = "mine"
  play.unlock()
  expect(desk.reports.drafts[.card(isLocked: true)], is: ReportDrafts.Draft(), "the draft of the locked card")
  expect(desk.reports.drafts[.card(isLocked: false)].message, is: "mine", "the other")
  content.context?[BiometricController.self]?.lock()
  play.end()
}

@MainActor
private func withoutAddress() {
  let (desk, content) = (Desk(isConfigured: false), Content())
  for isLocked in [true, false] {
    let world = World(["biometricEnabled": isLocked ? "true" : "false"])
    let screen = ErrorBoundary { BiometricGate { content.screen } }
    let play = Play(screen, in: world, context: desk.context(world))
    world.bus.post(.todosNotSaved(.noSpace))
    Stage.until("the card") { play.shows("Something went wrong") }
    play.press("Send a Report")
    expect(play.shows("No address for reports is configured here."), "that there is no address")
    expect(play.words.contains("Copy") && !play.words.contains("Send"), "a way to copy, none to send")
    expect(play.shows("Save as a File…"), is: !isLocked, "the dialog for a file")
    play.end()
  }
}

@MainActor
private func leavesNothing() {
  let (desk, world, content) = (Desk(), World(), Content())
  let play = Play(ErrorBoundary { content.screen }, in: world, context: desk.context(world))
  var first: Census?
  for round in 0..<12 {
    world.hands.boot += 2 * ErrorReturns.window
    world.bus.post(.todosNotSaved(.noSpace))
    Stage.until("the card") { play.shows("Something went wrong") }
    play.press("Send a Report")
    type("words", in: play)
    if round % 2 == 0 {
      play.press("Send")
      play.press("OK")
      play.press("Try again")
    } else {
      // From within the form, as a stray clear from elsewhere does.
      world.bus.clear()
    }
    Stage.until("the child back") { content.isInWindow }
    // Two sends are a moment apart.
    Stage.until("nothing on its way") { desk.reports.reports.allSatisfy { $0.state != .waiting } }
    Stage.drain()
    if round == 3 { first = Census() }
  }
  expect(first == Census(), "as much as after four rounds, but \(Census()) for \(first.map { "\($0)" } ?? "")")
  play.end()
}
