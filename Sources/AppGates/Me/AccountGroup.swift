import GLibKit
import GateCore
import Gates
import GtkKit

/// Who is signed in and where, the way out, and the end of everything.
@MainActor
final class AccountGroup {
  let group = Group(tr("Account"))
  private weak var shell: Shell?
  private let auth: AuthController
  private let who: ActionRow
  /// Shown where nothing goes on by itself.
  private let renewal = ActionRow(tr("Renew the Session"))
  private var listening: Listening?
  /// Kept, since the page that it opens gives it the keyboard back.
  private let erase = ActionRow(
    tr("Delete Everything…"), subtitle: tr("Removes all that this app has on this computer"))

  init?(_ shell: Shell) {
    guard let auth = shell.context[AuthController.self], case .signedIn(let session) = auth.state else { return nil }
    self.shell = shell
    self.auth = auth
    let signOut = Button(tr("_Sign Out")).style("destructive-action").align(vertical: .center)
    let name = session.name.isEmpty ? tr("Signed in on this computer") : tr("Signed in as %s", session.name)
    who = ActionRow(name)
    group.add(who.suffix(signOut))
    signOut.onClick { [weak self] in self?.askToSignOut() }
    let again = Button(tr("_Try Again")).align(vertical: .center)
    group.add(renewal.suffix(again))
    again.onClick { auth.renewNow() }
    listening = auth.changed.listen { [weak self] in self?.apply() }
    apply()
    guard shell.context[ShellServices.self] != nil else { return }
    group.add(erase)
    erase.onActivate { [weak self] in
      guard let self, let shell = self.shell else { return }
      ErasePage.show(in: shell, keeper: self.auth.keeper, from: self.erase)
    }
  }

  /// Where the session is, and how it stands there.
  private func apply() {
    guard let session = auth.session else { return }
    if case .offline(let fault) = auth.connection {
      renewal.isVisible = !fault.mayPass
    } else {
      renewal.isVisible = false
    }
    who.subtitle =
      switch session.account {
      case .local: tr("On this computer, without any server")
      case .openID(let account):
        [tr("With %s", Address.host(account.issuer) ?? account.issuer), auth.connection.words].filter { !$0.isEmpty }
          .joined(separator: ". ")
      }
  }

  private func askToSignOut() {
    guard let shell else { return }
    let dialog = MessageDialog(
      over: shell.context.host.window, heading: tr("Sign Out?"),
      body: tr("The session’s secret is removed. Your todos stay on this computer."))
    dialog.answer("cancel", tr("_Cancel")).answer("out", tr("_Sign Out"), .destructive)
      .closeAnswer("cancel").defaultAnswer("cancel")
    dialog.ask { [auth] in if $0 == "out" { auth.signOut() } }
  }
}
