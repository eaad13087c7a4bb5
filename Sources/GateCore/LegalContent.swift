/// The bundled legal texts, by name.
public enum LegalDocument: CaseIterable, Hashable, Sendable {
  /// The Terms of Use.
  case terms
  /// The Privacy Policy.
  case privacy
  /// The End User Licence.
  case eula

  /// The file's name without its ending.
  public var fileName: String {
    switch self {
    case .terms: "terms"
    case .privacy: "privacy"
    case .eula: "eula"
    }
  }
}

/// A run of text, with the address that it leads to where it is a link.
public struct LegalSpan: Hashable, Sendable {
  /// The words.
  public let text: String
  /// An https address.
  public let link: String?

  /// Puts the two together.
  public init(_ text: String, link: String? = nil) {
    self.text = text
    self.link = link
  }
}

/// One block of a legal text.
public enum LegalBlock: Hashable, Sendable {
  /// A heading; level 1 is the title, 2 a section.
  case heading(level: Int, text: String)
  /// A paragraph.
  case paragraph([LegalSpan])
  /// A list of items.
  case list([[LegalSpan]])
}

/// The legal texts' version, and the reader of the little Markdown in which they are written.
public enum LegalContent {
  /// The date of the texts that the user accepts; a new one asks everybody again.
  public static let version = "2026-11-30"

  /// Whether a text has the form of a version: a date such as `2026-04-30`.
  public static func isVersion(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2] else { return false }
    let numbers = parts.compactMap { part in
      part.allSatisfy { (0x30...0x39).contains($0) } ? part.reduce(0) { $0 * 10 + Int($1) - 0x30 } : nil
    }
    return numbers.count == 3 && (1...12).contains(numbers[1]) && (1...31).contains(numbers[2])
  }

  /// The version that a document says it is: the last word of its first paragraph, `Version 2026-04-30`.
  ///
  /// Pure. A translation that is behind the present version says another one, and is not shown in its place.
  public static func version(of blocks: [LegalBlock]) -> String? {
    for case .paragraph(let spans) in blocks {
      let last = spans.map(\.text).joined().split(whereSeparator: \.isWhitespace).last.map(String.init)
      return last.flatMap { isVersion($0) ? $0 : nil }
    }
    return nil
  }

  /// What has changed since a version, the latest first: from each section of the list of changes whose heading is a
  /// later version.
  ///
  /// Pure.
  public static func changes(since accepted: String, in list: [LegalBlock]) -> [(version: String, blocks: [LegalBlock])]
  {
    var found: [(version: String, blocks: [LegalBlock])] = []
    var isLater = false
    for block in list {
      if case .heading(level: 2, let text) = block {
        isLater = isVersion(text) && text > accepted && text <= version
        if isLater { found.append((text, [])) }
      } else if isLater {
        found[found.count - 1].blocks.append(block)
      }
    }
    return found.sorted { $0.version > $1.version }
  }

  /// Reads `#` and `##` headings, paragraphs, `- ` lists and `[text](https://…)` links.
  ///
  /// Pure.
  ///
  /// Anything else is text. Lines that follow each other belong together, as do lines below a list item.
  public static func parse(_ text: String) -> [LegalBlock] {
    var blocks: [LegalBlock] = []
    var lines: [Substring] = []
    var items: [[Substring]] = []

    func endBlock() {
      if !items.isEmpty { blocks.append(.list(items.map { spans($0.joined(separator: " ")) })) }
      if !lines.isEmpty { blocks.append(.paragraph(spans(lines.joined(separator: " ")))) }
      items = []
      lines = []
    }

    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(trimmed) {
      if line.isEmpty {
        endBlock()
      } else if let level = [1, 2].first(where: { line.hasPrefix(String(repeating: "#", count: $0) + " ") }) {
        endBlock()
        blocks.append(.heading(level: level, text: String(trimmed(line.dropFirst(level)))))
      } else if line.hasPrefix("- ") {
        if items.isEmpty { endBlock() }
        items.append([trimmed(line.dropFirst(2))])
      } else if items.isEmpty {
        lines.append(line)
      } else {
        items[items.count - 1].append(line)
      }
    }
    endBlock()
    return blocks
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// Finds the links, in one pass: a hostile text takes no longer than another of its length.
  private static func spans(_ text: String) -> [LegalSpan] {
    var spans: [LegalSpan] = []
    var plain = text.startIndex
    var open: String.Index?
    var index = text.startIndex
    while index < text.endIndex {
      let next = text.index(after: index)
      switch text[index] {
      case "[":
        open = index
        index = next
      case "]":
        if let start = open, let (address, end) = target(text[next...]) {
          if plain < start { spans.append(LegalSpan(String(text[plain..<start]))) }
          spans.append(LegalSpan(String(text[text.index(after: start)..<index]), link: address))
          plain = end
          index = end
        } else {
          index = next
        }
        open = nil
      default:
        index = next
      }
    }
    if plain < text.endIndex { spans.append(LegalSpan(String(text[plain...]))) }
    return spans
  }

  /// The address in `(https://…)` at the beginning of a text, and where the bracket ends.
  private static func target(_ text: Substring) -> (address: String, end: String.Index)? {
    guard text.first == "(" else { return nil }
    let address = text.dropFirst().prefix { $0 != ")" && $0 != "[" && !$0.isWhitespace }
    guard text[address.endIndex...].first == ")", address.hasPrefix("https://"), Address.isPage(String(address)) else {
      return nil
    }
    return (String(address), text.index(after: address.endIndex))
  }
}
