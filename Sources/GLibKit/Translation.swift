import CGLib

/// The domain under which translations are found.
private let domain = "app-gates"

/// The words in the user's language, or as they stand where there is no translation.
///
/// Any thread.
public func tr(_ words: StaticString) -> String {
  words.withUTF8Buffer { _ in
    String(cString: g_dgettext(domain, UnsafeRawPointer(words.utf8Start).assumingMemoryBound(to: CChar.self)))
  }
}

/// The words with each `%s` replaced by one of the values, in order.
///
/// Any thread.
public func tr(_ words: StaticString, _ values: String...) -> String {
  fill(tr(words), values)
}

/// The words for a number, singular or plural as the language has it, with `%s` replaced by the number.
///
/// Any thread.
public func tr(_ one: StaticString, _ many: StaticString, count: Int) -> String {
  let words = g_dngettext(
    domain, UnsafeRawPointer(one.utf8Start).assumingMemoryBound(to: CChar.self),
    UnsafeRawPointer(many.utf8Start).assumingMemoryBound(to: CChar.self), gulong(clamping: count))
  return fill(words.map { String(cString: $0) } ?? "", [String(count)])
}

private func fill(_ words: String, _ values: [String]) -> String {
  var rest = values[...]
  var filled = ""
  var characters = words.makeIterator()
  while let character = characters.next() {
    guard character == "%" else {
      filled.append(character)
      continue
    }
    switch characters.next() {
    case "s": filled += rest.popFirst() ?? ""
    case "%": filled.append("%")
    case .some(let other): filled += "%" + String(other)
    case nil: filled.append("%")
    }
  }
  return filled
}

/// The user's languages, the first choice first, as parts of file names: `de_DE`, `de`.
///
/// Any thread. Without the encoding, and without the language in which nothing is translated.
public func languages() -> [String] {
  guard let names = g_get_language_names() else { return [] }
  var found: [String] = []
  var place = 0
  while let name = names[place] {
    place += 1
    let text = String(cString: name)
    // They come from the environment, and become part of a path.
    if text != "C", text.utf8.allSatisfy({ $0 == 0x5F || $0 == 0x40 || UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 }) {
      found.append(text)
    }
  }
  return found
}

/// Finds translations in this folder from now on.
///
/// Call once, before any words are made.
public func translate(in folder: String) {
  bindtextdomain(domain, folder)
  bind_textdomain_codeset(domain, "UTF-8")
}
