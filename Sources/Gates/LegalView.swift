import GateCore
import GLibKit
import GtkKit

/// One of the bundled legal texts, readable inside the app.
@MainActor
public final class LegalView {
  /// The page, with its own header bar.
  public let widget: Widget
  private let back: Button
  /// Why an address did not open; it lives as long as this view, which whoever shows the page has to keep.
  private let fault = Label.alert().style("error")

  /// Makes the page; `close` leaves it.
  public init(
    _ document: LegalDocument, host: Host, secrets: AppSecrets, close: @escaping @MainActor () -> Void
  ) {
    back = Button(icon: "go-previous-symbolic", label: tr("Back")).onClick(close)
    let header = HeaderBar(title: Label(document.title).oneLine().style("heading")).start(back)
    let column = Box(.vertical, spacing: 12).margin(18, vertical: 24)
    fault.isVisible = false
    let open: @MainActor (String) -> Void = { [weak fault] address in
      host.open(address) { answer in
        fault?.text = answer?.words ?? ""
        fault?.isVisible = answer != nil
      }
    }
    if let address = document.address(in: secrets) {
      let online = Button(tr("_View online")).tooltip(address).align(horizontal: .start)
      column.append(online.onClick { open(address) })
    }
    column.append(fault)
    if let text = host.text("legal/" + document.fileName + ".md") {
      for block in LegalContent.parse(text) { column.append(LegalView.label(block, open)) }
    } else {
      column.append(Label(tr("This text is missing from the installation. Install the app's package again.")).leading())
    }
    widget = Page.frame(Scrolled(Clamp(column, width: 640)), header: header)
  }

  /// Gives the keyboard to the page.
  public func grabFocus() { back.grabFocus() }

  private static func label(_ block: LegalBlock, _ open: @escaping @MainActor (String) -> Void) -> Widget {
    switch block {
    case .heading(let level, let text):
      return Label(text).leading().selectable().style(level == 1 ? "title-1" : "title-4")
    case .paragraph(let spans):
      return prose(spans, open)
    case .list(let items):
      return Box(
        .vertical, spacing: 6,
        items.map { item in
          Box(
            .horizontal, spacing: 9, [Label("•").align(vertical: .start), prose(item, open).expand(horizontal: true)])
        })
    }
  }

  private static func prose(_ spans: [LegalSpan], _ open: @escaping @MainActor (String) -> Void) -> Label {
    let words = spans.map { span in
      span.link.map { "<a href=\"\(markup($0))\">\(markup(span.text))</a>" } ?? markup(span.text)
    }
    let label = Label(words.joined(), isMarkup: true).leading().selectable()
    label.onLink(open)
    return label
  }
}

extension LegalDocument {
  /// The document's name, as people know it.
  public var title: String {
    switch self {
    case .terms: tr("Terms of Use")
    case .privacy: tr("Privacy Policy")
    case .eula: tr("End User Licence")
    }
  }

  /// Where the packager has it online.
  func address(in secrets: AppSecrets) -> String? {
    switch self {
    case .terms: secrets.termsAddress
    case .privacy: secrets.privacyAddress
    case .eula: secrets.eulaAddress
    }
  }
}
