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
