import GateCore
import GLibKit
import GtkKit

/// One line that says what the fingerprint reader does; nothing where there is none.
@MainActor
final class FingerprintLine {
  let widget = Box(.vertical, spacing: 6)
  private let finger: FingerprintController
  private let icon = Image(icon: "auth-fingerprint-symbolic", pixels: 32)
  private let words = Label.alert()
  private var listening: Listening?

  init(_ finger: FingerprintController) {
    self.finger = finger
    widget.append(icon)
    widget.append(words)
    listening = finger.changed.listen { [weak self] in self?.apply() }
    apply()
  }

  private func apply() {
    words.say(finger.words)
    widget.isVisible = !words.text.isEmpty
    words.setStyle("error", finger.isRefused)
    var isHere = true
    if case .unavailable = finger.phase { isHere = false }
    if case .passwordDue = finger.phase { isHere = false }
    words.setStyle("dim-label", !isHere)
    icon.setStyle("dim-label", !isHere)
  }
}

extension FingerprintController {
  /// What the reader does, as one sentence; PAM's own words where it has some.
  fileprivate var words: String {
    switch phase {
    case .silent: isRefused ? tr("That finger was not recognised.") : ""
    case .ready where isRefused: tr("That finger was not recognised. Try again.")
    case .ready(let prompt): prompt.isEmpty ? tr("Touch the fingerprint reader") : prompt
    case .again(let said): said.isEmpty ? tr("Touch the reader again") : said
    case .passwordDue(.first), .passwordDue(.period): tr("Type your password this time; a finger will do after that.")
    case .passwordDue(.refusedFingers):
      tr("Too many fingers were not recognised. Type your password; a finger will do after that.")
    case .unavailable(.noneEnrolled): tr("No finger of yours is enrolled. Enrol one in your desktop’s settings.")
    case .unavailable(.inUse): tr("Another program uses the fingerprint reader.")
    case .unavailable(.unplugged): tr("The fingerprint reader was unplugged.")
    case .unavailable(.notSetUp), .unavailable(.other): tr("The fingerprint reader is not available.")
    }
  }
}

extension UnlockController {
  /// Finger and password as the context has them.
  convenience init(in context: GateContext) {
    self.init(
      password: context.password, fingerprint: context.fingerprint, record: context.record, clock: context.clock,
      schedule: MainLoop.after)
  }
}
