import CGtk
import GLibKit
import GtkKit

@MainActor
let signalTests = Suite(
  "Signal",
  [
    Test("the box goes with its disconnection", disconnectFrees),
    Test("the box goes with its object", objectFrees),
    Test("a handler may disconnect itself", selfDisconnect),
    Test("a handler may destroy its own object", selfDestroy),
    Test("a connection holds no object, and outlives it", connectionIsWeak),
    Test("a blocked handler does not run, then does again", blocked),
    Test("a property's change is told", propertyChange),
  ])

/// Something whose life can be watched, for handlers to hold.
private final class Marker {}

@MainActor
private func disconnectFrees() {
  let before = Connection.live
  let button = Button("A")
  let atStart = Connection.live
  var marker: Marker? = Marker()
  weak var seen: Marker?
  seen = marker
  let connection = button.on("clicked") { [marker] _ in _ = marker }
  marker = nil
  expect(Connection.live, is: atStart + 1, "the handlers")
  expect(seen != nil, "the handler to hold what it uses")
  connection.disconnect()
  expect(seen == nil, "what the handler held to be free")
  expect(Connection.live, is: atStart, "the handlers")
  connection.disconnect()
  expect(Connection.live, is: atStart, "the handlers after a second disconnection")
  expect(Connection.live, is: before, "the handlers")
}

@MainActor
private func objectFrees() {
  let before = Census()
  weak var seen: Marker?
  do {
    let marker = Marker()
    seen = marker
    let button = Button("A")
    button.on("clicked") { _ in _ = marker }
    expect(Connection.live, is: before.connections + 1, "the handlers")
  }
  expect(seen == nil, "what the handler held to be free")
  expect(Census(), is: before, "the census")
}

@MainActor
private func selfDisconnect() {
  let before = Census()
  do {
    let button = Button("A")
    var runs = 0
    var connection: Connection?
    weak var seen: Marker?
    var heldWhileRunning = false
    do {
      let marker = Marker()
      seen = marker
      connection = button.on("clicked") { _ in
        runs += 1
        connection?.disconnect()
        // The closure lives on until it has returned, and so does all that it holds.
        _ = marker
        heldWhileRunning = seen != nil
      }
    }
    Tree.emit("clicked", of: button.widget)
    Tree.emit("clicked", of: button.widget)
    expect(runs, is: 1, "the number of calls")
    expect(heldWhileRunning, "the box to be held while its handler runs")
    expect(seen == nil, "the box to be free afterwards")
    connection = nil
  }
  expect(Census(), is: before, "the census")
}

@MainActor
private func selfDestroy() {
  let before = Census()
  weak var seen: Marker?
  var after = ""
  do {
    let marker = Marker()
    seen = marker
    let place = Bin()
    place.child = Button("A").onClick { [weak place] in
      place?.child = nil
      _ = marker
      after = seen == nil ? "freed" : "held"
    }
    guard let button = need(gtk_widget_get_first_child(place.widget), "the button") else { return }
    Tree.emit("clicked", of: button)
    expect(after, is: "held", "the box while its handler runs")
    expect(gtk_widget_get_first_child(place.widget) == nil, "the button to be gone")
  }
  expect(seen == nil, "the box to be free once its object has gone")
  expect(Census(), is: before, "the census")
}

@MainActor
private func connectionIsWeak() {
  let before = Census()
  var connection: Connection?
  do {
    let button = Button("A")
    connection = button.on("clicked") { _ in }
  }
  expect(Census(), is: before, "the census, with the connection still there")
  connection?.disconnect()
  var ran = false
  connection?.blocked { ran = true }
  expect(ran, "the body to run although the object has gone")
}

@MainActor
private func blocked() {
  let button = Button("A")
  var runs = 0
  let connection = button.on("clicked") { _ in runs += 1 }
  connection.blocked { Tree.emit("clicked", of: button.widget) }
  expect(runs, is: 0, "the calls while blocked")
  Tree.emit("clicked", of: button.widget)
  expect(runs, is: 1, "the calls afterwards")
}

@MainActor
private func propertyChange() {
  let button = Button("A")
  var runs = 0
  button.onChange(of: "sensitive") { runs += 1 }
  button.isSensitive = false
  button.isSensitive = false
  button.isSensitive = true
  expect(runs, is: 2, "the changes told")
}
