import GLibKit
import GateCore
import GtkKit

/// Asks for an update, or insists on one where the running version is too old to go on with.
public struct UpdateGate: Gate {
  /// What shows while the version will do.
  public let child: any Screen

  /// Guards the child.
  public init(_ child: () -> any Screen) { self.child = child() }

  /// Mounts the gate.
  public func mount(in context: GateContext) -> Mount {
    let update = UpdateController(
      running: context.version, secrets: context.secrets, preferences: context.preferences, clock: context.clock,
      client: context.updates, web: context.web, openStore: context.host.open)
    let gate = GateMount<UpdateDecision>(
      child: child, in: context,
      passage: {
        if case .idle = update.decision { .open } else { .interrupt(update.decision) }
      },
      face: { UpdatePage($0, update, quit: context.host.quit).mount() })
    let mount = gate.mount(changed: update.changed, keeping: update)
    mount.keep(context.host.activity.listen { if $0 { update.reconsider() } })
    return mount
  }
}

/// Both of the gate's screens: the one that insists and the one that asks.
@MainActor
private final class UpdatePage {
  private let decision: UpdateDecision
  private let update: UpdateController
  private let quit: @MainActor () -> Void
  private let fault = Label.alert().style("error")
  private let found = Label.alert()
  private let spinner = Spinner()
  private let checked = Box(.horizontal, spacing: 9)

  init(_ decision: UpdateDecision, _ update: UpdateController, quit: @escaping @MainActor () -> Void) {
    self.decision = decision
    self.update = update
    self.quit = quit
    checked.append(spinner).append(found)
  }

  func mount() -> Mount {
    switch decision {
    case .forced(let installed, let needed, let address):
      build(
        title: tr("This version is too old"),
        about: tr(
          "Version %s or newer is needed; this is %s. What you saved is kept.", needed.description,
          installed.description),
        address: address,
        others: [
          Button(tr("_Check again")).onClick { [update] in update.checkAgain() },
          Button(tr("_Quit")).onClick(quit),
        ])
    case .prompt(let installed, let latest, let address):
      build(
        title: tr("A new version is there"),
        about: tr("Version %s can be had; this is %s.", latest.description, installed.description), address: address,
        others: [
          Button(tr("_Later")).onClick { [update] in update.later() },
          Button(tr("_Skip this version")).onClick { [update] in update.skip() },
        ])
    case .idle:
      Mount(Box(.vertical))
    }
  }

  private func build(title: String, about: String, address: String?, others: [Button]) -> Mount {
    var rows: [Widget] = []
    var buttons: [Button] = []
    if let address {
      let copy = Button(icon: "edit-copy-symbolic", label: tr("Copy the address")).style("flat")
      copy.align(vertical: .center).onClick { [fault] in fault.copyToClipboard(address) }
      let text = Label(address).selectable().centered().style("dim-label")
      rows.append(Box(.horizontal, spacing: 6, [text, copy]).align(horizontal: .center))
      buttons.append(Button(tr("_Update")).style("suggested-action").onClick { [update] in update.update() })
    } else {
      rows.append(
        Label(tr("Update it the way you installed it: with the software centre or the package manager.")).centered())
    }
    if let notes = update.notes {
      let heading = Label(tr("What is new")).style("heading").centered()
      rows.append(Box(.vertical, spacing: 6, [heading, Label(notes).selectable().leading()]))
    }
    rows += [checked.align(horizontal: .center), fault, Page.buttons(buttons + others)]
    // Compact, so that the last way out is in sight too.
    let page = Page.message(
      icon: "software-update-available-symbolic", title: title, about: about, isCompact: true, rows)
    let mount = Mount(page, keeping: self)
    mount.keep(update.changed.listen { [weak self] in self?.show() })
    mount.firstFocus = (buttons + others).first
    show()
    return mount
  }

  private func show() {
    fault.say(update.storeFault?.words ?? "")
    found.say(update.check.words)
    spinner.isSpinning = update.check == .running
    spinner.isVisible = update.check == .running
    checked.isVisible = update.check != .idle
  }
}
