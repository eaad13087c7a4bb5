import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

@MainActor
struct StatusReportTests {
  let scratch = Scratch()
  private let gates = ["ErrorBoundary", "BiometricGate", "UpdateGate", "OnboardingGate", "ConsentGate", "AuthGate"]

  private func report() throws -> [String: Any] {
    let clock = Clock(wall: { 0 }, boot: { 0 })
    let text = StatusReport(scratch.paths, version: "1.2.3", clock: clock).text(gates: gates)
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func decisions(_ report: [String: Any]) throws -> [String] {
    let list = try #require(report["gates"] as? [[String: String]])
    #expect(list.map { $0["gate"] } == gates)
    #expect(list.allSatisfy { $0["reason"]?.isEmpty == false })
    return list.compactMap { $0["decision"] }
  }

  private func states(_ report: [String: Any]) throws -> [String: String] {
    let files = try #require(report["files"] as? [[String: String]])
    return Dictionary(uniqueKeysWithValues: files.map { ($0["path"] ?? "", $0["state"] ?? "") })
  }

  @Test func atTheVeryStart() throws {
    let report = try report()
    #expect(report["version"] as? String == "1.2.3")
    #expect(try decisions(report) == ["open", "open", "open", "closed", "closed", "closed"])
    #expect(try states(report)["~/.config/app-gates/preferences.ini"] == "absent")
    #expect(scratch.names(beside: scratch.path + "/x").isEmpty, "nothing is made by looking")
  }

  @Test func aSeasonedUser() throws {
    let settings = "biometricEnabled=true\nonboardingCompleted=true\nacceptedConsentVersion=\(LegalContent.version)\n"
    let session = "sessionStore=file\nsessionName=Ada Private\nsessionStarted=1\n"
    try scratch.write("[preferences]\n" + settings + session, to: scratch.paths.preferences)
    try scratch.write("[app-gates]\nMIN_APP_VERSION=9\n", to: scratch.path + "/.config/app-gates/app-gates.conf")
    let report = try report()
    #expect(try decisions(report) == ["open", "locked", "forced", "open", "open", "open"])
    #expect(try states(report)["~/.config/app-gates/app-gates.conf"] == "sound")
    let bytes = try JSONSerialization.data(withJSONObject: report)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("Ada"), "no name above the lock")
  }

  @Test func damageIsReportedAndLeft() throws {
    try scratch.write("junk", to: scratch.paths.preferences)
    try scratch.write("", to: scratch.path + "/etc/app-gates/app-gates.conf")
    let report = try report()
    #expect(try decisions(report)[1] == "locked")
    #expect(try decisions(report)[4] == "closed")
    #expect(try states(report)["~/.config/app-gates/preferences.ini"] == "damaged")
    #expect(try states(report)["~/etc/app-gates/app-gates.conf"] == "empty")
    #expect((report["problems"] as? [[String: Any]])?.isEmpty == false)
    #expect(try scratch.read(scratch.paths.preferences) == "junk")
    #expect(scratch.names(beside: scratch.paths.preferences) == ["preferences.ini"])
  }

  @Test func jsonIsEscaped() throws {
    let odd = "\" \\ \n \u{1} ä 😀"
    let text = Json.object([("k", .text(odd)), ("l", .list([.null, true, 7]))]).written(pretty: false)
    #expect(!text.contains("\n"))
    let read = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(read["k"] as? String == odd)
    #expect((read["l"] as? [Any])?.count == 3)
  }
}
