import GLibKit
import GateCore
import Gates
import GtkKit

/// What the user has sent, with what has become of it; each report can be deleted, and that be undone.
@MainActor
final class ReportsPage {
  private weak var shell: Shell?
  private let reports: ReportController
  private let stack = Stack()
  private let list = ListBox().style("boxed-list").accessibleLabel(tr("Reports"))
  private var rows: [Row] = []
  private var listening: Listening?
  private let back = Button(icon: "go-previous-symbolic", label: tr("Back"))

  @MainActor
  private struct Row {
    let report: QueuedReport
    let widget: ActionRow
    let delete: Button
  }

  /// Shows the page; the row gets the keyboard back.
  static func show(in shell: Shell, from row: Widget?) {
    guard let reporting = shell.context[Reporting.self] else { return }
    let page = ReportsPage(reporting.reports, shell)
    page.back.onClick { [weak shell] in
      shell?.closeDetail()
      row?.grabFocus()
    }
    shell.showDetail(page.widget(), keeping: page) { page.back.grabFocus() }
  }

  private init(_ reports: ReportController, _ shell: Shell) {
    self.reports = reports
    self.shell = shell
    reports.begin()
    listening = reports.changed.listen { [weak self] in self?.follow() }
  }

  private func widget() -> Widget {
    let empty = StatusPage(
      icon: "mail-send-symbolic", title: tr("No Reports"),
      about: tr("What you send appears here, with what has become of it."))
    stack.add(empty, name: "empty")
    let column = list.align(vertical: .start).margin(18, vertical: 18)
    stack.add(Scrolled(Clamp(column, width: 560)), name: "list")
    follow()
    let header = HeaderBar(title: Label(tr("Reports")).style("heading")).start(back)
    return Box(.vertical, [header, stack.expand(vertical: true)])
  }

  /// Brings the rows in step, the newest first; those that stay keep the keyboard.
  private func follow() {
    let wanted = Array(reports.reports.reversed())
    for row in rows where !wanted.contains(row.report) { list.remove(row.widget) }
    rows.removeAll { !wanted.contains($0.report) }
    for (place, report) in wanted.enumerated() where !rows.indices.contains(place) || rows[place].report != report {
      let row = make(report)
      rows.insert(row, at: place)
      list.insert(row.widget, at: place)
    }
    stack.shown = rows.isEmpty ? "empty" : "list"
  }

  private func make(_ report: QueuedReport) -> Row {
    let title = report.title.isEmpty ? tr("Without words") : report.title
    let widget = ActionRow(title, subtitle: report.words(isConfigured: reports.isConfigured))
    if case .refused = report.state {
      let again = Button(icon: "view-refresh-symbolic", label: tr("Send Again")).style("flat").align(vertical: .center)
      widget.suffix(again.onClick { [weak self] in self?.reports.retry(report.id) })
    }
    let delete = Button(icon: "user-trash-symbolic", label: tr("Delete Report")).style("flat").align(vertical: .center)
    widget.suffix(delete.onClick { [weak self] in self?.delete(report.id) })
    return Row(report: report, widget: widget, delete: delete)
  }

  private func delete(_ id: String) {
    let place = rows.firstIndex { $0.report.id == id } ?? 0
    do throws(FileFault) {
      guard let gone = try reports.delete(id) else { return }
      offer(gone)
    } catch {
      shell?.say(words(error, of: id))
    }
    // The keyboard stays near.
    if rows.isEmpty { back.grabFocus() } else { rows[min(place, rows.count - 1)].delete.grabFocus() }
  }

  /// What to do about it, and what happens otherwise.
  private func words(_ fault: FileFault, of id: String) -> String {
    if case .undeleted(was: .waiting) = reports.reports.first(where: { $0.id == id })?.state {
      return tr(
        "It could not be deleted: %s. It would be sent at the next start. Put that right, then delete it again.",
        fault.words)
    }
    return tr("It could not be deleted: %s. Put that right, then delete it again.", fault.words)
  }

  private func offer(_ gone: QueuedReport) {
    shell?.say(tr("Deleted."), button: tr("Undo")) { [weak shell, reports] in
      if !reports.restore(gone) {
        shell?.say(tr("It could not be brought back, since the list is full. Delete another report, or write it anew."))
      }
    }
  }
}

extension QueuedReport {
  /// What has become of it, and since when.
  fileprivate func words(isConfigured: Bool) -> String {
    switch state {
    case .waiting where !isConfigured:
      tr("Waiting since %s: no address for reports is configured here", Time.local(madeAt))
    case .waiting: tr("Waiting since %s", Time.local(madeAt))
    case .sent(let at): tr("Sent on %s", Time.local(at))
    case .refused(let why, let at): tr("Refused on %s: %s", Time.local(at), why.words)
    case .undeleted: tr("Could not be deleted")
    }
  }
}

extension ReportRefusal {
  /// The reason, fit for the end of a sentence.
  fileprivate var words: String {
    switch self {
    case .status(401), .status(403): tr("the server does not know this app’s key")
    case .status(404), .status(410): tr("there is nothing at the server’s address")
    case .status(413): tr("it is too large for the server")
    case .status(429): tr("the server takes no more reports for now")
    case .status(let status) where status >= 500: tr("the server has a fault of its own (%s)", String(status))
    case .status(let status): tr("the server does not take it (%s)", String(status))
    case .redirected(let host) where host.isEmpty: tr("the server points to another one, which is not followed")
    case .redirected(let host): tr("the server points to another one (%s), which is not followed", host)
    case .malformed: tr("the server’s answer makes no sense")
    case .failed: tr("the program that sends it failed; install the app’s package again")
    }
  }
}
