import CGtk
import GLibKit
import GtkKit

/// A slot in a window, and notes of what its mounts go through.
@MainActor
final class SlotRig {
  let window = Window(Stage.application, title: "Slot")
  private(set) var slot: Slot
  private(set) var log: [String] = []
  private(set) var entry: Entry?

  init() {
    slot = Slot { Mount(Box(.vertical)) }
    slot = Slot { [weak self] in self?.makeChild() ?? Mount(Box(.vertical)) }
    window.content = slot.widget
    window.present()
    Stage.until("the window on the screen") { gtk_widget_get_mapped(window.widget) != 0 }
  }

  private func makeChild() -> Mount {
    let entry = Entry(placeholder: "Child")
    self.entry = entry
    log.append("child made")
    return note(Mount(Box(.vertical, [Button("Before"), entry])), "child")
  }

  private func note(_ mount: Mount, _ name: String) -> Mount {
    mount.onPark(
      { [weak self] in self?.log.append(name + " parked") },
      onReturn: { [weak self] in self?.log.append(name + " returned") })
    mount.onEnd { [weak self] in self?.log.append(name + " ended") }
    return mount
  }

  func face(_ name: String = "face") -> Mount {
    log.append(name + " made")
    return note(Mount(Button(name)), name)
  }

  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  var showsChild: Bool { entry.map { Tree.isInWindow($0.widget) } ?? false }
  func shows(face: String) -> Bool { Tree.button(face, in: slot.widget.widget) != nil }

  func end() {
    slot.close()
    window.content = nil
    window.destroy()
    Stage.drain()
  }
}

@MainActor
func withSlot(_ body: (SlotRig) -> Void) {
  let before = Census()
  do {
    let rig = SlotRig()
    body(rig)
    rig.end()
  }
  expect(Census(), is: before, "the census afterwards")
}
