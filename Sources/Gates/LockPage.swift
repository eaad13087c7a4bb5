import GateCore
import GLibKit
import GtkKit

/// The locked screen: it says that the app is locked, and asks for finger and password when the user is here.
@MainActor
final class LockPage {
  private let lock: BiometricController
  private let host: Host
  private let unlocking: UnlockController
  private let form: VerifyForm?
  private let prompt = Box(.vertical, spacing: 12)
  private let unlock: Button
  private let cancel = Button(tr("_Cancel")).style("pill", "flat")
  /// What a right password would open; nothing while nobody is asked.
  private var attempt: UnlockAttempt?
  /// The same for a finger: from the moment at which the reader is asked for it.
  private var fingerAttempt: UnlockAttempt?
  private weak var shown: Mount?

  init(_ lock: BiometricController, in context: GateContext) {
    self.lock = lock
    host = context.host
    unlocking = UnlockController(in: context)
    form = VerifyForm(unlocking, clock: context.clock, confirm: tr("_Unlock"))
    unlock = Button(tr("_Unlock")).style("suggested-action", "pill").align(horizontal: .center)
  }

  func mount() -> Mount {
    unlock.onClick { [weak self] in self?.lock.promptRequested() }
    cancel.onClick { [weak self] in self?.cancelled() }
    let quit = Button(tr("_Quit")).style("pill", "flat").onClick(host.quit)
    let noField = tr("No memory is left for a password field. Quit some programs, then start the app again.")
    prompt.append(form?.widget ?? Label(noField).centered().style("error"))
    let foot = Box(.horizontal, spacing: 12, [cancel, quit]).align(horizontal: .center)
    let page = Page.message(
      icon: "io.github.appgates.AppGates", title: tr("App Gates is locked"), isCompact: true, [prompt, unlock, foot])
    page.onKey { [weak self] in
      guard $0 == .escape else { return false }
      self?.cancelled()
      return true
    }
    let mount = Mount(page, keeping: self)
    shown = mount
    mount.keep(lock.changed.listen { [weak self] in self?.apply() })
    mount.keep(unlocking.password.changed.listen { [weak self] in self?.renew() })
    mount.passFocus = { [weak self] in self?.grabFocus() }
    unlocking.finger.onBegin = { [weak self] in self?.fingerAttempt = self?.lock.beginAttempt() }
    unlocking.onVerified = { [weak self] in self?.verified($0) }
    mount.onPark({ [weak self] in self?.stop() }, onReturn: { [weak self] in self?.apply() })
    mount.onEnd { [weak self] in self?.stop() }
    apply()
    return mount
  }

  private func apply() {
    // Behind an error card nobody is asked, and no reader is held.
    guard shown?.isParked != true else { return }
    if lock.isPaused, attempt != nil { stop() }
    let asks = lock.wantsPrompt || attempt != nil && lock.isLocked
    prompt.isVisible = asks
    unlock.isVisible = !asks
    cancel.isVisible = asks
    unlocking.isActive = lock.isHere
    guard asks else { return }
    renew()
    if attempt == nil {
      attempt = lock.beginAttempt()
      unlocking.begin()
      form?.grabFocus()
    } else if let fingerAttempt, !lock.isCurrent(fingerAttempt) {
      // Locked anew: a finger that was laid on before that opens nothing.
      unlocking.finger.restart()
    }
  }

  private func grabFocus() {
    if attempt != nil { form?.grabFocus() } else { unlock.grabFocus() }
  }

  /// A lock that comes while nothing has been answered yet costs the user nothing: the attempt begins then.
  ///
  /// An Enter that waits for the prompt is forgotten, as it came before.
  private func renew() {
    switch unlocking.password.phase {
    case .checking: isAnswered = true
    // Idle says nothing: it comes with the verdict, and before the page has heard of that.
    case .asking, .idle: break
    case .starting, .waiting: isAnswered = false
    }
    guard let attempt, !isAnswered, !lock.isCurrent(attempt) else { return }
    form?.forgetAnswer()
    self.attempt = lock.beginAttempt()
  }

  /// PAM has an answer to one of its prompts.
  private var isAnswered = false

  private func cancelled() {
    guard attempt != nil else { return }
    stop()
    lock.promptCancelled()
    unlock.grabFocus()
  }

  private func stop() {
    isAnswered = false
    attempt = nil
    fingerAttempt = nil
    unlocking.cancel()
    form?.clear()
  }

  private func verified(_ method: UnlockController.Method) {
    let attempt = method == .fingerprint ? fingerAttempt : attempt
    guard let attempt, self.attempt != nil else { return }
    guard lock.unlock(attempt) else {
      // An attempt that a newer lock has overtaken opens nothing; the page then asks anew.
      stop()
      apply()
      form?.remark = tr("The app was locked anew meanwhile. Please once more.")
      return
    }
    if case .password(let by) = method { tell(by) }
  }

  private func tell(_ by: VerifiedBy) {
    if by.newPasswordRequired {
      host.notice(tr("The system wants you to change your password soon. Do so in your desktop’s settings."))
    }
    if by.accountUnchecked { Log.warning("PAM could not check the account (code 9); the password was right.") }
  }
}
