import GLibKit
import GtkKit

/// What is said below a field for a password: Caps Lock, the keyboard's layout, and why it did not take a text.
@MainActor
final class FieldNotes {
  let widget = Box(.vertical, spacing: 6)
  private let capsLock = Label.alert().style("warning")
  private let refusal = Label.alert().style("error")
  // No alert: a screen reader would say it into the first key.
  private let layout = Label().centered().style("dim-label", "caption")

  init(_ field: SecretEntry) {
    for label in [capsLock, refusal, layout] {
      label.isVisible = false
      widget.append(label)
    }
    widget.isVisible = false
    field.onCapsLock { [weak self] isOn in self?.show(isOn ? tr("Caps Lock is on.") : "", in: \.capsLock) }
    field.onRefusal { [weak self] in self?.show($0?.words ?? "", in: \.refusal) }
    field.onLayout { [weak self] name in
      self?.show(name.map { tr("Keyboard layout: %s", $0) } ?? "", in: \.layout)
    }
  }

  private func show(_ words: String, in place: KeyPath<FieldNotes, Label>) {
    let label = self[keyPath: place]
    if label.text != words { label.text = words }
    label.isVisible = !words.isEmpty
    widget.isVisible = [capsLock, refusal, layout].contains { $0.isVisible }
  }
}

extension SecretRefusal {
  /// The sentence below the field.
  fileprivate var words: String {
    switch self {
    case .tooLong: tr("That is longer than a password can be (511 bytes). Nothing was changed.")
    case .severalLines: tr("That has several lines. Copy the password alone, without the line’s end, and paste again.")
    case .noText: tr("That holds a character that no password can hold. Copy the password again.")
    case .nothingThere: tr("There is no text to paste. Copy the password again.")
    }
  }
}
