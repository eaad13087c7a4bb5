import GateCore
import GLibKit
import GtkKit

/// Blocks until the current version of the legal texts has been accepted; nothing is counted before.
public struct ConsentGate: Gate {
  /// What shows once they are accepted.
  public let child: any Screen

  /// Guards the child.
  public init(_ child: () -> any Screen) { self.child = child() }

  /// Mounts the gate.
  public func mount(in context: GateContext) -> Mount {
    let consent = ConsentController(preferences: context.preferences, analytics: context.analytics)
    let gate = GateMount<Bool>(
      child: child, in: context,
      passage: { consent.isOpen ? .open : .interrupt(true) },
      face: { _ in ConsentPage(consent, in: context).mount() })
    return gate.mount(changed: consent.changed, keeping: consent)
  }
}

/// The page with the three texts, and the two answers to them.
@MainActor
private final class ConsentPage {
  private let consent: ConsentController
  private let context: GateContext
  private let stack = Stack()
  private var rows: [ActionRow] = []
  private let agree = Button(tr("_Agree")).style("suggested-action")
  private var reading: LegalView?
  private var lastRow: ActionRow?

  init(_ consent: ConsentController, in context: GateContext) {
    self.consent = consent
    self.context = context
  }

  func mount() -> Mount {
    agree.onClick { [consent] in consent.accept() }
    let decline = Button(tr("_Decline")).onClick { [weak self] in self?.stack.shown = "declined" }
    let list = Group()
    for document in LegalDocument.allCases {
      let row = ActionRow(document.title)
      row.onActivate { [weak self, weak row] in
        self?.lastRow = row
        self?.read(document)
      }
      list.add(row)
      rows.append(row)
    }
    let version = Label(tr("Version of %s", LegalContent.version)).centered().style("caption", "dim-label")
    let answers = Box(.horizontal, spacing: 12, [decline.style("pill"), agree.style("pill")]).align(horizontal: .center)
    let column = Box(.vertical, spacing: 24, [list, answers, version])
    // Compact, so that both answers are in view in a window of the usual height.
    let ask = Page.frame(
      StatusPage(
        icon: "emblem-documents-symbolic", title: tr("Before you begin"),
        about: tr("Please read these three texts. The app starts once you agree to them; nothing is sent before."),
        Clamp(column, width: 420)
      ).style("compact"))
    stack.add(ask, name: "ask")
    stack.add(declined(), name: "declined")
    stack.onKey { [weak self] in
      guard $0 == .escape, let self, self.stack.shown != "ask" else { return false }
      self.back()
      return true
    }
    let mount = Mount(stack, keeping: self)
    // Not on Agree: an Enter too many at the slides before must not accept texts that nobody has seen.
    mount.firstFocus = rows.first
    return mount
  }

  private func read(_ document: LegalDocument) {
    if let reading { stack.remove(reading.widget) }
    let reading = LegalView(document, host: context.host, secrets: context.secrets) { [weak self] in self?.back() }
    self.reading = reading
    stack.add(reading.widget, name: "reading")
    stack.shown = "reading"
    reading.grabFocus()
  }

  private func back() {
    stack.shown = "ask"
    (lastRow ?? rows.first)?.grabFocus()
  }

  private func declined() -> Widget {
    let again = Button(tr("_Read again")).style("suggested-action").onClick { [weak self] in self?.back() }
    let quit = Button(tr("_Quit")).onClick(context.host.quit)
    return Page.message(
      icon: "emblem-documents-symbolic", title: tr("Without your consent the app cannot start"),
      about: tr(
        "Nothing was accepted and nothing was sent. You can read the texts again, or quit; you are asked anew at the next start."
      ),
      [Page.buttons([again, quit])])
  }
}
