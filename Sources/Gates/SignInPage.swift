import GateCore
import GLibKit
import GtkKit

/// The sign-in page: on this computer, or in the browser where a provider is set.
@MainActor
final class SignInPage {
  private let auth: AuthController
  private let local = Button(tr("_Continue on this computer"))
  private let remote: Button?
  private let cancel = Button(tr("C_ancel"))
  private let again = Button(tr("_Open Browser Again"))
  private let copy = Button(tr("Cop_y Address"))
  private let spinner = Spinner()
  /// What goes on; spoken by screen readers.
  private let progress = Label.alert()
  private let fault = Label.alert().style("error")
  private var wasBusy = false

  init(_ auth: AuthController) {
    self.auth = auth
    remote = auth.provider.map { provider in
      let host = provider.host.map { $0 == "_" ? "__" : String($0) }.joined()
      return Button(tr("_Sign in with %s", host))
    }
    (remote ?? local).style("suggested-action")
  }

  func mount() -> Mount {
    let auth = auth
    local.onClick { auth.signIn() }
    cancel.onClick { auth.cancel() }
    again.onClick { auth.openBrowser() }
    copy.onClick { [weak self] in self?.copyAddress() }
    let about =
      remote == nil
      ? tr("Your session stays on this computer. It needs no account and no server.")
      : tr("Sign in with an account, in your browser. Or continue here: that needs no account and no server.")
    let buttons = [remote, local, again, copy, cancel].compactMap { $0 }
    let page = Page.message(
      icon: "avatar-default-symbolic", title: tr("Welcome, %s", auth.userName), about: about,
      [spinner, progress, fault, Page.buttons(buttons)])
    remote?.onClick { [weak page] in
      auth.signIn(pages: .translated(isRightToLeft: page?.isRightToLeft == true))
    }
    let mount = Mount(page, keeping: self)
    mount.keep(auth.changed.listen { [weak self] in self?.apply() })
    mount.firstFocus = remote ?? local
    apply()
    return mount
  }

  private func apply() {
    let isBusy = auth.state == .signingIn
    var isInBrowser = false
    if case .inBrowser? = auth.phase { isInBrowser = true }
    cancel.isVisible = isBusy
    again.isVisible = isInBrowser
    copy.isVisible = isInBrowser
    remote?.isVisible = !isBusy
    local.isVisible = !isBusy
    // What had the keyboard is gone.
    if isBusy != wasBusy { (isBusy ? cancel : remote ?? local).grabFocus() }
    wasBusy = isBusy
    spinner.isVisible = isBusy
    spinner.isSpinning = isBusy
    progress.say(isBusy ? words : "")
    fault.say(isBusy ? trouble : auth.fault?.words ?? "")
  }

  private var words: String {
    switch auth.phase {
    case .asking?: tr("Asking %s…", auth.provider?.host ?? "")
    case .inBrowser?: tr("Go on in your browser. This page waits for you.")
    case .redeeming?: tr("Your browser has come back. Signing in…")
    case nil: ""
    }
  }

  private var trouble: String {
    guard case .inBrowser(_, let trouble?)? = auth.phase else { return "" }
    return switch trouble {
    case .notInstalled: tr("Nothing on this computer opens a browser (xdg-open is missing). Copy the address into one.")
    case .failed, .refused: tr("No browser could be opened. Copy the address into one.")
    }
  }

  private func copyAddress() {
    guard case .inBrowser(let address, _)? = auth.phase else { return }
    copy.copyToClipboard(address)
    progress.say(tr("Copied. Paste it into your browser; this page waits for you."))
  }
}
