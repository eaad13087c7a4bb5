import GLibKit
import GateCore
import GtkKit

/// In safe mode, the page with what can be done there; in any other run it is open.
///
/// It stands within the lock, since it hands out the todos.
public struct SafeModeGate: Gate {
  /// What shows once the user goes on.
  public let child: any Screen

  /// Guards the child.
  public init(_ child: () -> any Screen) { self.child = child() }

  /// Mounts the gate; it needs a `RecoveryController` and a `SafeModeClient` in the context.
  public func mount(in context: GateContext) -> Mount {
    let recovery = context[RecoveryController.self] ?? RecoveryController()
    let client = context[SafeModeClient.self]
    let gate = GateMount<Bool>(
      child: child, in: context,
      passage: { recovery.isSafePageDue && client != nil ? .interrupt(true) : .open },
      face: { _ in
        guard let client else { return Mount(Bin()) }
        return SafeModePage(recovery, client, in: context).mount()
      })
    return gate.mount(changed: recovery.changed, keeping: recovery)
  }
}

/// The page: the todos out, damaged files aside, and the way back to a run like any other.
@MainActor
private final class SafeModePage {
  private let recovery: RecoveryController
  private let client: SafeModeClient
  private let context: GateContext
  private let outcome = Label.alert()

  init(_ recovery: RecoveryController, _ client: SafeModeClient, in context: GateContext) {
    self.recovery = recovery
    self.client = client
    self.context = context
  }

  func mount() -> Mount {
    outcome.selectable().isVisible = false
    let leave = Button(tr("_Leave Safe Mode")).style("suggested-action").onClick { [client] in client.leave() }
    let open = Button(tr("_Open the List")).onClick { [recovery] in recovery.useSafely() }
    let export = Button(tr("_Export Todos…")).onClick { [weak self] in self?.export() }
    let reset = Button(tr("_Reset What Is Damaged…")).onClick { [weak self] in self?.askToReset() }
    let page = Page.message(
      icon: "security-high-symbolic", title: tr("Safe Mode"),
      about: tr("Nothing is sent or received, and everything optional is off. Your files are as they were."),
      [Page.buttons([leave, open, export, reset]), outcome])
    let mount = Mount(page, keeping: self)
    mount.firstFocus = leave
    return mount
  }

  private func say(_ words: String) {
    outcome.isVisible = true
    outcome.text = words
  }

  private func export() {
    guard read() != nil else { return }
    FileChooser.save(over: context.host.window, title: tr("Export Todos"), name: "todo.txt") { [weak self] path in
      if let path { self?.write(to: path) }
    }
  }

  private func read() -> String? {
    do throws(FileFault) {
      return try client.todos()
    } catch {
      say(
        error == .missing
          ? tr("There is no list yet, so there is nothing to export.")
          : tr("The todos cannot be read: %s. The file was left as it is.", error.words))
      return nil
    }
  }

  private func write(to path: String) {
    // The chooser may be the desktop's own window, and outlive the moment in which the app was locked.
    guard !context.host.isLocked else {
      return say(tr("The app was locked meanwhile, so nothing was exported. Export again."))
    }
    guard let text = read() else { return }
    do throws(FileFault) {
      try client.save(text, path)
      say(tr("The todos were exported."))
    } catch {
      say(tr("The file could not be written: %s. Choose another place.", error.words))
    }
  }

  private func askToReset() {
    let damaged = client.damaged()
    guard !damaged.isEmpty else { return say(tr("Nothing is damaged.")) }
    let dialog = MessageDialog(
      over: context.host.window, heading: tr("Set Damaged Files Aside?"),
      body: tr("These files are kept under another name, and new ones are begun:") + "\n"
        + damaged.map(\.path).joined(separator: "\n"))
    dialog.answer("keep", tr("_Cancel")).answer("reset", tr("_Set Aside"), .destructive).closeAnswer("keep")
    dialog.ask { [weak self] in if $0 == "reset" { self?.reset(damaged) } }
  }

  private func reset(_ damaged: [DamagedFile]) {
    let lines = damaged.map { file in
      do throws(FileFault) {
        return tr("The damaged file is kept as %s.", try client.setAside(file))
      } catch {
        return tr("%s could not be set aside: %s. Put that right, then try again.", file.path, error.words)
      }
    }
    say((lines + [tr("Leave safe mode to begin anew.")]).joined(separator: "\n"))
  }
}
