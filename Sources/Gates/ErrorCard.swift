import GateCore
import GLibKit
import GtkKit

/// The card itself: a fixed sentence for each fault and what to do, never the user's content.
///
/// It follows the bus in place: a count that rises moves neither the keyboard nor the page.
@MainActor
final class ErrorCard {
  private let watch: ErrorWatch
  private let returns: ErrorReturns
  private let context: GateContext
  private let place = Bin()
  private let sentences = Box(.vertical, spacing: 12)
  private let details = Label().selectable().style("monospace", "dim-label")
  private let more = Label().centered().style("dim-label")
  private let advice = Label(tr("This keeps coming back. Quit, or start in safe mode."))
  private let buttons = Bin()
  private var counts: [AppError: Label] = [:]
  private var isStubborn = false
  private var page: Widget?
  private var form: ReportForm?
  /// What opens the form, and has the keyboard again after it.
  private var reporter: Button?
  private weak var mounted: Mount?

  init(_ watch: ErrorWatch, _ returns: ErrorReturns, in context: GateContext) {
    self.watch = watch
    self.returns = returns
    self.context = context
  }

  func mount() -> Mount {
    advice.centered().isVisible = false
    let page = Page.message(
      icon: "dialog-error-symbolic", title: tr("Something went wrong"), [sentences, more, advice, details, buttons])
    self.page = page
    place.child = page
    let mount = Mount(place, keeping: self)
    mounted = mount
    mount.keep(watch.changed.listen { [weak self] in self?.follow() })
    showButtons()
    follow()
    return mount
  }

  private func follow() {
    let errors = watch.bus.current
    // The last look is the boundary's, which takes the card away.
    guard !errors.isEmpty else { return }
    for posted in errors {
      let count = counts[posted.error] ?? add(posted.error)
      count.isVisible = posted.count > 1
      if posted.count > 1 { count.text = tr("%s time", "%s times", count: posted.count) }
    }
    let overlooked = watch.bus.overlooked
    more.isVisible = overlooked > 0
    if overlooked > 0 { more.text = tr("%s more error", "%s more errors", count: overlooked) }
    if !isStubborn, returns.isStubborn(errors.map(\.error)) {
      isStubborn = true
      advice.text =
        startSafely == nil
        ? tr("This keeps coming back. Quit, then start the app again.")
        : tr("This keeps coming back. Quit, or start in safe mode.")
      advice.isVisible = true
      showButtons()
    }
  }

  /// The sentence is spoken once; its count, which may change often, is not.
  private func add(_ error: AppError) -> Label {
    let sentence = Label.alert()
    sentence.text = error.words
    let count = Label().centered().style("dim-label", "caption")
    counts[error] = count
    sentences.append(Box(.vertical, spacing: 3, [sentence.selectable(), count]))
    showDetails()
    return count
  }

  private func showDetails() {
    let words =
      context.host.showsDetails
      ? watch.bus.current.compactMap(\.error.detail).filter { !$0.isEmpty }.joined(separator: "\n\n") : ""
    details.isVisible = !words.isEmpty
    details.text = words
  }

  private func showButtons() {
    let quit = Button(tr("_Quit")).onClick(context.host.quit)
    var row: [Button] = []
    if isStubborn {
      // Tried again it would only come back.
      if let start = startSafely {
        row.append(Button(tr("Start in _Safe Mode")).style("suggested-action").onClick(start))
      }
    } else {
      row.append(Button(tr("_Try again")).style("suggested-action").onClick { [weak self] in self?.tryAgain() })
    }
    if context[Reporting.self] != nil {
      let reporter = Button(tr("Send a _Report")).onClick { [weak self] in self?.report() }
      self.reporter = reporter
      row.append(reporter)
    }
    row.append(quit)
    buttons.child = Page.buttons(row)
    mounted?.firstFocus = row[0]
    mounted?.restoreFocus()
  }

  /// Nothing where the program cannot, or is in safe mode already.
  private var startSafely: (@MainActor () -> Void)? {
    context[RecoveryController.self]?.isSafe == true ? nil : context.host.startSafely
  }

  private func report() {
    form = ReportForm(.errors(watch.bus.current), isCard: true, in: context) { [weak self] in self?.closeForm() }
    guard let form else { return }
    place.child = form.widget
    form.grabFocus()
  }

  private func closeForm() {
    form = nil
    place.child = page
    reporter?.grabFocus()
  }

  private func tryAgain() {
    returns.tryAgain(watch.bus.current.map(\.error))
    watch.clear()
  }
}
