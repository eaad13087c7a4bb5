import GateCore
import GtkKit

/// Keeps a slot in step with what a gate decides, in the same main-loop turn as the decision.
@MainActor
final class GateMount<Face: Equatable> {
  let slot: Slot
  private let passage: @MainActor () -> Passage<Face>
  private let face: @MainActor (Face) -> Mount
  private var shown: Passage<Face>?
  private let place: GateTrail.Place

  /// Named by the file that it is made in: a file of gates bears the name of its gate.
  init(
    child: any Screen, in context: GateContext, file: String = #fileID,
    passage: @escaping @MainActor () -> Passage<Face>, face: @escaping @MainActor (Face) -> Mount
  ) {
    place = context.host.gates.enter(GateTrail.name(of: file))
    slot = Slot { child.mount(in: context) }
    self.passage = passage
    self.face = face
  }

  /// Asks the gate again, and shows what follows from it.
  func apply() {
    // A screen that is being built may change the decision: it is asked again, in this same turn.
    guard !isApplying else { return }
    isApplying = true
    defer { isApplying = false }
    while case let now = passage(), now != shown {
      shown = now
      place.isShowing = now != .open
      switch now {
      case .open: slot.open()
      case .interrupt(let what): slot.interrupt { build(what) }
      case .end(let what): slot.end { build(what) }
      }
    }
  }

  private var isApplying = false

  private func build(_ what: Face) -> Mount {
    GateFaces.built += 1
    return face(what)
  }

  /// The gate as a mount of its own, around the slot's widget or what the gate has laid around it.
  func mount(as widget: Widget? = nil, changed: Listeners<Void>, keeping kept: Any...) -> Mount {
    let mount = Mount(widget ?? slot.widget)
    mount.keep(self).keep(kept)
    mount.keep(changed.listen { [weak self] in self?.apply() })
    mount.onPark({ [weak self] in self?.slot.park() }, onReturn: { [weak self] in self?.slot.unpark() })
    mount.onEnd { [slot] in slot.close() }
    mount.passFocus = { [weak slot] in slot?.restoreFocus() }
    apply()
    return mount
  }
}

/// How many screens of their own gates have built, for tests: whoever has passed every gate before sees none.
@MainActor
public enum GateFaces {
  /// The number since the program began.
  public internal(set) static var built = 0
}
