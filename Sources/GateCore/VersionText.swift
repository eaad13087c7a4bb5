/// A version's text taken apart: what to read past, the numbers, and the pre-release.
///
///     [v] [epoch:] numbers [-pre-release | ~pre-release | letters and digits] [-revision] [+build] [(bracket)]
struct VersionText {
  /// Nothing where the numbers are none.
  var numbers: [Digits]?
  var preRelease: [Identifier] = []

  /// Nothing where what surrounds the numbers is not of that form.
  init?(_ text: String) {
    // "1.3.0 (93)": the bracket is a build number. Any other word after a space is not understood.
    let end = text.firstIndex(of: "(") ?? text.endIndex
    var rest = VersionText.trimmed(text[..<end])
    if rest.first == "v" || rest.first == "V" { rest = VersionText.trimmed(rest.dropFirst()) }
    let hasEpoch = VersionText.dropEpoch(&rest)
    VersionText.dropRevision(&rest, isDebian: hasEpoch || rest.contains("~"))
    if let plus = rest.firstIndex(of: "+") { rest = rest[..<plus] }

    let core = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
    let parts = core.split(separator: ".", omittingEmptySubsequences: false).map { Digits($0) }
    numbers = parts.contains(nil) ? nil : parts.compactMap(\.self)

    let tail = rest.dropFirst(core.count)
    let identifiers: [Identifier?]
    switch tail.first {
    case nil: identifiers = []
    case "-": identifiers = VersionText.split(tail.dropFirst()).map { Identifier($0) }
    case "~": identifiers = VersionText.split(tail.dropFirst()).flatMap(VersionText.runs)
    // "1.2b10": letters at once after the numbers.
    default: identifiers = VersionText.split(tail).flatMap(VersionText.runs)
    }
    guard !identifiers.contains(nil) else { return nil }
    preRelease = identifiers.compactMap(\.self)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  private static func split(_ text: Substring) -> [Substring] {
    text.split(separator: ".", omittingEmptySubsequences: false)
  }

  /// Takes "b10" apart into "b" and "10", so that b9 comes before b10.
  private static func runs(_ text: Substring) -> [Identifier?] {
    var runs: [Identifier?] = []
    var rest = text
    repeat {
      let isNumber = rest.utf8.first?.isDigit == true
      let run = rest.prefix { ($0.utf8.first?.isDigit == true) == isNumber }
      runs.append(Identifier(run))
      rest = rest[run.endIndex...]
    } while !rest.isEmpty
    return runs
  }

  private static func dropEpoch(_ text: inout Substring) -> Bool {
    guard let colon = text.firstIndex(of: ":"), Digits(text[..<colon]) != nil else { return false }
    text = text[text.index(after: colon)...]
    return true
  }

  /// Takes off a Debian revision, which only the signs of a Debian version tell from a numbered pre-release.
  private static func dropRevision(_ text: inout Substring, isDebian: Bool) {
    guard let hyphen = text.lastIndex(of: "-") else { return }
    let revision = text[text.index(after: hyphen)...]
    guard revision.utf8.first?.isDigit == true else { return }
    guard isDebian || revision.drop(while: \.isNumber).hasPrefix("ubuntu") else { return }
    text = text[..<hyphen]
  }
}
