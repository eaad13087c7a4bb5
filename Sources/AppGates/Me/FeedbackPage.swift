import Gates
import GtkKit

/// The form for feedback, over the shell's pages.
@MainActor
enum FeedbackPage {
  /// Shows the form; what is typed in it is kept while the program runs, and the row gets the keyboard back.
  static func show(in shell: Shell, from row: Widget? = nil) {
    let form = ReportForm(.feedback, isCard: false, in: shell.context) { [weak shell] in
      shell?.closeDetail()
      row?.grabFocus()
    }
    guard let form else { return }
    shell.showDetail(form.widget, keeping: form) { form.grabFocus() }
  }
}
