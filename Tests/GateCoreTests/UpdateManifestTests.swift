import Testing

@testable import GateCore

@Suite struct UpdateManifestTests {
  @Test func allMembers() throws {
    let manifest = try #require(
      UpdateManifest([
        "version": "1.2.0", "minimum": "v1.0", "url": "https://example.org/get", "notes": "Faster.", "other": "x",
      ]))
    #expect(manifest.version == AppVersion("1.2"))
    #expect(manifest.minimum == AppVersion("1"))
    #expect(manifest.address == "https://example.org/get")
    #expect(manifest.notes == "Faster.")
    #expect(manifest.problems.isEmpty)
    #expect(manifest.fields["other"] == nil)
    #expect(UpdateManifest(manifest.fields) == manifest)
  }

  @Test(arguments: [
    [:], ["notes": "x"], ["url": "https://example.org/"], ["version": ""], ["version": "Varies with device"],
    ["minimum": "soon", "version": "x"],
  ])
  func nothingFollows(_ fields: [String: String]) { #expect(UpdateManifest(fields) == nil) }

  @Test(arguments: [
    (["version": "1", "minimum": "x"], ["minimum"]), (["version": "x", "minimum": "1"], ["version"]),
    (["version": "1", "url": "javascript:alert(1)"], ["url"]), (["version": "1", "url": "file:///bin/sh"], ["url"]),
    (["version": "1", "url": "https://user@example.org/"], ["url"]), (["version": "1", "notes": ""], []),
  ])
  func whatIsNoneCountsAsMissing(_ fields: [String: String], _ problems: [String]) throws {
    let manifest = try #require(UpdateManifest(fields))
    #expect(manifest.problems == problems)
    #expect(manifest.address == nil)
  }

  @Test(
    arguments: [
      ("  Two\nlines \n", "Two\nlines"), ("a\u{0}b\u{1B}[31m\u{7F}\u{9B}c", "ab[31mc"), ("x\u{202E}y\u{2066}z", "xyz"),
      ("<b>Not bold</b> &amp;", "<b>Not bold</b> &amp;"), (" \n ", nil), ("שלום", "שלום"), ("e\u{301}👩‍🚀", "e\u{301}👩‍🚀"),
    ] as [(String, String?)])
  func notesAreShownAsTheyAre(_ text: String, _ shown: String?) throws {
    #expect(try #require(UpdateManifest(["version": "1", "notes": text])).notes == shown)
  }

  @Test func notesHaveAnEnd() throws {
    let notes = try #require(UpdateManifest(["version": "1", "notes": String(repeating: "x", count: 60_000)])?.notes)
    #expect(notes.count == UpdateManifest.notesLimit)
    #expect(notes.hasSuffix("x…"))
  }
}
