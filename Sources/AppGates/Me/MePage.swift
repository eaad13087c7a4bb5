import GLibKit
import GateCore
import Gates
import GtkKit

/// The page about oneself: the account, the lock, privacy, what the app may do, reports, the legal texts, and what the
/// app is.
@MainActor
final class MePage {
  let widget: GroupsPage
  private let account: AccountGroup?
  private let security: AccountSecurity
  private let permissions: Permissions
  /// Kept, since a row that opened a text gets the keyboard back.
  private let legalRows: [ActionRow]
  private let looks: ReaderLooks
  private var listening: Listening?

  init(_ shell: Shell) {
    account = AccountGroup(shell)
    security = AccountSecurity(shell)
    permissions = Permissions(shell)
    var legalRows: [ActionRow] = []
    widget = GroupsPage(
      [account?.group].compactMap { $0 } + security.groups + [
        MePage.privacy(shell, &legalRows), permissions.group, MePage.reports(shell), MePage.legal(shell, &legalRows),
        MePage.about(shell),
      ])
    self.legalRows = legalRows
    looks = ReaderLooks(
      shell.context.fingerprint, clock: shell.context.clock,
      isWanted: { [weak widget] in widget?.isMapped == true },
      // A dialog may be asking for a finger.
      isBusy: { [weak host = shell.context.host] in host?.window?.hasDialog == true },
      found: { [permissions, security] in
        permissions.show($0)
        security.show($0)
      })
    // Each time that the page comes up, and each time that the user comes back to it: from the settings, perhaps.
    widget.onMap { [weak self] in self?.refresh() }
    listening = shell.context.host.activity.listen { [weak self] in if $0 { self?.refresh() } }
  }

  private func refresh() {
    guard widget.isMapped else { return }
    permissions.refresh()
    security.refresh()
    looks.ask()
  }

  private static func legal(_ shell: Shell, _ rows: inout [ActionRow]) -> Group {
    let group = Group(tr("Legal"))
    for document in LegalDocument.allCases {
      let row = ActionRow(document.title)
      rows.append(row)
      row.onActivate { [weak shell, weak row] in
        guard let shell else { return }
        let view = LegalView(document, host: shell.context.host, secrets: shell.context.secrets) { [weak shell] in
          shell?.closeDetail()
          row?.grabFocus()
        }
        shell.showDetail(view.widget, keeping: view) { view.grabFocus() }
      }
      group.add(row)
    }
    return group
  }

  private static func privacy(_ shell: Shell, _ rows: inout [ActionRow]) -> Group {
    let group = Group(tr("Privacy"))
    guard shell.context.analytics.isConfigured else {
      group.add(
        ActionRow(tr("Nothing Is Counted"), subtitle: tr("No address for counted events is configured here.")))
      return group
    }
    let row = ActionRow(tr("Counted Events"), subtitle: tr("What is counted, and whether"))
    rows.append(row)
    row.onActivate { [weak shell, weak row] in
      guard let shell else { return }
      PrivacyPage.show(in: shell) { [weak shell] in
        shell?.closeDetail()
        row?.grabFocus()
      }
    }
    group.add(row)
    return group
  }

  private static func reports(_ shell: Shell) -> Group {
    let group = Group(tr("Feedback"))
    let feedback = ActionRow(tr("Send Feedback"), subtitle: tr("Tell us what is good, and what is not"))
    group.add(
      feedback.onActivate { [weak shell, weak feedback] in shell.map { FeedbackPage.show(in: $0, from: feedback) } })
    if shell.context[Reporting.self] != nil {
      let reports = ActionRow(tr("Reports"), subtitle: tr("What you have sent, and what has become of it"))
      group.add(
        reports.onActivate { [weak shell, weak reports] in shell.map { ReportsPage.show(in: $0, from: reports) } })
    }
    return group
  }

  private static func about(_ shell: Shell) -> Group {
    let group = Group(tr("App Gates"))
    let rate = ActionRow(tr("Rate This App"))
    group.add(rate.onActivate(icon: "starred-symbolic") { [weak shell] in shell.map(RatingPrompt.rate) })
    let about = ActionRow(tr("About App Gates"), subtitle: tr("Version %s", Program.version))
    about.onActivate { [weak shell] in
      guard let shell, let window = shell.context.host.window else { return }
      AboutWindow.show(
        over: window,
        AboutWindow.Facts(
          name: Host.productName, icon: Program.id, version: Program.version,
          comments: tr("Todos behind a stack of gates: a lock, updates, first steps, consent and sign-in."),
          website: "", issues: "", debugInformation: debugInformation(shell)))
    }
    group.add(about)
    for problem in shell.context.secrets.problems {
      let row = ActionRow(tr("A mistake in the configuration"), subtitle: problem.words)
      group.add(row.prefix(Image(icon: "dialog-warning-symbolic")))
    }
    return group
  }
}

extension MePage {
  private static func debugInformation(_ shell: Shell?) -> String {
    let keeper = shell?.context[AuthController.self]?.keeper
    return shell?.context[ShellServices.self]?.debugInformation(keeper?.store, keeper?.standing) ?? ""
  }
}

extension SecretProblem {
  /// What is wrong with the line, and what belongs there.
  fileprivate var words: String {
    if let key { return tr("%s: %s should be %s. It counts as not set.", path, key, expected) }
    return tr("%s is not used: %s. It should be %s.", path, (fault ?? .damaged).words, expected)
  }
}
