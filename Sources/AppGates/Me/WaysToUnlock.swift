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
  /// How the reader was at the last look.
  var reader: ReaderState?
  /// What stands in the way of the password; kept, since to find out may take a question to the user database.
  private var obstacle: VerifyFault?

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

  /// Whether a finger does as well as the password, as far as is known.
  var takesFinger: Bool {
    if case .ready = reader { context.record.passwordDue == nil } else { false }
  }

  /// Looks anew whether the password can be checked here; `apply` shows it.
  func refresh() { obstacle = context.password.obstacle() }

  /// Shows the state.
  func apply() {
    password.subtitle = obstacle?.words ?? tr("Your desktop password, checked by this computer")
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
