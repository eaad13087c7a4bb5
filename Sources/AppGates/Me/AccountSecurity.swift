import GLibKit
import GateCore
import Gates
import GtkKit

/// The lock's settings, and how the session's secret stands.
@MainActor
final class AccountSecurity {
  private(set) var groups: [Group] = []
  private weak var shell: Shell?
  private let lock: BiometricController?
  private let secret: SecretRow?
  private let preferences: AppPreferences
  private let lockSwitch = Switch(label: tr("App Lock"))
  private let lockRow = ActionRow(tr("App Lock"))
  private let delay: ComboRow
  private let hideSwitch = Switch(label: tr("Hide Content When Not in Front"))
  private var ways: WaysToUnlock?
  /// Why the switch could not be turned, said beside it until something is changed.
  private var fault: VerifyFault?
  private var listening: [Listening] = []

  init(_ shell: Shell) {
    self.shell = shell
    let context = shell.context
    preferences = context.preferences
    lock = context[BiometricController.self]
    secret = context[AuthController.self].map { SecretRow($0) }
    delay = ComboRow(
      tr("Lock After"), subtitle: tr("How long you may look elsewhere"),
      choices: BiometricController.graces.map(AccountSecurity.words))
    let group = Group(tr("Account Security"))
    if lock != nil { addLock(to: group) }
    groups.append(group)
    if lock != nil {
      let ways = WaysToUnlock(context)
      self.ways = ways
      groups.append(ways.group)
    }
    if let secret { group.add(secret.row) }
    listening.append(preferences.changed.listen { [weak self] _ in self?.tell(nil) })
    apply()
  }

  private func addLock(to group: Group) {
    lockSwitch.onToggle { [weak self] in self?.askToTurn(on: $0) }
    group.add(lockRow.suffix(lockSwitch, activates: true))
    delay.onChoose { [weak self] in
      self?.preferences.set(.lockAfterSeconds, to: BiometricController.graces[$0])
    }
    group.add(delay)
    hideSwitch.onToggle { [weak self] in
      self?.preferences.set(.hideContent, to: $0)
      self?.apply()
    }
    let hide = ActionRow(
      tr("Hide Content When Not in Front"), subtitle: tr("Covers the window while you look elsewhere"))
    group.add(hide.suffix(hideSwitch, activates: true))
  }

  /// Looks at the ways to unlock and at the secret anew.
  func refresh() {
    ways?.refresh()
    secret?.refresh()
    apply()
  }

  /// Tells of the reader.
  func show(_ reader: ReaderState) {
    ways?.reader = reader
    apply()
  }

  private func apply() {
    ways?.apply()
    guard let lock else { return }
    lockSwitch.isOn = lock.isEnabled
    lockRow.subtitle =
      switch (fault, lock.isEnabled, takesFinger) {
      case (let fault?, _, _): fault.words
      case (nil, false, _): tr("Anyone at your desktop can open the app.")
      case (nil, true, false): tr("Your desktop password opens the app.")
      case (nil, true, true): tr("Your desktop password or your finger opens the app.")
      }
    delay.isSensitive = lock.isEnabled
    delay.chosen = BiometricController.graces.firstIndex(of: preferences[.lockAfterSeconds]) ?? 0
    hideSwitch.isOn = preferences[.hideContent]
  }

  /// Verifies first, so that nobody turns on a lock that they cannot open, nor off one that is not theirs.
  private func askToTurn(on isOn: Bool) {
    guard let shell, let lock else { return }
    lockSwitch.isOn = lock.isEnabled
    // Asked in vain, a password would only look wrong.
    if let obstacle = shell.context.password.obstacle() { return tell(obstacle) }
    let question = VerifyQuestion(
      heading: isOn ? tr("Turn the App Lock On") : tr("Turn the App Lock Off"),
      about: takesFinger
        ? tr("Your desktop password or your finger, please: this computer checks it, and the app keeps nothing of it.")
        : tr("Your desktop password, please: it is checked by this computer and kept nowhere."),
      in: shell.context)
    question.ask(over: shell.context.host.window) { [weak self] fault in
      if fault == nil { lock.setEnabled(isOn) }
      self?.tell(fault)
    }
  }

  private func tell(_ fault: VerifyFault?) {
    self.fault = fault
    apply()
  }

  private var takesFinger: Bool { ways?.takesFinger == true }

  private static func words(_ seconds: Int) -> String {
    seconds < 60
      ? tr("%s second", "%s seconds", count: seconds) : tr("%s minute", "%s minutes", count: seconds / 60)
  }
}
