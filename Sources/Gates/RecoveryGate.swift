import GLibKit
import GateCore
import GtkKit

/// Says that the last run ended in a crash, or was killed, before anything else is built.
///
/// It stands outside of the lock and shows nothing of the user's.
public struct RecoveryGate: Gate {
  /// What shows once the user goes on.
  public let child: any Screen

  /// Guards the child.
  public init(_ child: () -> any Screen) { self.child = child() }

  /// Mounts the gate; without a `RecoveryController` in the context there is nothing to tell.
  public func mount(in context: GateContext) -> Mount {
    let recovery = context[RecoveryController.self] ?? RecoveryController()
    let gate = GateMount<Bool>(
      child: child, in: context,
      passage: { recovery.isToTell ? .interrupt(true) : .open },
      face: { _ in RecoveryPage(recovery, in: context).mount() })
    return gate.mount(changed: recovery.changed, keeping: recovery)
  }
}

/// The page: what happened, and what can be done about it.
@MainActor
private final class RecoveryPage {
  private let recovery: RecoveryController
  private let context: GateContext
  private let stack = Stack()
  private let goOn = Button(tr("_Continue")).style("suggested-action")
  private let report = Button(tr("Send a _Report"))
  private var form: ReportForm?

  init(_ recovery: RecoveryController, in context: GateContext) {
    self.recovery = recovery
    self.context = context
  }

  func mount() -> Mount {
    let drafts = context[Reporting.self]?.reports.drafts
    goOn.onClick { [recovery] in
      recovery.goOn()
      // The lock counts as closed until it is there: what was typed would show on its locked card.
      drafts?.forgetLocked()
    }
    var buttons = [goOn]
    if context[Reporting.self] != nil { buttons.append(report.onClick { [weak self] in self?.write() }) }
    let lines = Label(recovery.lines.joined(separator: "\n")).leading().selectable().style("monospace", "caption")
    let details = Expander(tr("_Details"), lines.margin(0, vertical: 6))
    var rows: [Widget] = [Page.buttons(buttons), details]
    if recovery.isSafeByCrashes {
      let words =
        recovery.isSafeAgain
        ? tr("The app starts in safe mode again.")
        : tr("It was the third time within five minutes, so the app starts in safe mode now.")
      rows.insert(Label(words).centered(), at: 0)
    }
    let page = Page.message(
      icon: "dialog-information-symbolic", title: recovery.end.title, about: recovery.end.about, rows)
    stack.add(page, name: "told")
    let mount = Mount(stack, keeping: self)
    mount.keep(recovery.named.listen { [recovery] in lines.text = recovery.lines.joined(separator: "\n") })
    mount.firstFocus = goOn
    return mount
  }

  private func write() {
    leave()
    let subject = ReportSubject.crash(recovery.summary(version: context.version, now: context.clock.wall()))
    guard let form = ReportForm(subject, isCard: true, in: context, close: { [weak self] in self?.leave() }) else {
      return
    }
    self.form = form
    stack.add(form.widget, name: "form")
    stack.shown = "form"
    form.grabFocus()
  }

  private func leave() {
    guard let form else { return }
    self.form = nil
    stack.shown = "told"
    stack.remove(form.widget)
    report.grabFocus()
  }
}

extension RunEnd {
  /// What is said first.
  fileprivate var title: String {
    self == .unexpected ? tr("App Gates ended unexpectedly") : tr("App Gates closed unexpectedly")
  }

  /// What it means.
  fileprivate var about: String {
    switch self {
    case .outOfMemory:
      tr(
        "The computer had run out of memory, and the system ended the app. What you saved is kept. Close what you do not need, then continue."
      )
    case .unexpected: tr("Something outside of the app ended it. What you saved is kept.")
    default: tr("A fault in the app ended it. What you saved is kept.")
    }
  }
}
