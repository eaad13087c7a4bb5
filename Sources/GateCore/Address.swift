/// Whether an address is one that the app may be given, by its shape alone.
///
/// Any thread.
///
/// Addresses are shown to the user and handed to other programs, so only plain ASCII without spaces, control
/// characters, quotes and user names passes.
public enum Address {
  /// A page: https or http, with a host.
  public static func isPage(_ text: String) -> Bool {
    guard let parts = Parts(text) else { return false }
    return parts.isWeb
  }

  /// Where the app can be updated: a page, or an appstream or snap address.
  public static func isStore(_ text: String) -> Bool {
    guard let parts = Parts(text) else { return false }
    switch parts.scheme {
    case "appstream", "snap": return parts.rest.contains { $0 != "/" }
    default: return parts.isWeb
    }
  }

  /// A service that the app itself talks to: https, or http on this computer.
  public static func isService(_ text: String) -> Bool {
    guard let parts = Parts(text), parts.isWeb, let host = parts.host else { return false }
    return parts.scheme == "https" || isLoopback(host)
  }

  /// The host of a page's address, without its port.
  public static func host(_ text: String) -> String? {
    guard let parts = Parts(text), parts.isWeb else { return nil }
    return parts.host.map(String.init)
  }

  /// The literal addresses of this computer, and the name for them.
  private static func isLoopback(_ host: Substring) -> Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 4, numbers[0] == "127" else { return false }
    return numbers.allSatisfy { $0.utf8.allSatisfy(\.isDigit) && $0.utf8.count <= 3 && UInt8($0) != nil }
  }

  /// An address taken apart at its first colon, and at the end of its host.
  private struct Parts {
    let scheme: String
    let rest: Substring

    init?(_ text: String) {
      let refused = "\"<>\\^`{|}"
      guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !text.contains(where: { refused.contains($0) }),
        let colon = text.firstIndex(of: ":"), text.utf8.first?.isLetter == true,
        text[..<colon].utf8.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
      else { return nil }
      scheme = text[..<colon].lowercased()
      rest = text[text.index(after: colon)...]
    }

    /// The host; nothing where it is empty, has a user name before it, or a port that is no number.
    var host: Substring? {
      guard rest.hasPrefix("//") else { return nil }
      let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
      guard !authority.contains("@") else { return nil }
      let isLiteral = authority.first == "["
      let end = isLiteral ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
      if isLiteral, end == nil { return nil }
      let host = authority[..<(end ?? authority.endIndex)]
      let port = authority[host.endIndex...]
      guard host.utf8.contains(where: { $0.isDigit || $0.isLetter }) else { return nil }
      guard port.isEmpty || port.first == ":" && UInt16(port.dropFirst()) != nil else { return nil }
      if !isLiteral, host.contains(where: { "[]".contains($0) }) { return nil }
      return host
    }

    var isWeb: Bool { (scheme == "https" || scheme == "http") && host != nil }
  }
}
