import GLibKit
import GateCore
import GateServices
import Gates
import GtkKit

/// What the app may do on this desktop: each thing with its present state and a way to change it.
///
/// Nothing here opens or asks by itself.
@MainActor
final class Permissions {
  let group = Group(tr("Permissions"))
  private weak var shell: Shell?
  private let login = Switch(label: tr("Start at Login"))
  private let loginRow = ActionRow(tr("Start at Login"))
  private let notifications = ActionRow(tr("Notifications"))
  private let fingerprint = ActionRow(tr("Fingerprint"), subtitle: tr("Looking…"))

  init(_ shell: Shell) {
    self.shell = shell
    let open = tr("_Settings")
    notifications.suffix(settingsButton(open, .notifications))
    login.onToggle { [weak self] in self?.startAtLogin($0) }
    loginRow.suffix(login, activates: true)
    fingerprint.suffix(settingsButton(open, .fingerprint))
    for row in [notifications, loginRow, fingerprint] { group.add(row) }
  }

  /// Looks anew at each state but the reader's.
  func refresh() {
    notifications.subtitle = DesktopSettings.notifications(of: Program.id).words
    showLogin()
  }

  /// Tells of the reader.
  func show(_ reader: ReaderState) { fingerprint.subtitle = reader.words }

  private func settingsButton(_ words: String, _ panel: DesktopSettings.Panel) -> Button {
    let button = Button(words).align(vertical: .center)
    return button.onClick { [weak self] in
      DesktopSettings.open(panel) { isOpen in
        guard !isOpen else { return }
        self?.shell?.say(tr("No settings program was found. Look for it in your desktop’s own settings."))
      }
    }
  }

  private func startAtLogin(_ isOn: Bool) {
    guard let services = shell?.context[ShellServices.self] else { return }
    do throws(FileFault) {
      try services.autostart.set(isOn)
    } catch {
      shell?.say(tr("This could not be changed: %s.", error.words))
    }
    showLogin()
  }

  private func showLogin() {
    guard let services = shell?.context[ShellServices.self] else { return }
    switch services.autostart.state {
    case .on: (login.isOn, loginRow.subtitle) = (true, tr("The app starts when you log in."))
    case .off: (login.isOn, loginRow.subtitle) = (false, tr("The app starts when you open it."))
    case .unreadable(let fault): (login.isOn, loginRow.subtitle) = (false, tr("It cannot be told: %s.", fault.words))
    }
  }
}

extension ReaderState {
  /// What it means, and what to do.
  var words: String {
    switch self {
    case .noService: tr("No fingerprint service was found; install fprintd to use a reader.")
    case .noAnswer: tr("The fingerprint service does not answer. Restart it, or the computer.")
    case .noReader: tr("No reader was found. Plug one in, or use the password.")
    case .noneEnrolled: tr("A reader is there; no finger of yours is enrolled. Enrol one in your desktop’s settings.")
    case .inUse: tr("Another program uses the reader. Close that program, or use the password.")
    case .denied:
      tr("A reader is there; your system’s rules (polkit) keep you from it. Ask whoever looks after this computer.")
    case .notSetUp:
      tr("A reader is there, but the file /etc/pam.d/app-gates-fingerprint is missing. Install the app’s package.")
    case .ready(let count): tr("%s finger is enrolled.", "%s fingers are enrolled.", count: count)
    }
  }
}

extension DesktopSettings.Notifications {
  fileprivate var words: String {
    switch self {
    case .allowed: tr("Your desktop shows them.")
    case .off: tr("They are switched off in your desktop’s settings.")
    case .unknown: tr("Your desktop decides; it does not say how.")
    }
  }
}
