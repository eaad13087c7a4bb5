import GateCore
import GLibKit
import GtkKit

/// The page with the three texts, what has changed in them, the switch for counting, and the two answers.
@MainActor
final class ConsentPage {
  private let consent: ConsentController
  private let context: GateContext
  private let stack = Stack()
  private var rows: [ActionRow] = []
  private let agree = Button(tr("_Agree")).style("suggested-action")
  private var counting: CountingRow?
  private var reading: LegalView?
  private var lastRow: ActionRow?

  init(_ consent: ConsentController, in context: GateContext) {
    self.consent = consent
    self.context = context
  }

  func mount() -> Mount {
    agree.onClick { [weak self] in self?.accept() }
    stack.add(ask(), name: "ask")
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

  private func ask() -> Widget {
    let decline = Button(tr("_Decline")).onClick { [weak self] in self?.decline() }
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
    let column = Box(.vertical, spacing: 12)
    if case .outdated(let accepted) = consent.standing, let changes = changes(since: accepted) {
      column.append(changes)
    }
    column.append(list)
    if context.analytics.isConfigured {
      let counting = CountingRow(isOn: context.analytics.choice)
      // Nothing is recorded before the answer.
      counting.toggled = { [weak counting] in counting?.isOn = $0 }
      column.append(Group("", about: "", [counting.row]))
      self.counting = counting
    }
    column.append(Label(tr("Version of %s", LegalContent.version)).centered().style("caption", "dim-label"))
    let page = StatusPage(
      icon: "emblem-documents-symbolic", title: consent.standing.title, about: consent.standing.about,
      Clamp(column, width: 420)
    ).style("compact")
    // Below what scrolls, so that both answers are in view however much there is to read.
    let answers = Box(.horizontal, spacing: 12, [decline.style("pill"), agree.style("pill")])
    return Page.frame(Box(.vertical, [page, answers.align(horizontal: .center).margin(12, vertical: 18)]))
  }

  /// What is new since the version that was accepted, from the list that comes with the texts.
  private func changes(since accepted: String) -> Widget? {
    guard let text = context.host.text("legal/changes.md") else { return nil }
    let found = LegalContent.changes(since: accepted, in: LegalContent.parse(text))
    guard !found.isEmpty else { return nil }
    let host = context.host
    let column = Box(.vertical, spacing: 12)
    for change in found {
      let heading = Label.heading(tr("New in the version of %s", change.version), level: 2).leading().style("heading")
      column.append(heading)
      for block in LegalText.widgets(change.blocks, below: heading, open: { host.open($0) { _ in } }) {
        column.append(block)
      }
    }
    return column
  }

  private func accept() { consent.accept(counting: counting?.isOn) }

  private func decline() {
    context.analytics.consentWithdrawn()
    stack.shown = "declined"
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
        "Nothing was accepted, and nothing is sent by itself. You can read the texts again, or quit; you are asked anew at the next start."
      ),
      [Page.buttons([again, quit])])
  }
}

extension ConsentStanding {
  fileprivate var title: String {
    if case .outdated = self { return tr("The texts have changed") }
    return tr("Before you begin")
  }

  fileprivate var about: String {
    switch self {
    case .outdated(let version):
      tr("You agreed to the version of %s. Please read what is new; the app goes on once you agree to it.", version)
    case .unknown:
      tr(
        "What was agreed to before is no version that this app knows. Please read these three texts; the app starts once you agree to them."
      )
    case .given, .none, .unreadable:
      tr("Please read these three texts. The app starts once you agree to them; nothing is sent before.")
    }
  }
}
