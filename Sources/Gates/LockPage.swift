import GateCore
import GLibKit
import GtkKit

/// The locked screen: it says that the app is locked, and asks for the password when the user is here.
@MainActor
final class LockPage {
  private let lock: BiometricController
  private let host: Host
  private let verify: VerifyController
  private let form: VerifyForm?
  private let prompt = Box(.vertical, spacing: 12)
  private let unlock: Button
  private var attempt: UnlockAttempt?

  init(_ lock: BiometricController, in context: GateContext) {
    self.lock = lock
    host = context.host
    verify = VerifyController(client: context.password, clock: context.clock, schedule: MainLoop.after)
    form = VerifyForm(verify, confirm: tr("_Unlock"))
    unlock = Button(tr("_Unlock")).style("suggested-action", "pill").align(horizontal: .center)
  }

  func mount() -> Mount {
    unlock.onClick { [weak self] in self?.lock.promptRequested() }
    let cancel = Button(tr("_Cancel")).style("pill", "flat").align(horizontal: .center)
    cancel.onClick { [weak self] in self?.cancelled() }
    let quit = Button(tr("_Quit")).style("pill", "flat").align(horizontal: .center).onClick(host.quit)
    let noField = tr("No memory is left for a password field. Quit some programs, then start the app again.")
    prompt.append(form?.widget ?? Label(noField).centered().style("error"))
    prompt.append(cancel)
    let page = Page.message(
      icon: "io.github.appgates.AppGates", title: tr("App Gates is locked"), [prompt, unlock, quit])
    page.onKey { [weak self] in
      guard $0 == .escape else { return false }
      self?.cancelled()
      return true
    }
    let mount = Mount(page, keeping: self)
    mount.keep(lock.changed.listen { [weak self] in self?.apply() })
    mount.keep(verify.changed.listen { [weak self] in self?.follow() })
    mount.passFocus = { [weak self] in self?.grabFocus() }
    verify.onVerified = { [weak self] _ in self?.verified() }
    mount.onPark({ [weak self] in self?.stop() }, onReturn: { [weak self] in self?.apply() })
    mount.onEnd { [weak self] in self?.stop() }
    apply()
    return mount
  }

  private func apply() {
    if lock.isPaused, attempt != nil { stop() }
    let asks = lock.wantsPrompt || attempt != nil && lock.isLocked
    prompt.isVisible = asks
    unlock.isVisible = !asks
    if asks, attempt == nil {
      attempt = lock.beginAttempt()
      verify.begin()
      form?.grabFocus()
    }
  }

  private func grabFocus() {
    if attempt != nil { form?.grabFocus() } else { unlock.grabFocus() }
  }

  /// A lock that comes while nothing has been answered yet costs the user nothing: the attempt begins with the answer.
  private func follow() {
    switch verify.phase {
    case .checking where !isAnswered:
      isAnswered = true
      if attempt != nil { attempt = lock.beginAttempt() }
    case .idle, .starting, .waiting: isAnswered = false
    case .asking, .checking: break
    }
  }

  private var isAnswered = false

  private func cancelled() {
    guard attempt != nil else { return }
    stop()
    lock.promptCancelled()
    unlock.grabFocus()
  }

  private func stop() {
    attempt = nil
    verify.cancel()
    form?.clear()
  }

  private func verified() {
    guard let attempt else { return }
    self.attempt = nil
    // An attempt that a newer lock has overtaken opens nothing; the page then asks anew.
    if !lock.unlock(attempt) { apply() }
  }
}
