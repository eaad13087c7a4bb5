import GLibKit
import GateCore
import GtkKit

/// A sheet that asks for the desktop user's password before something is changed.
@MainActor
public final class VerifyQuestion {
  private let verify: VerifyController
  private let heading: String
  private let about: String
  private var listening: Listening?
  private var sheet: Sheet?
  private var done: (@MainActor (VerifyFault?) -> Void)?

  /// Makes a question.
  public init(heading: String, about: String, in context: GateContext) {
    verify = VerifyController(client: context.password, clock: context.clock, schedule: MainLoop.after)
    self.heading = heading
    self.about = about
  }

  /// Asks.
  ///
  /// The answer is nothing on success, a fault where passwords cannot be checked here at all; whoever cancels is not
  /// answered.
  public func ask(over window: Window?, _ done: @escaping @MainActor (VerifyFault?) -> Void) {
    guard let form = VerifyForm(verify, confirm: tr("_Continue")) else { return done(.unavailable) }
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
      verify.cancel()
      form.clear()
      listening = nil
    }
    verify.onVerified = { [weak self] _ in self?.finish(nil) }
    listening = verify.changed.listen { [weak self] in self?.follow() }
    sheet.show()
    verify.begin()
    form.grabFocus()
  }

  private func follow() {
    // What no further try can mend is said where the question came from.
    if verify.phase == .idle, let fault = verify.fault { finish(fault) }
  }

  private func finish(_ fault: VerifyFault?) {
    let done = self.done
    self.done = nil
    sheet?.dismiss()
    done?(fault)
  }
}
