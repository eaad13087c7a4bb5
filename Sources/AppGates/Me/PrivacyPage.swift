import GLibKit
import GateCore
import Gates
import GtkKit

/// What is counted: the switch, the last events exactly as they were sent, and the way to have all of it deleted.
///
/// There is no such page where no address for events is configured.
@MainActor
final class PrivacyPage {
  private weak var shell: Shell?
  private let analytics: AnalyticsController
  private let counting: CountingRow
  private let about = Label().leading().style("dim-label")
  private let events = Label().leading().selectable().verbatim().style("monospace", "caption")
  private let delete = Button(tr("_Delete My Data…")).style("pill", "destructive-action").align(horizontal: .center)
  private let note = Label.alert()
  private var listening: Listening?

  static func show(in shell: Shell, close: @escaping @MainActor () -> Void) {
    let page = PrivacyPage(shell)
    let back = Button(icon: "go-previous-symbolic", label: tr("Back")).onClick(close)
    shell.showDetail(page.widget(back), keeping: page) { back.grabFocus() }
  }

  private init(_ shell: Shell) {
    self.shell = shell
    analytics = shell.context.analytics
    counting = CountingRow(isOn: analytics.isCounting)
    counting.toggled = { [weak self] in self?.analytics.set($0) }
    delete.onClick { [weak self] in self?.askToDelete() }
    listening = analytics.changed.listen { [weak self] in self?.refresh() }
    note.isVisible = false
    refresh()
  }

  private func widget(_ back: Button) -> Widget {
    let header = HeaderBar(title: Label(tr("Privacy")).style("heading")).start(back)
    let column = Box(
      .vertical, spacing: 12,
      [
        Group("", about: "", [counting.row]), delete, note,
        Label.heading(tr("The last events"), level: 2).leading().style("heading"), about, events,
      ]
    ).margin(18, vertical: 18)
    return Box(.vertical, [header, Scrolled(Clamp(column, width: 560))])
  }

  private func refresh() {
    counting.isOn = analytics.isCounting
    let history = analytics.history
    events.text = history.lines.joined(separator: "\n\n")
    events.isVisible = !history.lines.isEmpty
    about.text =
      if history.lines.isEmpty {
        tr("There are none.")
      } else if history.waiting == 0 {
        tr("This is exactly what was sent, the latest at the end.")
      } else {
        tr(
          "This is exactly what is sent, the latest at the end; the last one waits to be.",
          "This is exactly what is sent, the latest at the end; the last %s wait to be.", count: history.waiting)
      }
  }

  private func askToDelete() {
    let dialog = MessageDialog(
      over: shell?.context.host.window, heading: tr("Delete what was counted?"),
      body: tr(
        "All events and the random number are removed from this computer, and the server is asked to delete what it has under that number."
      ))
    dialog.answer("keep", tr("_Cancel")).answer("delete", tr("_Delete"), .destructive).closeAnswer("keep")
    dialog.ask { [weak self] in if $0 == "delete" { self?.deleteAll() } }
  }

  private func deleteAll() {
    delete.isSensitive = false
    analytics.deleteData { [weak self] in
      self?.delete.isSensitive = true
      self?.say($0)
    }
  }

  private func say(_ deletion: AnalyticsDeletion) {
    note.text = deletion.words
    note.isVisible = true
  }
}

extension AnalyticsDeletion {
  /// What became of it.
  fileprivate var words: String {
    switch self {
    case .nothingCounted: tr("There was nothing to delete.")
    case .asked:
      tr("Everything is removed here. The server was asked to delete what it has; whoever runs it does so by hand.")
    case .notAsked:
      tr(
        "Everything is removed here. The server could not be asked to delete what it has; it bears only the number, which nobody can trace back to you now."
      )
    case .failed(let fault):
      tr("It could not be removed: %s. Put that right, then try again.", fault.words)
    }
  }
}
