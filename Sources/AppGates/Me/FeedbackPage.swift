import GLibKit
import GateCore
import GateServices
import Gates
import GtkKit

/// A form for feedback.
///
/// What will be handed on can be read before, and the user hands it on: nothing is sent from here.
@MainActor
final class FeedbackPage {
  private weak var shell: Shell?
  private let area = TextArea(label: tr("Your feedback"))
  private let copy = Button(tr("_Copy")).style("pill")
  private let save = Button(tr("_Save as a File…")).style("pill", "suggested-action")

  static func show(in shell: Shell) {
    let form = FeedbackPage(shell)
    shell.showDetail(form.page(), keeping: form) { form.area.grabFocus() }
  }

  private init(_ shell: Shell) {
    self.shell = shell
    copy.onClick { [weak self] in self?.copyAll() }
    save.onClick { [weak self] in self?.saveAll() }
    area.onEdit { [weak self] in self?.enable() }
    enable()
  }

  private func page() -> Widget {
    let facts = Label(Self.footer).leading().selectable().style("monospace", "dim-label", "caption")
    let back = Button(icon: "go-previous-symbolic", label: tr("Back")).onClick { [weak shell] in shell?.closeDetail() }
    let frame = Scrolled(area).style("card").size(height: 160)
    let column = Box(
      .vertical, spacing: 12,
      [
        Label(tr("What is good, and what is not?")).leading().style("heading"), frame,
        Label(tr("This goes with it:")).leading(), facts,
        Label(tr("No address for feedback is configured here. Copy the text or save it, and send it the way you like."))
          .leading(),
        Box(.horizontal, spacing: 12, [copy, save]).align(horizontal: .center),
      ]
    ).margin(18, vertical: 18)
    let header = HeaderBar(title: Label(tr("Send Feedback")).style("heading")).start(back)
    return Box(.vertical, [header, Scrolled(Clamp(column, width: 560))])
  }

  private func enable() {
    let isEmpty = area.text.allSatisfy(\.isWhitespace)
    copy.isSensitive = !isEmpty
    save.isSensitive = !isEmpty
  }

  private func copyAll() {
    area.copyToClipboard(text)
    shell?.say(tr("Copied. Paste it wherever you want to send it from."))
  }

  private func saveAll() {
    let content = text
    FileChooser.save(over: shell?.context.host.window, title: tr("Save Feedback"), name: "app-gates-feedback.txt") {
      [weak shell] in
      if let path = $0 { Self.write(content, to: path, shell) }
    }
  }

  private static var footer: String { "App Gates \(Program.version)\n" + DesktopSettings.description }

  private var text: String { area.text + "\n\n" + Self.footer + "\n" }

  private static func write(_ content: String, to path: String, _ shell: Shell?) {
    do throws(SystemError) {
      try Files.write([UInt8](content.utf8), to: path, mode: 0o644)
      shell?.say(tr("Saved."))
    } catch {
      shell?.say(tr("It could not be saved: %s.", error.words))
    }
  }
}
