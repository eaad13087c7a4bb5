import GateCore

extension FuzzTarget {
  /// A legal document: every link is a page's address, and no word is made up or shown twice.
  static let legal = FuzzTarget(name: "legal") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    var shown = 0
    for block in LegalContent.parse(text) {
      let spans: [LegalSpan]
      switch block {
      case .heading(let level, let words):
        claim(level == 1 || level == 2, "a heading of level \(level)")
        spans = [LegalSpan(words)]
      case .paragraph(let found): spans = found
      case .list(let items): spans = items.flatMap(\.self)
      }
      for span in spans {
        shown += span.text.utf8.count
        if let link = span.link {
          claim(link.hasPrefix("https://") && Address.isPage(link), "not a page: \(link)")
          claim(text.contains(link), "made up: \(link)")
        }
      }
    }
    claim(shown <= text.utf8.count, "\(shown) bytes out of \(text.utf8.count)")
  }
}
