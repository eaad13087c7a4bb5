import Foundation
import Testing

@testable import GateCore

struct LegalContentTests {
  @Test func blocks() {
    let text = """
      # Title

      Version 2026-04-30
      goes on.
      ## Part
      - one
      - two
        goes on
      - [three](https://e.example/a_(b)

      After ### it
      """
    #expect(
      LegalContent.parse(text) == [
        .heading(level: 1, text: "Title"), .paragraph([LegalSpan("Version 2026-04-30 goes on.")]),
        .heading(level: 2, text: "Part"),
        .list([
          [LegalSpan("one")], [LegalSpan("two goes on")], [LegalSpan("three", link: "https://e.example/a_(b")],
        ]),
        .paragraph([LegalSpan("After ### it")]),
      ])
  }

  private let list = LegalContent.parse(
    """
    # What has changed
    Words before the first.
    ## 2026-11-30
    - b
    ## 2999-01-01
    - of a later app
    ## Elsewhere
    - no version
    ## 2026-04-30
    A paragraph.
    - a
    """)

  /// The version that was accepted, and the versions whose changes are shown.
  @Test(
    arguments: [
      ("2026-04-30", ["2026-11-30"]), ("2026-05-15", ["2026-11-30"]), ("2020-01-01", ["2026-11-30", "2026-04-30"]),
      ("2026-11-30", []),
    ])
  func changes(_ accepted: String, _ versions: [String]) {
    let found = LegalContent.changes(since: accepted, in: list)
    #expect(found.map(\.version) == versions)
    #expect(!found.contains { $0.blocks.isEmpty })
  }

  @Test func aDocumentSaysItsVersion() {
    #expect(LegalContent.version(of: LegalContent.parse("# T\n\nVersion 2026-04-30\n\nMore")) == "2026-04-30")
    for text in ["", "# T", "# T\n\nMore words", "Version 2026-04-30 goes on", "Version 2026-14-30"] {
      #expect(LegalContent.version(of: LegalContent.parse(text)) == nil)
    }
  }

  /// The bundled documents are of the present version, and the list of changes tells of it and of each before.
  @Test(arguments: ["terms", "privacy", "eula"])
  func theBundledTextsAreOfThePresentVersion(_ name: String) throws {
    let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = try String(contentsOfFile: "/\(folder)/data/legal/\(name).md", encoding: .utf8)
    #expect(LegalContent.version(of: LegalContent.parse(text)) == LegalContent.version)
    let list = LegalContent.parse(try String(contentsOfFile: "/\(folder)/data/legal/changes.md", encoding: .utf8))
    let changes = LegalContent.changes(since: "0000-01-01", in: list)
    #expect(changes.first?.version == LegalContent.version)
    #expect(changes.count >= 2 && changes.allSatisfy { !$0.blocks.isEmpty })
  }

  @Test func endsOfLinesOfAllKinds() {
    #expect(
      LegalContent.parse("# A\r\n\r\nb\r\nc\r\n") == [.heading(level: 1, text: "A"), .paragraph([LegalSpan("b c")])])
    #expect(LegalContent.parse("") == [])
    #expect(LegalContent.parse(" \n\t\n") == [])
  }

  @Test(arguments: [
    "[a](http://e.example)", "[a](javascript:alert)", "[a](https://)", "[a] (https://e.example)",
    "[a](https://e.example", "a](https://e.example)", "[a](https://e e)", "[]", "](", "[a](https://e\"x)",
    "[a](https://user@e.example)", "####", "#Title", "-x",
  ])
  func whatIsNoLinkIsText(_ text: String) {
    #expect(LegalContent.parse(text) == [.paragraph([LegalSpan(text)])])
  }

  @Test func linksWithinText() {
    #expect(
      LegalContent.parse("See [a [b](https://b.example), and [c](https://c.example).") == [
        .paragraph([
          LegalSpan("See [a "), LegalSpan("b", link: "https://b.example"), LegalSpan(", and "),
          LegalSpan("c", link: "https://c.example"), LegalSpan("."),
        ])
      ])
  }

  @Test(arguments: ["[", "]", "](", "[](", "[a](https://", "- ", "#", "\r", "[](https://a)[", "e\u{301}"])
  func hostileTextsAreReadInOnePass(_ piece: String) {
    let text = String(repeating: piece, count: 50_000)
    #expect(LegalContent.parse(text).count <= 50_000)
  }
}
