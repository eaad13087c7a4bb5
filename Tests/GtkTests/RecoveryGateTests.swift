import GLibKit
import GateCore
import Gates
import GtkKit

@MainActor
let recoveryGateTests = Suite(
  "RecoveryGate",
  [
    Test("is open where nothing is to be told", nothingToTell),
    Test("tells before the lock and the content are there", tellsFirst),
    Test("shows a report form in its place", reportForm),
    Test("its form goes with the user, and Continue forgets what was typed", formIsForgotten),
    Test("offers to save the report where the lock is off", savesWithoutLock),
    Test("says what ended the run", words),
    Test("a safe run that was killed is not called a third crash", safeAgain),
    Test("safe mode offers no safe mode for what keeps coming back", noSaferMode),
    Test("safe mode shows its page behind the lock", safeMode),
    Test("safe mode says what became of a wish", outcomes),
  ])

private let crash = RunEnd.crashed(signal: "SIGSEGV")
private let closed = "App Gates closed unexpectedly"

@MainActor
private func play(
  _ recovery: RecoveryController?, _ content: Content, _ world: World, _ change: (GateContext) -> GateContext = { $0 }
) -> Play {
  let context = recovery.map { world.context().adding($0) } ?? world.context()
  return Play(
    RecoveryGate { BiometricGate { SafeModeGate { content.screen } } }, in: world, context: change(context))
}

@MainActor
private func nothingToTell() {
  for recovery in [nil, RecoveryController(), RecoveryController(end: .logout), RecoveryController(end: .rebooted)] {
    let content = Content()
    let play = play(recovery, content, World())
    expect(content.isInWindow && !play.shows(closed), "the content at once")
    play.end()
  }
}

@MainActor
private func tellsFirst() {
  let content = Content()
  let world = World(["biometricEnabled": "true"])
  let recovery = RecoveryController(end: crash, gate: "MainShell")
  let play = play(recovery, content, world)
  expect(play.shows(closed) && content.made == 0, "the page, and no child made")
  expect(!play.holds("App Gates is locked") && world.pam.begun == 0, "no lock and no password check yet")
  expect(play.shows("Details") && !play.shows("Send a Report"), "the details, and no report without a form")
  play.press("Continue")
  expect(play.shows("App Gates is locked") && content.made == 0, "the lock, and no child made")
  play.unlock()
  expect(content.isInWindow, "the child")
  play.end()
}

@MainActor
private func reportForm() {
  let content = Content()
  let recovery = RecoveryController(end: crash)
  let (desk, world) = (Desk(), World())
  guard let reporting = need(desk.context(world)[Reporting.self], "what the form works with") else { return }
  let play = play(recovery, content, world) { $0.adding(reporting) }
  play.press("Send a Report")
  expect(!Tree.find("GtkTextView", in: play.root).isEmpty, "the form")
  expect(recovery.isToTell && content.made == 0, "no child made behind it")
  recovery.goOn()
  expect(content.isInWindow && Tree.find("GtkTextView", in: play.root).isEmpty, "the child, and no form")
  play.end()
}

@MainActor
private func formIsForgotten() {
  let (desk, world, content) = (Desk(), World(["biometricEnabled": "true"]), Content())
  guard let reporting = need(desk.context(world)[Reporting.self], "what the form works with") else { return }
  let play = play(RecoveryController(end: crash), content, world) { $0.adding(reporting) }
  play.press("Send a Report")
  type("mine", in: play)
  world.host.setActive(false)
  expect(typed(play), is: "no field", "the form while nobody is there")
  world.host.setActive(true)
  play.press("Send a Report")
  expect(typed(play), is: "mine", "the draft")
  world.host.setActive(false)
  play.press("Continue")
  expect(desk.reports.drafts[.card(isLocked: true)], is: ReportDrafts.Draft(), "what a locked card would show")
  play.end()
}

@MainActor
private func savesWithoutLock() {
  for isOn in [true, false] {
    let (desk, content) = (Desk(isConfigured: false), Content())
    let world = World(["biometricEnabled": isOn ? "true" : "false"])
    guard let reporting = need(desk.context(world)[Reporting.self], "what the form works with") else { return }
    let play = play(RecoveryController(end: crash), content, world) { $0.adding(reporting) }
    play.press("Send a Report")
    expect(play.shows("Save as a File…"), is: !isOn, "the dialog for a file, the lock on: \(isOn)")
    play.end()
  }
}

@MainActor
private func words() {
  let rows: [(RunEnd, String)] = [
    (.unexpected, "App Gates ended unexpectedly"), (.exited, "A fault in the app ended it."),
    (.outOfMemory, "The computer had run out of memory"), (crash, closed),
  ]
  for (end, words) in rows {
    let content = Content()
    let play = play(RecoveryController(end: end), content, World())
    expect(play.shows(words), "“\(words)”")
    play.end()
  }
}

@MainActor
private func safeAgain() {
  let content = Content()
  let play = play(RecoveryController(end: .unexpected, history: CrashHistory([1, 2, 3])), content, World())
  expect(play.shows("The app starts in safe mode again."), "that it does so again")
  expect(!play.shows("It was the third time"), "no word of a third time")
  play.end()
}

@MainActor
private func noSaferMode() {
  for isSafe in [true, false] {
    let (content, world) = (Content(), World())
    world.host.startSafely = {}
    let recovery = RecoveryController(end: isSafe ? .restarted(safely: true) : .clean)
    let screen = ErrorBoundary { content.screen }
    let play = Play(screen, in: world, context: world.context().adding(recovery))
    for round in 0...ErrorReturns.limit {
      world.bus.post(.todosNotSaved(.noSpace))
      Stage.until("the card") { play.shows("Something went wrong") }
      if round < ErrorReturns.limit { play.press("Try again") }
    }
    expect(play.shows("This keeps coming back."), "the advice")
    expect(play.shows("Start in Safe Mode"), is: !isSafe, "the way to safe mode, in safe mode: \(isSafe)")
    play.end()
  }
}

@MainActor
private func client(
  todos: @escaping @MainActor () throws(FileFault) -> String = { () throws(FileFault) in throw .missing },
  damaged: [DamagedFile] = [], leave: @escaping @MainActor () -> Void = {}
) -> SafeModeClient {
  SafeModeClient(
    todos: todos, save: { (_, _) throws(FileFault) in throw .noSpace }, damaged: { damaged },
    setAside: { (_) throws(FileFault) in throw .readOnly }, leave: leave)
}

@MainActor
private func safeMode() {
  let content = Content()
  let world = World(["biometricEnabled": "true"])
  var left = 0
  let recovery = RecoveryController(end: crash, history: CrashHistory([1, 2, 3]))
  let play = play(recovery, content, world) { $0.adding(client(leave: { left += 1 })) }
  expect(play.shows("the app starts in safe mode now"), "the sentence")
  play.press("Continue")
  expect(play.shows("App Gates is locked") && !play.holds("Safe Mode"), "the lock first")
  play.unlock()
  expect(play.shows("Safe Mode") && content.made == 0, "the page of safe mode, and no child made")
  play.press("Leave Safe Mode")
  expect(left, is: 1, "the wishes to leave")
  play.press("Open the List")
  expect(content.isInWindow && !play.holds("Safe Mode"), "the child")
  play.end()
}

@MainActor
private func outcomes() {
  for (fault, words) in [(FileFault.missing, "nothing to export"), (.damaged, "cannot be read: the file is damaged")] {
    let content = Content()
    let recovery = RecoveryController(end: .restarted(safely: true))
    let play = play(recovery, content, World()) {
      $0.adding(client(todos: { () throws(FileFault) in throw fault }))
    }
    expect(!play.holds(closed), "nothing told of a run that was ended on purpose")
    play.press("Export Todos…")
    expect(play.shows(words), "“\(words)”")
    play.press("Reset What Is Damaged…")
    expect(play.shows("Nothing is damaged."), "that nothing is")
    play.end()
  }
}
