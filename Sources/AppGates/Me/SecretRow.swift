import GLibKit
import GateCore
import Gates
import GtkKit

/// How the session's secret stands in its store, with what to do about it.
@MainActor
final class SecretRow {
  let row = ActionRow(tr("Session Secret"), subtitle: tr("Looking…"))
  private let auth: AuthController
  private let keeper: SecretKeeper
  private let remedy = Button(tr("_Try Again")).align(vertical: .center)
  private let spinner = Spinner()
  private var listening: Listening?

  init(_ auth: AuthController) {
    self.auth = auth
    keeper = auth.keeper
    row.suffix(spinner.align(vertical: .center)).suffix(remedy)
    remedy.onClick { [weak self] in self?.mend() }
    listening = keeper.changed.listen { [weak self] in self?.apply() }
    apply()
  }

  /// Asks the store anew.
  func refresh() { keeper.check() }

  private func mend() {
    switch keeper.standing {
    case .locked: keeper.unlock()
    case .absent, .unreadable: auth.signOut()
    default: keeper.check()
    }
  }

  private func apply() {
    // Without a session the page is on its way out.
    guard let store = keeper.store else { return }
    let words = keeper.standing.map { $0.words(in: store) } ?? tr("Looking…")
    row.subtitle = [words, keeper.fault?.words].compactMap { $0 }.joined(separator: " ")
    let remedyWords = keeper.standing?.remedy
    if let remedyWords, remedy.words != remedyWords { remedy.words = remedyWords }
    remedy.isVisible = remedyWords != nil
    let isBusy = keeper.isLooking || keeper.isUnlocking
    remedy.isSensitive = !isBusy
    // To look takes a moment only; what takes longer shows.
    spinner.isVisible = keeper.isUnlocking || isBusy && remedyWords != nil
    spinner.isSpinning = spinner.isVisible
  }
}

extension SecretReading {
  /// What it means for the user.
  fileprivate func words(in store: SecretStore) -> String {
    switch (self, store) {
    case (.present, .keyring): tr("The session’s secret is in your keyring.")
    case (.present, .file):
      tr(
        "No keyring was found, so the session’s secret is in a file that only you can read, unencrypted. It moves into a keyring by itself once there is one."
      )
    case (.locked, _): tr("Your keyring is locked, so the secret cannot be read now. You stay signed in.")
    case (.refused, _):
      tr(
        "Your keyring refuses to hand the secret out. You stay signed in. Try again, or log out of your desktop and in again."
      )
    case (.noService, _):
      tr("No keyring was found, though the secret is in one. You stay signed in. Start your keyring, then try again.")
    case (.frozen, _), (.cancelled, _): tr("Your keyring does not answer. You stay signed in. Try again in a while.")
    case (.absent, .keyring): tr("The secret is gone from your keyring. Sign in again; your todos stay.")
    case (.absent, .file): tr("The file with the secret is gone. Sign in again; your todos stay.")
    case (.unreadable, .keyring):
      tr("What your keyring has for the secret is damaged. Sign in again; your todos stay.")
    case (.unreadable, .file): tr("The file with the secret cannot be read. Sign in again; your todos stay.")
    }
  }

  /// The words on the button that helps; nil where nothing is to be done.
  fileprivate var remedy: String? {
    switch self {
    case .present: nil
    case .locked: tr("_Unlock")
    case .refused, .noService, .frozen, .cancelled: tr("_Try Again")
    case .absent, .unreadable: tr("Sign In _Again")
    }
  }
}
