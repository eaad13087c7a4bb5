import GateCore
import GLibKit
import GtkKit

/// The field in which a password is given, what PAM says about it, and what the fingerprint reader does.
///
/// For the locked page and for questions alike.
@MainActor
final class VerifyForm {
  let widget = Box(.vertical, spacing: 12)
  private let verify: VerifyController
  private let clock: Clock
  private let field: SecretEntry
  private let confirm: Button?
  private let prompt = Label().centered()
  private let said = Label.alert().style("dim-label")
  private let fault = Label.alert().style("error")
  private let wait = Label().centered().style("dim-label")
  private let notes: FieldNotes
  private let finger: FingerprintLine
  private let spinner = Spinner()
  private var listening: Listening?
  private var second: Timer?

  /// Nothing where the machine has no memory left for the field.
  init?(_ unlocking: UnlockController, clock: Clock, confirm words: String?) {
    guard let field = SecretEntry(label: tr("Password")) else { return nil }
    verify = unlocking.password
    self.clock = clock
    self.field = field
    finger = FingerprintLine(unlocking.finger)
    notes = FieldNotes(field)
    confirm = words.map { Button($0).style("suggested-action", "pill").align(horizontal: .center) }
    field.onEnter { [weak self] in self?.answer() }
    confirm?.onClick { [weak self] in self?.answer() }
    for child in [finger.widget, prompt, said, field, notes.widget, fault, wait, spinner] as [Widget] {
      widget.append(child)
    }
    if let confirm { widget.append(confirm) }
    listening = verify.changed.listen { [weak self] in self?.apply() }
    apply()
  }

  /// Gives the keyboard to the field, as soon as it takes any.
  func grabFocus() {
    wantsFocus = true
    takeFocus()
  }

  func clear() { field.clear() }

  /// What the screen has to say of the last try, where the check itself says nothing; until the next.
  var remark = "" {
    didSet { sayFault() }
  }

  private func sayFault() { fault.say(verify.fault?.words ?? remark) }

  /// Forgets an Enter that waits for the prompt; what was typed stays.
  func forgetAnswer() { isAnswered = false }

  /// Gives what was typed to the helper, or as soon as the helper asks.
  func answer() {
    switch verify.phase {
    case .asking: field.take { verify.answer($0) }
    case .starting: isAnswered = true
    // It ended with a fault; what is typed then is asked for anew.
    case .idle: verify.begin()
    case .checking, .waiting: break
    }
  }

  private func apply() {
    // What a quick user types before the helper has asked is not lost.
    var takesInput = verify.phase == .starting
    if case .asking(let words, let isHidden) = verify.phase {
      takesInput = true
      field.isHidden = isHidden
      prompt.text = words.trimmingEnd
      field.accessibleLabel(words.trimmingEnd)
      if isAnswered, isHidden { MainLoop.wake { [weak self] in self?.answer() } }
    } else {
      // Until it asks, nobody knows for what; a password must not be typed into a field that shows it.
      field.isHidden = true
      if verify.phase != .checking {
        prompt.text = ""
        field.accessibleLabel(tr("Password"))
      }
    }
    if verify.phase == .checking { remark = "" }
    if verify.phase != .starting { isAnswered = false }
    if confirm?.isFocused == true { wantsFocus = true }
    prompt.isVisible = !prompt.text.isEmpty
    field.isEditable = takesInput
    confirm?.isSensitive = takesInput || verify.phase == .idle
    takeFocus()
    spinner.isSpinning = verify.phase == .checking
    spinner.isVisible = verify.phase == .checking
    said.say(verify.messages.map(\.text).joined(separator: "\n"))
    sayFault()
    countDown()
  }

  /// PAM's wait, in whole seconds.
  ///
  /// Not an alert: a screen reader would say each of them.
  private func countDown() {
    second = nil
    guard case .waiting(let until) = verify.phase, until > clock.boot() else { return wait.say("") }
    let left = until - clock.boot()
    let seconds = Int((left + 999) / 1000)
    wait.say(tr("The next try is possible in %s second.", "The next try is possible in %s seconds.", count: seconds))
    second = MainLoop.after((left - 1) % 1000 + 1) { [weak self] in self?.countDown() }
  }

  private func takeFocus() {
    guard wantsFocus, field.grabFocus() else { return }
    wantsFocus = false
  }

  /// The keyboard belongs in the field, which takes none at the moment.
  private var wantsFocus = false
  /// Enter was pressed before the helper had asked.
  private var isAnswered = false
}

extension Label {
  /// Shows the words, or goes where there are none.
  func say(_ words: String) {
    // Written only where it changes: a screen reader says an alert at each write.
    if text != words { text = words }
    isVisible = !words.isEmpty
  }
}

extension String {
  /// PAM's prompts end in a colon and a space, which a label above a field does without.
  fileprivate var trimmingEnd: String {
    var text = self[...]
    while let last = text.last, last.isWhitespace || last == ":" { text.removeLast() }
    return String(text)
  }
}
