/// Where reports go, as Sentry writes it: `{scheme}://{public}[:{secret}]@{host}{path}/{project}`.
///
/// Any thread. Spaces around it, a query and a fragment are dropped; the project is a text, often a number; a path before
/// it, a port and an IPv6 host in brackets stay. The form is Sentry's (develop.sentry.dev, "Data Source Name").
public struct SentryDsn: Hashable, Sendable {
  /// The part of the user name that is no secret: it tells the server whose report it is.
  public let publicKey: String
  /// Where an envelope is posted to: https, or http on this computer.
  public let envelopeAddress: String

  /// Takes a text apart; nothing where it is no such address, or one that the app may not talk to.
  public init?(_ text: String) {
    let text = SentryDsn.trimmed(text)
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
    let scheme = text[..<colon]
    let rest = text[colon...].dropFirst(3).prefix { $0 != "?" && $0 != "#" }
    let authority = rest.prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return nil }
    let user = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let host = authority[authority.index(after: at)...]
    // Doubled slashes and one at the end are slips of whoever copied it.
    let path = rest[authority.endIndex...].split(separator: "/")
    guard let key = user.first, SentryDsn.isName(key), let project = path.last, path.allSatisfy(SentryDsn.isName)
    else { return nil }
    let before = path.dropLast().map { "/" + $0 }.joined()
    let address = "\(scheme)://\(host)\(before)/api/\(project)/envelope/"
    guard Address.isService(address) else { return nil }
    publicKey = String(key)
    envelopeAddress = address
  }

  /// The headers of an envelope from this version of the app.
  public func headers(version: String) -> [WebRequest.Header] {
    [
      WebRequest.Header("Content-Type", "application/x-sentry-envelope"),
      WebRequest.Header(
        "X-Sentry-Auth", "Sentry sentry_version=7, sentry_client=app-gates/\(version), sentry_key=\(publicKey)"),
    ]
  }

  private static func trimmed(_ text: String) -> Substring {
    let isSpace = { (character: Character) in character.isWhitespace }
    guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return text[first...last]
  }

  /// A key, project or folder goes into a header and an address as it stands, so nothing in it may mean something there.
  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text != "." && text != ".."
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.~".utf8.contains($0) }
  }
}
