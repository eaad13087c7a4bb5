import GateCore
import GLibKit
import GtkKit

/// A form in which the user says what happened, reads exactly what will be sent, and sends it.
///
/// Nothing goes along that is not shown. What is typed is kept while the program runs, so the form may be left. On a card
/// above the lock it shows nothing of what was typed while the app was open, and goes when the app locks or, with the
/// lock on, when the user leaves the app.
@MainActor
public final class ReportForm {
  /// The page, with its own header bar; whoever shows it keeps the form.
  public let widget = Bin()
  private let context: GateContext
  private let reporting: Reporting
  private let place: ReportDrafts.Place
  private let close: @MainActor () -> Void
  private var report: Report
  private let area: TextArea
  private let name = Entry(placeholder: tr("Name (optional)")).limit(Report.lineLimit)
  private let email = Entry(placeholder: tr("Email for an answer (optional)")).limit(Report.lineLimit)
  private let obstacle = Label.alert().style("error")
  private let preview = Label().leading().selectable().verbatim().margin(0, vertical: 6).style("monospace", "caption")
  private let expander: Expander
  private var buttons: [Button] = []
  private let said = Label.alert()
  private var listening: [Listening] = []
  private var hasLeft = false

  /// Makes the form; nothing where the context has no reports.
  ///
  /// `close` leaves it.
  /// `isCard` says that it stands on a screen above the gates, which anybody may see.
  public init?(
    _ subject: ReportSubject, isCard: Bool, in context: GateContext, close: @escaping @MainActor () -> Void
  ) {
    guard let reporting = context[Reporting.self] else { return nil }
    self.context = context
    self.reporting = reporting
    self.close = close
    place = isCard ? .card(isLocked: context.isLocked) : .me
    report = reporting.begin(
      subject, gate: context.host.gates.onScreen(besides: "ErrorBoundary"), at: context.clock.wall())
    area = TextArea(label: subject == .feedback ? tr("Your feedback") : tr("What happened"))
    let isConfigured = reporting.reports.isConfigured
    expander = Expander(isConfigured ? tr("What _will be sent") : tr("What _goes with it"), preview)
    fill()
    widget.child = page(isConfigured)
    widget.onKey { [weak self] in
      guard $0 == .escape, let self else { return false }
      self.leave()
      return true
    }
    show()
    if isCard {
      // What was typed behind the lock, or before it, is not for whoever comes now.
      listening.append(context.host.locking.listen { [weak self] _ in self?.leave() })
      // The cover of the lock does not reach here.
      listening.append(
        context.host.activity.listen { [weak self] isActive in
          if !isActive, context.isLockOn || context.isLocked { self?.leave() }
        })
    }
  }

  /// Gives the keyboard to the field.
  public func grabFocus() { area.grabFocus() }

  private func fill() {
    let draft = reporting.reports.drafts[place]
    area.text = draft.message
    name.text = draft.name
    email.text = draft.email
    area.onEdit { [weak self] in self?.edited() }
    name.onEdit { [weak self] in self?.edited() }
    email.onEdit { [weak self] in self?.edited() }
    expander.onChange(of: "expanded") { [weak self] in self?.show() }
    read()
  }

  private func page(_ isConfigured: Bool) -> Widget {
    let back = Button(icon: "go-previous-symbolic", label: tr("Back")).onClick { [weak self] in self?.leave() }
    let isFeedback = report.subject == .feedback
    let title = Label(isFeedback ? tr("Send Feedback") : tr("Send a Report")).oneLine().style("heading")
    let question = Label(isFeedback ? tr("What is good, and what is not?") : tr("What happened? (optional)"))
    obstacle.isVisible = false
    said.isVisible = false
    let rows: [Widget] =
      [
        question.leading().style("heading"), Scrolled(area).expand(vertical: false).style("card").size(height: 120),
        name, email, obstacle,
      ]
      + [expander, Label(promise(isConfigured)).leading().style("dim-label"), actions(isConfigured), said]
    let column = Box(.vertical, spacing: 12, rows).margin(18, vertical: 18)
    return Page.frame(Scrolled(Clamp(column, width: 560)), header: HeaderBar(title: title).start(back))
  }

  private func promise(_ isConfigured: Bool) -> String {
    if isConfigured { return tr("Nothing but this is sent, and only when you press Send.") }
    return mayChooseFiles
      ? tr("No address for reports is configured here. Copy the text or save it, and send it the way you like.")
      : tr("No address for reports is configured here. Copy the text, and send it the way you like.")
  }

  /// A dialog for a file's place shows the user's own files, which is nothing to be seen above the lock.
  private var mayChooseFiles: Bool { place != .card(isLocked: true) }

  private func actions(_ isConfigured: Bool) -> Widget {
    if isConfigured {
      buttons = [Button(tr("_Send")).style("pill", "suggested-action").onClick { [weak self] in self?.send() }]
    } else {
      buttons = [Button(tr("_Copy")).style("pill").onClick { [weak self] in self?.copy() }]
      if mayChooseFiles {
        let save = Button(tr("_Save as a File…")).style("pill", "suggested-action")
        buttons.append(save.onClick { [weak self] in self?.save() })
      }
    }
    return Box(.horizontal, spacing: 12, buttons).align(horizontal: .center)
  }

  private func edited() {
    read()
    var draft = ReportDrafts.Draft()
    (draft.message, draft.name, draft.email) = (report.message, report.name, report.email)
    reporting.reports.drafts[place] = draft
    show()
  }

  private func read() {
    report.message = area.text
    (report.name, report.email) = (name.text, email.text)
  }

  private func show() {
    let found = report.obstacle
    // An empty form needs no reproach.
    let words = found == .noWords && report.name.isEmpty && report.email.isEmpty ? "" : found?.words ?? ""
    if obstacle.text != words { obstacle.text = words }
    obstacle.isVisible = !words.isEmpty
    for button in buttons { button.isSensitive = found == nil }
    if expander.isExpanded { preview.text = sending }
  }

  /// What goes, byte for byte but for the time of sending.
  private var sending: String {
    let reports = reporting.reports
    guard reports.isConfigured else { return report.text }
    let parts = reports.writer.parts(report).map { reports.writer.envelope($0, nil) }
    guard !parts.isEmpty else { return tr("Nothing yet.") }
    return parts.joined(separator: "\n") + "\n"
      + tr("The time of sending (sent_at) is added to each first line when it goes.")
  }

  private func leave() {
    guard !hasLeft else { return }
    hasLeft = true
    listening = []
    close()
  }

  private func send() {
    do throws(ReportController.Refusal) {
      let fault = try reporting.reports.send(report)
      reporting.reports.drafts[place] = ReportDrafts.Draft()
      thank(fault)
    } catch {
      say(error.words)
    }
  }

  private func thank(_ fault: FileFault?) {
    let close = Button(tr("_OK")).style("suggested-action").onClick { [weak self] in self?.leave() }
    let words = Label.alert()
    words.text =
      fault.map {
        tr(
          "It is being sent, but could not be kept on this computer: %s. Leave the app open until it has gone.",
          $0.words)
      } ?? tr("It goes as soon as the server can be reached. Reports, on the page Me, tells what becomes of it.")
    widget.child = Page.message(
      icon: "emblem-ok-symbolic", title: tr("Thank You"), [words, Page.buttons([close])])
    close.grabFocus()
  }

  private func copy() {
    widget.copyToClipboard(report.text)
    say(tr("Copied. Paste it wherever you want to send it from."))
  }

  private func save() {
    let content = report.text
    FileChooser.save(over: context.host.window, title: tr("Save the Report"), name: "app-gates-report.txt") {
      // The desktop's own chooser takes the user out of the app, and the form may go before the answer comes.
      if let path = $0 { self.write(content, to: path) }
    }
  }

  private func write(_ content: String, to path: String) {
    do throws(SystemError) {
      try Files.write([UInt8](content.utf8), to: path)
      say(tr("Saved."))
    } catch {
      say(tr("It could not be saved: %s. Choose another place.", error.words))
    }
  }

  private func say(_ words: String) {
    guard !hasLeft else { return context.host.notice(words) }
    said.text = words
    said.isVisible = true
  }
}

extension ReportObstacle {
  /// What to do about it.
  fileprivate var words: String {
    switch self {
    case .noWords: tr("Say a few words first.")
    case .tooLong: tr("That is longer than a report can be (4096 characters). Shorten it.")
    case .noEmail: tr("That is no email address. Correct it, or leave it empty.")
    }
  }
}

extension ReportController.Refusal {
  /// What to do about it.
  fileprivate var words: String {
    switch self {
    case .duplicate: tr("The same report waits already. Reports, on the page Me, tells what becomes of it.")
    case .full:
      tr("%s reports wait already. Delete one of them on the page Me, then try again.", String(ReportQueue.limit))
    }
  }
}
