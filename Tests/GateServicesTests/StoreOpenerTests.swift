import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

/// Serial, and the only suite that looks programs up on PATH, since it changes that.
@MainActor
@Suite(.serialized)
struct StoreOpenerTests {
  let scratch = Scratch()

  /// Opens the address with this script as xdg-open, and returns what was told, and the arguments it was given.
  private func open(_ address: String, script: String?) throws -> (told: [StoreFault?], arguments: String?) {
    let program = scratch.path + "/xdg-open"
    let seen = scratch.path + "/seen"
    if let script {
      try scratch.write("#!/bin/sh\nprintf '%s|' \"$@\" > '\(seen)'\n\(script)\n", to: program, mode: 0o755)
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    setenv("PATH", script == nil ? scratch.path : scratch.path + ":/usr/bin:/bin", 1)
    defer { setenv("PATH", path, 1) }
    var told: [StoreFault?] = []
    StoreOpener.open(address) { told.append($0) }
    #expect(told.isEmpty, "told in a later turn")
    MainLoop.run(atMost: 10_000) { !told.isEmpty }
    return (told, try? scratch.read(seen))
  }

  @Test(arguments: [
    "https://example.org/a?b=c&d='e'#f", "http://example.org", "appstream:io.github.appgates.AppGates",
    "snap://app-gates", "https://example.org/$(touch)x;id&",
  ])
  func handsOverOneArgument(_ address: String) throws {
    let opened = try open(address, script: "exit 0")
    #expect(opened.told == [nil])
    #expect(opened.arguments == address + "|")
  }

  @Test(arguments: [
    "file:///etc/passwd", "javascript:alert(1)", "mailto:a@b", "-h", "", "https:", "https://a b", "https://a\nb",
    "/usr/bin/true", "ssh://x", " https://a", "https://example.org/$(touch${IFS}x);`id`",
  ])
  func refuses(_ address: String) throws {
    let opened = try open(address, script: "exit 0")
    #expect(opened.told == [.refused])
    #expect(opened.arguments == nil)
  }

  @Test func failures() throws {
    #expect(try open("https://a.example", script: "exit 3").told == [.failed(3)])
    #expect(try open("https://a.example", script: "kill -9 $$").told == [.failed(137)])
  }

  @Test func missing() throws { #expect(try open("https://a.example", script: nil).told == [.notInstalled]) }
}
