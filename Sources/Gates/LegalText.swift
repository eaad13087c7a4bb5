import GateCore
import GLibKit
import GtkKit

/// The blocks of a legal text as they are shown: selectable, headings and lists known to screen readers, links opened on
/// a click and never before.
@MainActor
enum LegalText {
  /// The widgets of the blocks, in their order, below a heading that is there already.
  static func widgets(
    _ blocks: [LegalBlock], below heading: Widget? = nil, open: @escaping @MainActor (String) -> Void
  ) -> [Widget] {
    var heading = heading
    return blocks.map { block in
      switch block {
      case .heading(let level, let text):
        let title = Label.heading(text, level: level).leading().selectable().direction(of: text)
        heading = title
        return title.style(level == 1 ? "title-1" : "title-4")
      case .paragraph(let spans): return prose(spans, open)
      case .list(let items):
        let list = Box.list(items.map { prose($0, open) })
        // Without a name GTK 4.8 has screen readers say the type of the widget.
        if let heading { list.accessibleLabel(by: heading) }
        return list
      }
    }
  }

  private static func prose(_ spans: [LegalSpan], _ open: @escaping @MainActor (String) -> Void) -> Label {
    let words = spans.map { span in
      span.link.map { "<a href=\"\(markup($0))\">\(markup(span.text))</a>" } ?? markup(span.text)
    }
    let label = Label(words.joined(), isMarkup: true).leading().selectable()
    label.direction(of: label.text).onLink(open)
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
