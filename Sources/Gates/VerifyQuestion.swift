import GLibKit
import GateCore
import GtkKit

/// A sheet that asks for the desktop user's password or finger before something is changed.
@MainActor
public final class VerifyQuestion {
  private let unlocking: UnlockController
  private let heading: String
  private let about: String
  private let clock: Clock
  private let host: Host
  private let lock: BiometricController?
  private var listening: [Listening] = []
  private var sheet: Sheet?
  private var done: (@MainActor (VerifyFault?) -> Void)?

  /// Makes a question.
  public init(heading: String, about: String, in context: GateContext) {
    unlocking = UnlockController(in: context)
    clock = context.clock
    host = context.host
    lock = context[BiometricController.self]
    self.heading = heading
    self.about = about
  }

  /// Asks.
  ///
  /// The answer is nothing on success, a fault where passwords cannot be checked here at all; whoever cancels is not
  /// answered.
  public func ask(over window: Window?, _ done: @escaping @MainActor (VerifyFault?) -> Void) {
    guard let form = VerifyForm(unlocking, clock: clock, confirm: tr("_Continue")) else { return done(.unavailable) }
    self.done = done
    let cancel = Button(tr("_Cancel")).style("pill", "flat").align(horizontal: .center)
    let column = Box(
      .vertical, spacing: 12,
      [Label(heading).centered().style("title-2"), Label(about).centered(), form.widget, cancel]
    ).margin(24)
    let sheet = Sheet(over: window, title: heading, Page.frame(column))
    cancel.onClick { [weak sheet] in sheet?.close() }
    // The window keeps the question and the question its sheet, until the window goes.
    self.sheet = sheet
    sheet.onEnd { [self] in
      self.sheet = nil
      unlocking.cancel()
      form.clear()
      listening = []
    }
    unlocking.onVerified = { [weak self] _ in self?.finish(nil) }
    listening = [unlocking.password.changed.listen { [weak self] in self?.follow() }]
    if let lock {
      // Before the locked page asks for itself: there is one reader, and one try at a time.
      listening.append(lock.closing.listen { [weak self] in self?.sheet?.dismiss() })
      listening.append(lock.changed.listen { [weak self] in self?.follow() })
    } else {
      listening.append(host.activity.listen { [weak self] in self?.unlocking.isActive = $0 })
    }
    sheet.show()
    unlocking.begin()
    form.grabFocus()
  }

  private func follow() {
    if let lock {
      // The desktop's lock screen wants the reader now, and before sleep it has to be let go of.
      if lock.isPaused { unlocking.leaveAtOnce() } else { unlocking.isActive = lock.isHere }
    }
    // What no further try can mend is said where the question came from.
    let verify = unlocking.password
    if verify.phase == .idle, let fault = verify.fault { finish(fault) }
  }

  private func finish(_ fault: VerifyFault?) {
    let done = self.done
    self.done = nil
    sheet?.dismiss()
    done?(fault)
  }
}
