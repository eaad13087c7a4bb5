import GLibKit
import GateCore
import Gates
import GtkKit

/// The ways to unlock the app, each with its state and what to do about it, and how long a finger may stand in for the
/// password.
@MainActor
final class WaysToUnlock {
  let group = Group(tr("Ways to Unlock"))
  private let context: GateContext
  private let password = ActionRow(tr("Password"))
  private let finger = ActionRow(tr("Fingerprint Reader"), subtitle: tr("Looking…"))
  private let again: ComboRow
  private var reader: ReaderState?
  private var look: AnyObject?

  init(_ context: GateContext) {
    self.context = context
    again = ComboRow(
      tr("Ask for Password After"),
      subtitle: tr("Also after %s refused fingers", String(UnlockRecord.fingersInARow)),
      choices: UnlockRecord.periods.map(WaysToUnlock.words))
    again.onChoose { [weak self] in
      self?.context.preferences.set(.passwordAfterSeconds, to: UnlockRecord.periods[$0])
    }
    for row in [password, finger, again] as [Widget] { group.add(row) }
    apply()
  }

  /// Asks anew what is there.
  func refresh() {
    look = context.fingerprint?.look { [weak self] in
      self?.reader = $0
      self?.apply()
    }
    apply()
  }

  /// Shows the state.
  func apply() {
    password.subtitle = context.password.obstacle()?.words ?? tr("Your desktop password, checked by this computer")
    if let reader { finger.subtitle = words(reader) }
    again.chosen = UnlockRecord.periods.firstIndex(of: context.preferences[.passwordAfterSeconds]) ?? 0
    again.isSensitive = context.preferences[.biometricEnabled]
  }

  private func words(_ reader: ReaderState) -> String {
    guard case .ready = reader, context.record.passwordDue != nil else { return reader.words }
    return reader.words + " " + tr("The next unlock takes the password.")
  }

  private static func words(_ seconds: Int) -> String {
    let days = seconds / 86_400
    return days < 7 ? tr("%s day", "%s days", count: days) : tr("%s week", "%s weeks", count: days / 7)
  }
}
