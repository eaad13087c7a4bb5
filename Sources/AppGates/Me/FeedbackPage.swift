import Gates

/// The form for feedback, over the shell's pages.
@MainActor
enum FeedbackPage {
  /// Shows the form; what is typed in it is kept while the program runs.
  static func show(in shell: Shell) {
    let form = ReportForm(.feedback, isCard: false, in: shell.context) { [weak shell] in shell?.closeDetail() }
    guard let form else { return }
    shell.showDetail(form.widget, keeping: form) { form.grabFocus() }
  }
}
