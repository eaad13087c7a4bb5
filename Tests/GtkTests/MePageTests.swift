import AppGates
import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

@MainActor
let mePageTests = Suite(
  "MePage",
  [
    Test("the reader's state is looked at anew whenever the user comes back to the page", looksAnew),
    Test("while a dialog is open nobody asks for the reader", waitsForDialogs),
    Test("the inspector stays shut in each window of the app", inspector),
  ])

/// A reader whose state is set by hand.
@MainActor
private final class HandReader {
  var state = ReaderState.noneEnrolled
  private(set) var looks: [Int64] = []
  private(set) lazy var client = FingerprintClient(
    begin: { HandPam.Conversation($0) },
    look: { [unowned self] done in
      looks.append(Time.boot)
      done(state)
      return nil
    },
    watch: { _ in nil })

  /// The shell of a returning user, on its page about oneself, in real time.
  func play() -> Play {
    let world = World(World.complete)
    var context = world.context(live: true)
    context.fingerprint = client
    return Play(RootView(), in: world, context: context)
  }
}

@MainActor
private func looksAnew() {
  let reader = HandReader()
  let play = reader.play()
  let rows = { (words: String) in play.words.filter { $0.has(words) }.count }
  Stage.until("both rows told") { rows("Enrol one in your desktop’s settings.") == 2 }
  reader.state = .ready(fingers: 2)
  for _ in 0..<3 {
    play.world.host.setActive(false)
    play.world.host.setActive(true)
  }
  Stage.until("both rows told anew") { rows("2 fingers are enrolled.") == 2 }
  expect(reader.looks.count, is: 2, "the looks")
  if reader.looks.count == 2 { expect(reader.looks[1] - reader.looks[0] >= 2_000, "two seconds between") }

  // Out of sight, nobody looks; in sight again, somebody does.
  gtk_widget_set_visible(play.window.widget, 0)
  play.world.host.setActive(true)
  MainLoop.run(atMost: 2_500) { reader.looks.count > 2 }
  expect(reader.looks.count, is: 2, "the looks while the page was out of sight")
  reader.state = .inUse
  gtk_widget_set_visible(play.window.widget, 1)
  Stage.until("the page, back with what is now") { rows("Close that program, or use the password.") == 2 }
  play.end()
}

@MainActor
private func waitsForDialogs() {
  let reader = HandReader()
  let play = reader.play()
  Stage.until("the first look") { reader.looks.count == 1 }
  let sheet = Sheet(over: play.window, title: "Sheet", Label("A finger, please"))
  sheet.show()
  play.world.host.setActive(true)
  MainLoop.run(atMost: 2_500) { reader.looks.count > 1 }
  expect(reader.looks.count, is: 1, "the looks under the sheet")
  sheet.dismiss()
  Stage.until("the look after it") { reader.looks.count == 2 }
  play.end()
}

@MainActor
private func inspector() {
  let window = Window(Stage.application, title: "Main")
  let sheet = Sheet(over: window, title: "Sheet", Label("Words"))
  let dialog = MessageDialog(over: window, heading: "Heading", body: "Body")
  dialog.answer("no", "No").closeAnswer("no")
  let before = windows()
  AboutWindow.show(
    over: window,
    AboutWindow.Facts(name: "Name", icon: "", version: "1", comments: "", website: "", issues: ""))
  let about = windows().filter { !before.contains($0) }
  expect(about.count, is: 1, "the About windows")
  for (name, each) in [("main window", window.raw), ("sheet", sheet.raw), ("dialog", dialog.raw)]
    + about.map({ ("About window", $0) })
  {
    let all = windows()
    expect(takesInspectorKeys(each), "the inspector’s keys taken by the \(name)")
    expect(
      windows().filter { !all.contains($0) }.map { Tree.typeName(Widget(borrowing: $0).widget) }, is: [],
      "what the \(name) opened")
  }
  for raw in about { gtk_window_destroy(Widget(borrowing: raw).cast()) }
  dialog.dismiss()
  sheet.dismiss()
  window.destroy()
  Stage.drain()
}

/// What the keys of the inspector do: whether somebody takes them before GTK, which would open it.
@MainActor
private func takesInspectorKeys(_ window: UnsafeMutableRawPointer) -> Bool {
  var (values, answer) = ([GValue(), GValue()], GValue())
  g_value_init(&values[0], gtk_window_get_type())
  g_value_set_object(&values[0], window)
  g_value_init(&values[1], GType(5 << 2))
  g_value_init(&answer, GType(5 << 2))
  defer { g_value_unset(&values[0]) }
  g_signal_emitv(&values, g_signal_lookup("enable-debugging", gtk_window_get_type()), 0, &answer)
  return g_value_get_boolean(&answer) != 0
}

@MainActor
private func windows() -> [UnsafeMutableRawPointer] {
  let list = Object(borrowing: UnsafeMutableRawPointer(gtk_window_get_toplevels()))
  return (0..<g_list_model_get_n_items(list.opaque)).compactMap { place in
    guard let item = g_list_model_get_item(list.opaque, place) else { return nil }
    g_object_unref(item)
    return item
  }
}
