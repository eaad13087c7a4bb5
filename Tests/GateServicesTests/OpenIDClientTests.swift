import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

/// The libraries behind the rules of OpenID Connect, against the vectors of the standards.
struct OpenIDToolsTests {
  /// RFC 7636, appendix B.
  @Test func theChallengeOfAVerifier() {
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    #expect(
      Base64Url.encode(Sha256.bytes(Array(verifier.utf8))) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func base64url() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 250) }
      let text = Base64Url.encode(bytes)
      #expect(!text.contains { "+/=".contains($0) } && Base64Url.decode(text) == bytes)
    }
    for text in ["a", "ab=", "ab==", "a+b/", "a b", "é", "abcde"] { #expect(Base64Url.decode(text) == nil) }
  }

  @Test func randomWordsDiffer() {
    let words = Set((0..<100).compactMap { _ in OpenIDRequest(.live)?.verifier })
    #expect(words.count == 100 && words.allSatisfy { $0.utf8.count == 43 })
  }

  @Test func json() {
    let text = #"{"a":"x\u00e9","b":[1,true,null,{"c":2.5}],"d":9223372036854775807,"e":{},"f":-1,"a":"y"}"#
    #expect(
      JsonValue(Array(text.utf8))
        == .object([
          "a": .text("y"), "b": .list([.integer(1), .bool(true), .null, .object(["c": .number(2.5)])]),
          "d": .integer(.max), "e": .object([:]), "f": .integer(-1),
        ]))
    for text in [
      "", "{", "{}x", "\0", #"{"a":}"#, String(repeating: "[", count: 17) + String(repeating: "]", count: 17),
    ] {
      #expect(JsonValue(Array(text.utf8)) == nil, "\(text)")
    }
  }
}

/// Whose todos are where.
struct AccountFilesTests {
  private func person(_ issuer: String, _ subject: String) -> Account {
    .openID(OpenIDAccount(issuer: issuer, subject: subject))
  }

  @Test func eachAccountHasFilesOfItsOwn() {
    let paths = AppPaths(xdg: XdgPaths { ["HOME": "/home/ada"][$0] })
    #expect(paths.todos(of: .local) == "/home/ada/.local/share/app-gates/todos.sqlite3")
    #expect(paths.todoDrafts(of: .local) == "/home/ada/.local/share/app-gates/todo-drafts.ini")
    // printf 'https://h\0ada' | sha256sum
    #expect(
      paths.todos(of: person("https://h", "ada")) == "/home/ada/.local/share/app-gates/todos-8a5a4467db55a33c.sqlite3")
    let all = [person("https://h", "ada"), person("https://ha", "da"), person("https://h", "../ada"), .local]
    #expect(Set(all.map(paths.todos(of:))).count == 4 && Set(all.map(paths.todoDrafts(of:))).count == 4)
    #expect(all.allSatisfy { !paths.todos(of: $0).contains("..") })
  }

  @MainActor
  @Test func listsDoNotMix() throws {
    let scratch = Scratch()
    let stores = TodoStores(scratch.paths)
    let ada = person("https://h", "ada")
    _ = try stores.store(of: .local).insert(
      Todo(id: 0, title: "Local", isDone: false, created: 1, completed: nil, position: 1))
    _ = try stores.store(of: ada).insert(
      Todo(id: 0, title: "Ada's", isDone: false, created: 1, completed: nil, position: 1))
    #expect(try stores.store(of: .local).load().map(\.title) == ["Local"])
    #expect(try TodoStores(scratch.paths).store(of: ada).load().map(\.title) == ["Ada's"])
    #expect(stores.store(of: ada) === stores.store(of: ada))
  }
}

/// The wait for the browser, with programs in the place of `app-gates-web`.
@MainActor
@Suite(.serialized)
struct RedirectListenerTests {
  private let request = RedirectRequest(
    path: "/cb", state: "S",
    pages: RedirectPages(
      language: "en", isRightToLeft: true, done: .init("a", "b"), refused: .init("c", "d"), foreign: .init("e", "f"),
      missing: .init("g", "h")))

  @Test func whatIsWritten() throws {
    let text = String(decoding: RedirectWire.encode(request, deadline: 9_000_000), as: UTF8.self)
    #expect(text.hasSuffix("6:LISTEN,3:/cb,1:S,6:600000,2:en,3:rtl,1:a,1:b,1:c,1:d,1:e,1:f,1:g,1:h,"))
  }

  @Test func whatIsSaid() {
    var bytes = Array("9:listening,5:40000,8:redirect,6:code=C,5:fault,9:timed-out,0:,".utf8)
    #expect(RedirectWire.next(&bytes) == .listening(port: 40_000))
    #expect(RedirectWire.next(&bytes) == .arrived(query: "code=C"))
    var cut = Array(bytes.dropLast())
    #expect(RedirectWire.next(&cut) == nil)
    #expect(RedirectWire.next(&bytes) == .failed(.timedOut) && bytes.isEmpty && RedirectWire.next(&bytes) == nil)
    for text in ["9:listening,1:0,", "9:listening,5:70000,", "9:listening,1:x,", "4:what,1:x,"] {
      var bytes = Array(text.utf8)
      #expect(RedirectWire.next(&bytes) == .failed(.crashed))
    }
  }

  private func events(_ program: WebProgram, deadline: Int64 = 5_000) -> [RedirectEvent] {
    var heard: [RedirectEvent] = []
    let listener = RedirectListener(program, request, deadline: deadline) { heard.append($0) }
    #expect(heard.isEmpty, "nothing is told before the caller has the way to cancel")
    MainLoop.run(atMost: 20_000) { !heard.isEmpty && RedirectListener.livingCount == 0 }
    withExtendedLifetime(listener) {}
    #expect(RedirectListener.livingCount == 0, "it was reaped")
    return heard
  }

  @Test func programsThatAreNone() throws {
    #expect(events(WebProgram(path: "/nonexistent")) == [.failed(.notInstalled)])
    for program in ["/bin/true", "/bin/cat"] {
      #expect(events(WebProgram(path: program)) == [.failed(.crashed)])
    }
  }

  @Test func cancelledItIsEnded() {
    var heard: [RedirectEvent] = []
    // Says nothing at all, and would sleep for long.
    let listener = RedirectListener(WebProgram(path: "/usr/bin/yes"), request) { heard.append($0) }
    listener.cancel()
    MainLoop.run(atMost: 20_000) { RedirectListener.livingCount == 0 }
    #expect(RedirectListener.livingCount == 0 && heard.isEmpty)
  }
}
