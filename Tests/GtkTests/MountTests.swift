import CGtk
import GLibKit
import GtkKit

@MainActor
let mountTests = Suite(
  "Mount",
  [
    Test("keeps what it was given until it ends", keepsThings),
    Test("ends once", endsOnce),
    Test("cancels its tasks at its end", cancelsTasks),
    Test("holds nothing that holds it", isFreed),
  ])

private final class Marker {}

@MainActor
private func keepsThings() {
  weak var seen: Marker?
  weak var other: Marker?
  let mount: Mount
  do {
    let marker = Marker()
    let second = Marker()
    seen = marker
    other = second
    mount = Mount(Box(.vertical), keeping: marker)
    mount.keep(second)
  }
  expect(seen != nil && other != nil, "both things kept")
  mount.end()
  expect(seen == nil && other == nil, "both things freed")
}

@MainActor
private func endsOnce() {
  let mount = Mount(Box(.vertical))
  var ends = 0
  mount.onEnd { ends += 1 }
  mount.end()
  mount.end()
  expect(ends, is: 1, "the number of ends")
}

@MainActor
private func cancelsTasks() {
  let mount = Mount(Box(.vertical))
  var isRunning = false
  var isCancelled = false
  mount.run {
    isRunning = true
    try? await Task.sleep(for: .seconds(60))
    isCancelled = Task.isCancelled
  }
  Stage.until("the task running") { isRunning }
  mount.end()
  Stage.until("the task cancelled") { isCancelled }
}

@MainActor
private func isFreed() {
  let before = Census()
  var isDone = false
  do {
    let mount = Mount(Button("A"))
    mount.run { isDone = true }
    mount.onPark({}, onReturn: {})
  }
  Stage.until("the task done") { isDone }
  Stage.drain()
  expect(Census(), is: before, "the census")
}
