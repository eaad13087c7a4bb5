import GateCore
import GLibKit
import GtkKit

/// The switch for counting, with the one sentence that says what is counted.
///
/// Whoever shows the row keeps this.
@MainActor
public final class CountingRow {
  /// The row for a group.
  public let row: ActionRow
  /// Runs with what the user asks for, and sets `isOn` to what has become of it.
  public var toggled: @MainActor (Bool) -> Void = { _ in }
  private let control = Switch(label: tr("Count a few events"))

  /// Makes the row.
  public init(isOn: Bool) {
    row = ActionRow(
      tr("Count a few events"),
      subtitle: tr(
        "Sends that the app was opened, the introduction finished, a todo added or ticked, or a review asked for: names and times under a random number, and never what you write."
      ))
    control.isOn = isOn
    control.onToggle { [weak self] in self?.toggled($0) }
    row.suffix(control, activates: true)
  }

  /// Whether the switch is on.
  public var isOn: Bool {
    get { control.isOn }
    set { control.isOn = newValue }
  }
}
