import GLibKit
import GateCore
import GateServices
import Gates
import GtkKit

/// A form for feedback.
///
/// What will be handed on can be read before, and the user hands it on: nothing is sent from here.
@MainActor
enum FeedbackPage {
  static func show(in shell: Shell) {
    let area = TextArea(label: tr("Your feedback"))
    let facts = Label(footer).leading().selectable().style("monospace", "dim-label", "caption")
    let copy = Button(tr("_Copy")).style("pill")
    let save = Button(tr("_Save as a File…")).style("pill", "suggested-action")
    let back = Button(icon: "go-previous-symbolic", label: tr("Back")).onClick { [weak shell] in shell?.closeDetail() }
    copy.onClick { [weak shell, weak area] in
      guard let area else { return }
      area.copyToClipboard(text(area))
      shell?.say(tr("Copied. Paste it wherever you want to send it from."))
    }
    save.onClick { [weak shell, weak area] in
      guard let area else { return }
      let content = text(area)
      FileChooser.save(over: shell?.context.host.window, title: tr("Save Feedback"), name: "app-gates-feedback.txt") {
        if let path = $0 { write(content, to: path, shell) }
      }
    }
    let enable: @MainActor () -> Void = { [weak area, weak copy, weak save] in
      let isEmpty = area?.text.allSatisfy(\.isWhitespace) ?? true
      copy?.isSensitive = !isEmpty
      save?.isSensitive = !isEmpty
    }
    area.onEdit(enable)
    enable()
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
    let page = Box(
      .vertical,
      [HeaderBar(title: Label(tr("Send Feedback")).style("heading")).start(back), Scrolled(Clamp(column, width: 560))])
    shell.showDetail(page) { area.grabFocus() }
  }

  private static var footer: String { "App Gates \(Program.version)\n" + DesktopSettings.description }

  private static func text(_ area: TextArea) -> String { area.text + "\n\n" + footer + "\n" }

  private static func write(_ content: String, to path: String, _ shell: Shell?) {
    do throws(SystemError) {
      try Files.write([UInt8](content.utf8), to: path, mode: 0o644)
      shell?.say(tr("Saved."))
    } catch {
      shell?.say(tr("It could not be saved: %s.", error.words))
    }
  }
}
