import GateCore
import GLibKit
import GtkKit

/// Shows the sign-in until there is a session, then the main shell.
public struct AuthGate: Gate {
  /// What a session opens.
  public let child: any Screen

  /// Guards the child.
  public init(_ child: () -> any Screen) { self.child = child() }

  /// Mounts the gate, and gives the session to the screens within as `AuthController`.
  public func mount(in context: GateContext) -> Mount {
    let auth = AuthController(
      client: context.session, preferences: context.preferences, clock: context.clock, bus: context.bus)
    let gate = GateMount<Bool>(
      child: child, in: context.adding(auth),
      passage: {
        if case .signedIn = auth.state { .open } else { .end(true) }
      },
      face: { _ in SignInPage(auth, in: context).mount() })
    let mount = gate.mount(changed: auth.changed, keeping: auth)
    if let lock = context[BiometricController.self] { mount.keep(KeyringPatience(auth, lock)) }
    auth.verify()
    return mount
  }
}

/// Puts the grace period off while the keyring may ask: its window takes the user away from ours, and a lock at each
/// question would be a loop of locking and asking.
@MainActor
private final class KeyringPatience {
  private var hold: GraceHold?
  private var listening: Listening?

  init(_ auth: AuthController, _ lock: BiometricController) {
    listening = auth.changed.listen { [weak self, weak auth, weak lock] in
      guard let self, let auth, let lock else { return }
      if !auth.mayBeAsking { hold = nil } else if hold == nil { hold = lock.holdGrace() }
    }
  }
}

/// The sign-in page.
@MainActor
private final class SignInPage {
  private let auth: AuthController
  private let proceed: Button
  private let cancel = Button(tr("_Cancel"))
  private let spinner = Spinner()
  private let fault = Label.alert().style("error")

  init(_ auth: AuthController, in context: GateContext) {
    self.auth = auth
    proceed = Button(tr("_Continue on this computer")).style("suggested-action")
  }

  func mount() -> Mount {
    proceed.onClick { [auth] in auth.signIn() }
    cancel.onClick { [auth] in auth.cancel() }
    let page = Page.message(
      icon: "avatar-default-symbolic", title: tr("Welcome, %s", auth.userName),
      about: tr("Your session stays on this computer. It needs no account and no server."),
      [spinner, fault, Page.buttons([proceed, cancel])])
    let mount = Mount(page, keeping: self)
    mount.keep(auth.changed.listen { [weak self] in self?.apply() })
    mount.firstFocus = proceed
    apply()
    return mount
  }

  private func apply() {
    let isBusy = auth.state == .signingIn
    proceed.isSensitive = !isBusy
    cancel.isVisible = isBusy
    spinner.isVisible = isBusy
    spinner.isSpinning = isBusy
    let words = auth.fault?.words ?? ""
    if fault.text != words { fault.text = words }
    fault.isVisible = !words.isEmpty
  }
}
