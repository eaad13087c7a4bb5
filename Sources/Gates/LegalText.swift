import GateCore
import GLibKit
import GtkKit

/// The blocks of a legal text as they are shown: selectable, headings and lists known to screen readers, links opened on
/// a click and never before.
@MainActor
enum LegalText {
  /// The widgets of the blocks, in their order.
  static func widgets(_ blocks: [LegalBlock], open: @escaping @MainActor (String) -> Void) -> [Widget] {
    blocks.map { widget($0, open) }
  }

  private static func widget(_ block: LegalBlock, _ open: @escaping @MainActor (String) -> Void) -> Widget {
    switch block {
    case .heading(let level, let text):
      Label.heading(text, level: level).leading().selectable().style(level == 1 ? "title-1" : "title-4")
    case .paragraph(let spans): prose(spans, open)
    case .list(let items): Box.list(items.map { prose($0, open) })
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

  /// The bundled text, in the user's language where there is a translation of the present version; nothing where it is
  /// missing.
  ///
  /// A translation is `terms.de.md` beside `terms.md`. That there is a new one asks nobody again: the version is the
  /// same.
  @MainActor
  func text(_ host: Host) -> String? {
    for language in languages() {
      guard let text = host.text("legal/\(fileName).\(language).md") else { continue }
      if LegalContent.version(of: LegalContent.parse(text)) == LegalContent.version { return text }
    }
    return host.text("legal/\(fileName).md")
  }
}
