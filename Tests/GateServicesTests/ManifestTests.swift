import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

@Suite struct ManifestJsonTests {
  private func fields(_ text: String) -> [String: String]? { ManifestJson.fields(Array(text.utf8)) }

  @Test func members() {
    #expect(
      fields(#" {"version": "1.2", "notes": "a\n\"b\" \u00e9 {[", "n": 1, "list": [[{}]], "minimum": null} "#)
        == ["version": "1.2", "notes": "a\n\"b\" é {["])
    #expect(fields(#"{"version": 1.2, "minimum": true, "url": ["x"], "notes": {"de": "x"}}"#) == [:])
    #expect(fields("{}") == [:])
  }

  @Test(arguments: [
    "", " ", "null", "[]", "\"version\"", "1", "{", "{\"version\"", "{\"version\":\"1\"", "<html></html>",
    "{\"version\":\"1\"}}", "\u{0}", "{\"version\":\"1\u{0}\"}", "[{\"version\":\"1\"}]",
  ])
  func garbage(_ text: String) { #expect(fields(text) == nil) }

  @Test func noUtf8() { #expect(ManifestJson.fields([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D]) == nil) }

  /// json-glib goes deeper into its own stack with each of them.
  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func bracketsWithoutEnd(_ piece: String) {
    #expect(fields("{\"x\":" + String(repeating: piece, count: 20_000)) == nil)
    #expect(fields(String(repeating: "\"\\\\\"", count: 3) + String(repeating: piece, count: 20_000)) == nil)
  }

  @Test func nestedNoDeeperThanSixteen() {
    func nested(_ count: Int) -> String {
      "{\"version\":\"1\",\"x\":" + String(repeating: "[", count: count) + String(repeating: "]", count: count) + "}"
    }
    #expect(fields(nested(15)) == ["version": "1"])
    #expect(fields(nested(16)) == nil)
  }
}

@MainActor
@Suite struct ManifestFileTests {
  private let scratch = Scratch()
  private var file: ManifestFile { ManifestFile(path: scratch.paths.manifest) }

  private func kept() throws -> KeptManifest {
    let manifest = try #require(
      UpdateManifest(["version": "2", "url": "https://example.org/?a=b;c", "notes": " Two\nlines; \\n and = \t"]))
    return KeptManifest(
      address: "https://example.org/m", tag: "W/\"a=b;\\\"", askedAt: 1_800_000_000, manifest: manifest)
  }

  @Test func comesBackAsItWas() throws {
    #expect(file.load() == nil)
    file.save(try kept())
    #expect(file.load() == (try kept()))
    #expect(scratch.mode(scratch.paths.manifest) == 0o600)
    #expect(scratch.paths.manifest == scratch.path + "/.cache/app-gates/manifest.ini")
    var other = try kept()
    other.tag = nil
    file.save(other)
    #expect(file.load() == other)
  }

  @Test(arguments: [
    "", "garbage", "[manifest]", "[manifest]\naddress=x\naskedAt=soon\nversion=1",
    "[manifest]\naddress=x\naskedAt=1\nversion=none", "[manifest]\naskedAt=1\nversion=1", "[other]\nversion=1",
  ])
  func whatCannotBeReadIsForgotten(_ text: String) throws {
    try scratch.write(text, to: scratch.paths.manifest)
    #expect(file.load() == nil)
  }

  @Test(.enabled(if: isRoot, "needs root, to give a file away"))
  func somebodyElses() throws {
    file.save(try kept())
    chown(scratch.paths.manifest, 1, 1)
    #expect(file.load() == nil)
  }

  @Test func whereNothingCanBeWritten() throws {
    try scratch.write("", to: scratch.path + "/.cache")
    file.save(try kept())
    #expect(file.load() == nil)
  }
}

@MainActor
@Suite struct SecretsWatchTests {
  private let scratch = Scratch()

  @Test func readAgainWhereAFileHasChanged() throws {
    let conf = scratch.path + "/.config/app-gates/app-gates.conf"
    let system = scratch.path + "/etc/app-gates/app-gates.conf"
    var problems: [String?] = []
    let watch = SecretsWatch(scratch.paths) { problems.append($0.key) }
    #expect(watch.reload() == nil)
    try scratch.write("[app-gates]\nMIN_APP_VERSION=2\n", to: system)
    #expect(watch.reload()?.minimumVersion == AppVersion("2"))
    #expect(watch.reload() == nil)
    try scratch.write("[app-gates]\nMIN_APP_VERSION=x\n", to: conf)
    #expect(watch.reload()?.minimumVersion == nil)
    #expect(problems == ["MIN_APP_VERSION"])
    // Of the same size, and put in its place as editors do.
    try scratch.write("[app-gates]\nMIN_APP_VERSION=3\n", to: conf + ".new")
    try Files.rename(conf + ".new", to: conf)
    #expect(watch.reload()?.minimumVersion == AppVersion("3"))
    chmod(conf, 0o640)
    #expect(watch.reload() != nil, "its rights have changed: who may write it is part of what it says")
    try Files.remove(conf)
    #expect(watch.reload()?.minimumVersion == AppVersion("2"))
  }
}
