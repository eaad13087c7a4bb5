import GLibKit
import GateCore
import GateServices
import Gates
import GtkKit

/// The end of everything: what goes, a word to type, and then a start as on the first day.
///
/// First the secret is removed from its store; where that fails, nothing else has been. The rest goes at the start that
/// follows, before anything is opened.
@MainActor
final class ErasePage {
  private weak var shell: Shell?
  private let services: ShellServices
  private let keeper: SecretKeeper
  private let entry = Entry(placeholder: tr("Type “%s” to go on", ErasePage.word)).limit(64)
  private let erase = Button(tr("_Delete Everything")).style("pill", "destructive-action").align(horizontal: .center)
  private let back = Button(icon: "go-previous-symbolic", label: tr("Back"))
  private let spinner = Spinner()
  private let outcome = Label.alert()

  /// What has to be typed.
  private static var word: String { tr("delete") }

  /// Shows the page; the row gets the keyboard back.
  static func show(in shell: Shell, keeper: SecretKeeper, from row: Widget?) {
    guard let services = shell.context[ShellServices.self] else { return }
    let page = ErasePage(shell, services, keeper)
    page.back.onClick { [weak shell, weak row] in
      shell?.closeDetail()
      row?.grabFocus()
    }
    shell.showDetail(page.widget(), keeping: page) { page.entry.grabFocus() }
  }

  private init(_ shell: Shell, _ services: ShellServices, _ keeper: SecretKeeper) {
    self.shell = shell
    self.services = services
    self.keeper = keeper
    entry.onEdit { [weak self] in self?.apply() }
    entry.onEnter { [weak self] in self?.begin() }
    erase.onClick { [weak self] in self?.begin() }
    outcome.isVisible = false
    spinner.isVisible = false
    apply()
  }

  private func widget() -> Widget {
    let goes = [
      tr("All todos, of every account, with their drafts and the copies that were set aside"),
      tr("All settings, the app lock among them"),
      tr("The session’s secret, from your keyring or its file"),
      tr("Reports, counted events, and what crashes left"),
    ]
    let rows = Group(
      "", about: tr("This is removed from this computer, and cannot be brought back:"), goes.map { ActionRow($0) })
    let rest = Label(
      shell?.context.analytics.isConfigured == true
        ? tr(
          "Export the todos that you want to keep first. What has been sent stays with whoever has it; events that were counted can be deleted there under Privacy."
        )
        : tr("Export the todos that you want to keep first. What has been sent stays with whoever has it.")
    ).leading().style("dim-label")
    let provider = Label(tr("Your provider is told to forget this computer too.")).leading()
    provider.isVisible = shell?.context[AuthController.self]?.session?.account ?? .local != .local
    let column = Box(.vertical, spacing: 18, [rows, provider, rest, entry, erase, spinner, outcome])
      .margin(18, vertical: 18)
    let header = HeaderBar(title: Label(tr("Delete Everything")).style("heading")).start(back)
    return Box(.vertical, [header, Scrolled(Clamp(column, width: 560))])
  }

  private var isConfirmed: Bool {
    entry.text.split(separator: " ").joined(separator: " ").lowercased() == ErasePage.word.lowercased()
  }

  /// A page that is busy stays: to leave it would look like calling it off, and nobody would hear how it ends.
  private func apply(isBusy: Bool = false) {
    shell?.isHeld = isBusy
    erase.isSensitive = isConfirmed && !isBusy
    entry.isSensitive = !isBusy
    back.isSensitive = !isBusy
    spinner.isVisible = isBusy
    spinner.isSpinning = isBusy
  }

  /// With the lock on, whoever only passes by deletes nothing.
  private func begin() {
    guard isConfirmed, erase.isSensitive, let context = shell?.context else { return }
    guard context[BiometricController.self]?.isEnabled == true else { return go() }
    if let obstacle = context.password.obstacle() { return say(obstacle.words) }
    let question = VerifyQuestion(
      heading: tr("Delete Everything"),
      about: tr("Your desktop password, please: it is checked by this computer and kept nowhere."), in: context)
    question.ask(over: context.host.window) { [weak self] fault in
      if let fault { self?.say(fault.words) } else { self?.go() }
    }
  }

  private func go() {
    do throws(ErasureFault) {
      try services.erasure.prepare()
    } catch {
      return say(tr("Nothing was deleted. This is in the way: %s", error.words))
    }
    apply(isBusy: true)
    say(tr("Removing the session’s secret…"))
    // It goes on whatever becomes of the window: it may be locked meanwhile, or closed.
    let running = services.keepRunning()
    keeper.erase { [weak self, services] in
      defer { withExtendedLifetime(running) {} }
      if let fault = $0 {
        services.erasure.callOff()
        self?.failed(tr("Nothing was deleted, since the session’s secret could not be removed. %s", fault.words))
        return
      }
      do throws(ErasureFault) {
        try services.erasure.commit()
        services.startAfresh()
      } catch {
        self?.failed(
          tr("The session’s secret was removed, and nothing else. Put this right, then try again: %s", error.words))
      }
    }
  }

  private func failed(_ words: String) {
    apply()
    say(words)
    entry.grabFocus()
  }

  private func say(_ words: String) {
    outcome.text = words
    outcome.isVisible = true
  }
}
