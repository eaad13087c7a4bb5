import AuthWire
import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

/// Programs in the place of `app-gates-web`, built once for all tests.
enum FakeWebProgram {
  private static let folder: Scratch = {
    atexit { try? FileManager.default.removeItem(atPath: FakeWebProgram.folder.path) }
    return Scratch()
  }()

  private static let binary: String? = {
    let tests = ((#filePath as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
    let binary = folder.path + "/built"
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["cc", "-o", binary, tests + "/Fakes/fake_web_program.c"]
    guard (try? compiler.run()) != nil else { return nil }
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? binary : nil
  }()

  /// The one that behaves so.
  static func program(_ mode: String) throws -> WebProgram {
    let binary = try #require(binary, "the fake program needs a C compiler, cc, on PATH")
    let path = folder.path + "/" + mode
    link(binary, path)
    return WebProgram(path: path)
  }
}

@MainActor
@Suite(.serialized)
struct WebClientLiveTests {
  private func send(
    _ mode: String, _ request: WebRequest = WebRequest(.get, "https://example.org/"), patience: Int64 = 2_000
  )
    throws -> Result<WebAnswer, WebFault>
  {
    var results: [Result<WebAnswer, WebFault>] = []
    _ = WebExchange(try FakeWebProgram.program(mode), request, patience: patience) { results.append($0) }
    #expect(results.isEmpty, "nothing is told before the caller has the way to cancel")
    MainLoop.run(atMost: 20_000) { !results.isEmpty && WebExchange.livingCount == 0 }
    #expect(WebExchange.livingCount == 0, "it was reaped")
    #expect(results.count == 1, "it is said once")
    return try #require(results.first)
  }

  @Test func whatIsWritten() throws {
    let request = WebRequest(
      .post, "https://example.org/ü", headers: [WebRequest.Header("A", "é")], body: [0, 1, 44], limit: 1000,
      deadline: 5_000)
    let answer = try send("echo", request).get()
    let version = String(APP_GATES_VERSION)
    let expected =
      "13:app-gates-web,\(version.utf8.count):\(version),4:POST,22:https://example.org/ü,4:5000,4:1000,1:1,1:A,2:é,3:"
    #expect(answer.body == Array(expected.utf8) + [0, 1, 44] + Array(",".utf8))
    #expect(answer.status == 200)
    #expect(answer.headers == ["x": "y"])
  }

  @Test func aLargeBodyEachWay() throws {
    let body = [UInt8](repeating: 7, count: 4 << 20)
    let answer = try send("echo", WebRequest(.post, "https://example.org/", body: body, limit: 5 << 20)).get()
    #expect(answer.body.count > body.count)
    #expect(try send("large", WebRequest(.get, "https://example.org/", limit: 3 << 20)).get().body.count == 3 << 20)
    #expect(try send("large", WebRequest(.get, "https://example.org/", limit: (3 << 20) - 1)) == .failure(.tooLarge))
    #expect(try send("echo", WebRequest(.post, "https://example.org/", body: body + [0])) == .failure(.tooLarge))
  }

  @Test(arguments: [
    "garbage", "twice", "longer", "shorter", "counts", "unknown", "exits", "crashes", "says-nothing",
  ])
  func brokenProtocol(_ mode: String) throws { #expect(try send(mode) == .failure(.crashed)) }

  @Test func aFault() throws { #expect(try send("fault") == .failure(.redirected(to: "example.org"))) }

  @Test(arguments: ["hangs", "lingers", "deaf", "slow"])
  func endedInTime(_ mode: String) throws {
    let began = Time.boot
    #expect(
      try send(mode, WebRequest(.get, "https://example.org/", deadline: 200), patience: 200) == .failure(.timedOut))
    #expect(Time.boot - began < 5_000)
  }

  @Test func aFloodIsEnded() throws {
    #expect(try send("floods", WebRequest(.get, "https://example.org/", limit: 1000)) == .failure(.tooLarge))
  }

  @Test func missing() throws {
    var result: Result<WebAnswer, WebFault>?
    let client = WebClient.live(WebProgram(path: "/nonexistent/app-gates-web"))
    client.send(WebRequest(.get, "https://example.org/"), with: .report { true }) { result = $0 }
    #expect(result == nil)
    MainLoop.run(atMost: 5_000) { result != nil }
    #expect(result == .failure(.notInstalled))
  }

  @Test func cancelledIsNotHeardOf() throws {
    var results = 0
    let client = WebClient.live(try FakeWebProgram.program("hangs"))
    let cancel = client.send(WebRequest(.get, "https://example.org/"), with: .report { true }) { _ in results += 1 }
    #expect(WebExchange.livingCount == 1)
    cancel()
    cancel()
    MainLoop.run(atMost: 5_000) { WebExchange.livingCount == 0 }
    #expect(WebExchange.livingCount == 0)
    #expect(results == 0)
  }

  @Test func manyAtATime() throws {
    var bodies: [Int: Int] = [:]
    let client = WebClient.live(try FakeWebProgram.program("echo"))
    for number in 0..<20 {
      client.send(
        WebRequest(.post, "https://example.org/", body: [UInt8](repeating: 1, count: number * 1000)),
        with: .report { true }
      ) { bodies[number] = (try? $0.get())?.body.count }
    }
    MainLoop.run(atMost: 20_000) { bodies.count == 20 && WebExchange.livingCount == 0 }
    #expect(bodies.count == 20)
    #expect(bodies.allSatisfy { $0.value > $0.key * 1000 })
  }

  @Test func noSurroundings() {
    let environment = WebProgram.environment { "<\($0)>" }
    #expect(environment.first == "PATH=/usr/sbin:/usr/bin:/sbin:/bin")
    #expect(environment.contains("https_proxy=<https_proxy>"))
    let dangerous = ["LD_", "GIO_", "G_", "SSL_", "GNUTLS_", "SOUP_", "GSETTINGS_"]
    #expect(!environment.contains { variable in dangerous.contains { variable.hasPrefix($0) } })
    #expect(WebProgram.environment { _ in nil }.count == 1)
  }
}
