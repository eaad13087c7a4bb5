import GateCore
import GLibKit
import GtkKit

/// The app lock.
///
/// Locks at launch and when the user has been away, and opens for the desktop user's password.
///
/// Away means that no window of the app is active: an opaque cover then hides the content in that same main-loop
/// turn; after the grace period the content leaves the window altogether.
public struct BiometricGate: Gate {
  /// What is locked away.
  public let child: any Screen
  private let initialLocked: Bool?

  /// Guards the child; `initialLocked` overrides what the user has set, as far as that may be.
  public init(initialLocked: Bool? = nil, _ child: () -> any Screen) {
    self.initialLocked = initialLocked
    self.child = child()
  }

  /// Mounts the gate, and gives the lock to the screens within as `BiometricController`.
  public func mount(in context: GateContext) -> Mount {
    let lock = BiometricController(
      initialLocked: initialLocked, preferences: context.preferences, clock: context.clock)
    let gate = GateMount<Bool>(
      child: child, in: context.adding(lock),
      passage: { lock.isLocked ? .interrupt(true) : .open },
      face: { _ in LockPage(lock, in: context).mount() })
    let cover = Cover(lock, in: context)
    // The gate listens first: what is locked is out of the window before the cover goes.
    let mount = gate.mount(as: cover.over(gate.slot.widget), changed: lock.changed, keeping: cover)
    cover.follow(mount)
    return mount
  }
}

/// What lies over the content while nobody is looking, and the timer that locks it away.
@MainActor
private final class Cover {
  private let lock: BiometricController
  private let host: Host
  private let clock: Clock
  private let desktop: DesktopSession
  private let widget = Bin(Image(icon: "io.github.appgates.AppGates", pixels: 96)).style("gate-cover")
  private var timer: Timer?
  private var armedFor: Int64?

  init(_ lock: BiometricController, in context: GateContext) {
    self.lock = lock
    host = context.host
    clock = context.clock
    desktop = context.desktop
    drafts = context[Reporting.self]?.reports.drafts
    widget.isVisible = false
    let action = host.addAction("lock", ["<Control>l"]) { [weak lock] in lock?.lock() }
    action?.isEnabled = lock.isEnabled
    self.action = action
  }

  private let action: Action?

  func over(_ content: Widget) -> Widget { Overlay(content).cover(with: widget) }

  func follow(_ mount: Mount) {
    mount.keep(host.activity.listen { [weak self] in self?.lock.setActive($0) })
    mount.keep(lock.changed.listen { [weak self] in self?.apply() })
    mount.keep(desktop.events.listen { [weak self] in self?.heard($0) })
    lock.setActive(host.isActive)
    apply()
  }

  private func apply() {
    let hides = lock.isCovered || lock.isLocked
    if hides, let window = host.window {
      host.shield.raise(except: window, atOnce: lock.isLocked)
    } else {
      host.shield.lower()
    }
    widget.isVisible = lock.isCovered
    host.conceal(hides)
    host.setLocked(lock.isLocked)
    action?.isEnabled = lock.isEnabled
    desktop.delaysSleep(lock.isEnabled)
    if lock.isLocked != wasLocked {
      wasLocked = lock.isLocked
      if !lock.isLocked { drafts?.forgetLocked() }
      // What a locked page and its content leave freed is given back; not while somebody is being verified.
      tidy = lock.isLocked ? nil : MainLoop.after(1000) { Memory.trim() }
    }
    arm()
  }

  private var wasLocked = true
  private let drafts: ReportDrafts?
  private var tidy: Timer?

  private func heard(_ event: DesktopEvent) {
    lock.heard(event)
    switch event {
    // The computer sleeps once the locked page is what wakes up with it.
    case .goingToSleep: shown = ShownWait(host.window) { [desktop] in desktop.readyForSleep() }
    case .awake: shown = nil
    default: break
    }
  }

  private var shown: ShownWait?

  private func arm() {
    guard lock.deadline != armedFor else { return }
    armedFor = lock.deadline
    timer = lock.deadline.map { deadline in
      MainLoop.after(deadline - clock.boot()) { [weak self] in
        self?.armedFor = nil
        self?.lock.deadlineReached()
      }
    }
  }
}
