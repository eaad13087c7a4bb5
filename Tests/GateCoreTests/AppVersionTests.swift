import Foundation
import Testing

@testable import GateCore

struct AppVersionTests {
  /// Each line rises from left to right; what stands together in an item is equal.
  static let rising: [[[String]]] = [
    [["1.0"], ["1.0.1"], ["1.2", "1.2.0", "v1.2", "V1.2.0.0", " 1.2 ", "01.02", "1.2.0+7", "1.2 (93)", "1.2(93)"]],
    [["1.9"], ["1.10"], ["1.11"]],
    [["1.2.3-beta"], ["1.2.3"], ["1.2.3.4"], ["1.2.4"]],
    [["1.2.0-beta.2"], ["1.2.0-beta.10"], ["1.2.0", "1.2.0+build.9"]],
    [["2.6.1"], ["3.0.2"]],
    [["0", "0.0", "0.0.0+x"], ["0.0.1"], ["0.1"]],
    // Semantic Versioning 2.0.0, item 11.
    [
      ["1.0.0-alpha"], ["1.0.0-alpha.1"], ["1.0.0-alpha.beta"], ["1.0.0-beta"], ["1.0.0-beta.2"], ["1.0.0-beta.11"],
      ["1.0.0-rc.1"], ["1.0.0"],
    ],
    [["1.0.0-1"], ["1.0.0-2"], ["1.0.0-10"], ["1.0.0-A"], ["1.0.0-a"], ["1.0.0-a-b"], ["1.0.0"]],
    // As Sparkle's own table has them.
    [["0.9"], ["1.0a1"], ["1.0b"], ["1.0b1"], ["1.0b2"], ["1.0b9"], ["1.0b10"], ["1.0rc1"], ["1.0"], ["1.0.1b5"]],
    // Debian packages.
    [
      ["1.2.0~beta2-1", "1:1.2.0~beta2-1"], ["1.2.0~rc1"],
      ["1:1.2.0-3~deb12u1", "1.2.0-3~deb12u1", "1.2.0-0ubuntu1", "2:1.2.0+dfsg-1", "1.2.0"], ["0:1.2.1-1"],
    ],
    [
      ["99999999999999999998.1"], ["99999999999999999999"], ["100000000000000000000.0", "100000000000000000000"],
      ["340282366920938463463374607431768211456"], ["340282366920938463463374607431768211457"],
    ],
  ]

  @Test(arguments: rising)
  func table(_ line: [[String]]) throws {
    for (left, equals) in line.enumerated() {
      for (right, others) in line.enumerated() {
        for one in equals {
          for other in others {
            let one = try #require(AppVersion(one), "\(one)")
            let other = try #require(AppVersion(other), "\(other)")
            #expect((one < other) == (left < right), "\(one) \(other)")
            #expect((one == other) == (left == right), "\(one) \(other)")
            if left == right { #expect(one.hashValue == other.hashValue) }
          }
        }
      }
    }
  }

  @Test(arguments: [
    "", " ", "v", "Varies with device", "x1.2", "1.x", "1..2", ".1", "1.", "-1", "1.2-", "1.2-a..b", "1.2 beta", "1,2",
    "١.٢", "1.2-bêta", "1:", "a:1.2", "1.2\u{0}", "(93)", "v v1", "+1", "１.２",
  ])
  func noVersion(_ text: String) {
    #expect(AppVersion(text) == nil)
  }

  @Test(arguments: [
    ("v1.2", "1.2"), ("1.3.0 (93)", "1.3.0"), ("1:1.2.0-3~deb12u1", "1.2.0"), ("1.2.0-beta.2+5", "1.2.0-beta.2"),
    ("1.0b10", "1.0-b.10"), ("001.0", "1.0"),
  ])
  func description(_ text: String, _ shown: String) throws {
    let version = try #require(AppVersion(text))
    #expect("\(version)" == shown)
    #expect(AppVersion(shown) == version)
  }

  /// A total order: for any three, exactly one of <, ==, > holds between two, and all three are transitive.
  @Test func randomTriples() throws {
    let seed: UInt64 = 20_260_430
    var numbers = SeededNumbers(state: seed)
    func version() throws -> AppVersion {
      var text = ""
      repeat { text = self.text(&numbers) } while text.utf8.count > AppVersion.limit
      return try #require(AppVersion(text), "\(text)")
    }
    var equalPairs = 0
    for _ in 0..<20_000 {
      let (a, b, c) = (try version(), try version(), try version())
      // One expectation for each triple: they are what takes time here.
      var holds = [a < b, a == b, b < a].count { $0 } == 1 && AppVersion(a.description) == a
      if a < b, b < c { holds = holds && a < c }
      if a == b {
        equalPairs += 1
        holds = holds && a.hashValue == b.hashValue && (a < c) == (b < c) && (c < a) == (c < b)
      }
      if !holds { Issue.record("\(a) \(b) \(c), of the seed \(seed)") }
    }
    #expect(equalPairs > 100)
  }

  private func text(_ numbers: inout SeededNumbers) -> String {
    var parts: [String] = []
    for _ in 0..<Int.random(in: 1...4, using: &numbers) {
      parts.append(["0", "1", "2", "9", "10", "00", "123456789012345678901"].randomElement(using: &numbers) ?? "0")
    }
    var text = parts.joined(separator: ".")
    if Bool.random(using: &numbers) {
      let identifiers = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in
        ["0", "1", "2", "10", "a", "b", "beta", "rc-1", "B"].randomElement(using: &numbers) ?? "a"
      }
      text += "-" + identifiers.joined(separator: ".")
    }
    return Bool.random(using: &numbers) ? text + "+7" : text
  }

  /// What another implementation says of 400 pairs.
  @Test func asOthersOrderThem() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let table = try String(contentsOf: tests.appendingPathComponent("Tables/semantic-versions.txt"), encoding: .utf8)
    let lines = table.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count == 400)
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      let one = try #require(AppVersion(words[0]), "\(line)")
      let other = try #require(AppVersion(words[2]), "\(line)")
      let found = one < other ? "<" : one == other ? "=" : ">"
      #expect(found == words[1], "\(line)")
    }
  }

  @Test func longTextsAreNone() throws {
    #expect(AppVersion(String(repeating: "9", count: 65)) == nil)
    #expect(AppVersion("1.0+" + String(repeating: "a", count: 61)) == nil)
    #expect(AppVersion(String(repeating: "1.", count: 50_000) + "1") == nil)
    // Short as it is written, and long as it would be shown.
    #expect(AppVersion("1" + String(repeating: "a1", count: 30)) == nil)
    let nines = String(repeating: "9", count: 63)
    let longest = try #require(AppVersion(nines + "9"))
    #expect(try #require(AppVersion(nines + "8")) < longest)
    #expect(AppVersion(longest.description) == longest)
  }
}
