import CGtk
import GLibKit
import GtkKit

@MainActor
let slotTests = Suite(
  "Slot",
  [
    Test("makes no child before it opens, and one only", childIsLate),
    Test("an interruption parks the child, its reference kept", interruptParks),
    Test("an end drops the child", endDrops),
    Test("a slot within a slot is parked with it, and stays as it was", nested),
    Test("a face replaces a face, and each ends once", facesReplace),
    Test("what comes up while the slot is parked stays at rest", parkedSlot),
    Test("parking twice is parking once", parkTwice),
    Test("closing ends all that is there, once", closes),
  ])

@MainActor
private func childIsLate() {
  withSlot { rig in
    rig.slot.interrupt { rig.face() }
    expect(!rig.slot.hasChild && rig.entry == nil, "no child before the slot opens")
    rig.slot.open()
    rig.slot.open()
    expect(rig.takeLog(), is: ["face made", "child made", "face ended"], "what happened")
    expect(rig.showsChild && rig.slot.hasChild, "the child in the window")
  }
}

@MainActor
private func interruptParks() {
  withSlot { rig in
    rig.slot.open()
    _ = rig.takeLog()
    guard let entry = need(rig.entry, "the child") else { return }
    rig.slot.interrupt {
      // Whatever the face does while it is made, the content is out of the window by then.
      expect(!rig.showsChild, "the child out of the window before the face is made")
      return rig.face()
    }
    expect(rig.slot.hasChild && !rig.showsChild, "the child kept, and out of the window")
    expect(gtk_widget_get_mapped(entry.widget) == 0, "the child not mapped")
    expect(rig.shows(face: "face"), "the face in the window")
    rig.slot.open()
    expect(rig.showsChild && rig.entry === entry, "the same child back")
    expect(
      rig.takeLog(), is: ["child parked", "face made", "child returned", "face ended"], "what happened")
  }
}

@MainActor
private func endDrops() {
  withSlot { rig in
    rig.slot.open()
    weak var old: Entry?
    old = rig.entry
    rig.slot.end { rig.face() }
    expect(!rig.slot.hasChild && !rig.showsChild, "no child")
    rig.slot.open()
    expect(rig.entry !== old && rig.showsChild, "a new child")
    expect(
      rig.takeLog(), is: ["child made", "child ended", "face made", "child made", "face ended"], "what happened")
  }
}

@MainActor
private func nested() {
  withSlot { rig in
    let outer = Slot { [slot = rig.slot] in
      slot.open()
      let mount = Mount(slot.widget)
      mount.onPark({ slot.park() }, onReturn: { slot.unpark() })
      return mount
    }
    rig.window.content = outer.widget
    outer.open()
    rig.entry?.text = "kept"
    rig.entry?.grabFocus()
    _ = rig.takeLog()
    outer.interrupt { rig.face("outer") }
    expect(rig.takeLog(), is: ["child parked", "outer made"], "what happened")
    expect(!rig.showsChild, "the child out of the window")
    outer.open()
    expect(rig.takeLog(), is: ["child returned", "outer ended"], "what happened")
    expect(rig.showsChild && rig.entry?.text == "kept", "the child as it was")
    expect(rig.entry?.isFocused == true, "the field to have the keyboard again")
    // The inner slot closes while the outer one is closed too: the child must not come back with the outer one.
    outer.interrupt { rig.face("outer") }
    rig.slot.interrupt { rig.face("inner") }
    outer.open()
    expect(!rig.showsChild && rig.shows(face: "inner"), "the inner face, and not the child")
    rig.slot.open()
    expect(rig.showsChild, "the child")
    outer.close()
  }
}

@MainActor
private func facesReplace() {
  withSlot { rig in
    rig.slot.interrupt { rig.face("one") }
    rig.slot.interrupt { rig.face("two") }
    expect(!rig.shows(face: "one") && rig.shows(face: "two"), "the second face only")
    rig.slot.end { rig.face("three") }
    expect(rig.takeLog(), is: ["one made", "two made", "one ended", "three made", "two ended"], "what happened")
  }
}

@MainActor
private func parkedSlot() {
  withSlot { rig in
    rig.slot.park()
    rig.slot.interrupt { rig.face() }
    rig.slot.open()
    expect(
      rig.takeLog(), is: ["face made", "face parked", "child made", "child parked", "face ended"], "what happened")
    rig.slot.interrupt { rig.face() }
    rig.slot.open()
    expect(!rig.takeLog().contains("child returned"), "the child at rest still")
    rig.slot.unpark()
    expect(rig.takeLog(), is: ["child returned"], "what happened")
  }
}

@MainActor
private func parkTwice() {
  withSlot { rig in
    rig.slot.open()
    _ = rig.takeLog()
    rig.slot.park()
    rig.slot.park()
    expect(rig.takeLog(), is: ["child parked"], "what happened")
    rig.slot.unpark()
    rig.slot.unpark()
    expect(rig.takeLog(), is: ["child returned"], "what happened")
  }
}

@MainActor
private func closes() {
  withSlot { rig in
    rig.slot.open()
    rig.slot.interrupt { rig.face() }
    _ = rig.takeLog()
    rig.slot.close()
    rig.slot.close()
    expect(rig.takeLog(), is: ["child ended", "face ended"], "what happened")
    expect(!rig.slot.hasChild, "no child")
  }
}
