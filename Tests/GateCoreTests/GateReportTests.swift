import Testing

@testable import GateCore

@MainActor
struct GateReportTests {
  private let names = [
    "ErrorBoundary", "BiometricGate", "UpdateGate", "OnboardingGate", "ConsentGate", "AuthGate", "MyGate",
  ]

  private func reports(_ world: World, _ secrets: [String: String] = [:], names: [String]? = nil) -> [GateReport] {
    GateReports.all(
      gates: names ?? self.names, preferences: world.preferences,
      secrets: AppSecrets(sources: [SecretSource(path: "/s", values: secrets)]), running: AppVersion("1.0"),
      clock: world.clock)
  }

  @Test func aNewcomer() {
    let found = reports(World())
    #expect(found.map(\.gate) == names)
    #expect(found.map(\.decision) == ["open", "open", "open", "closed", "closed", "closed", "unknown"])
  }

  @Test func aReturningUserWithTheLockOn() {
    let world = World([
      "biometricEnabled": "true", "onboardingCompleted": "true", "acceptedConsentVersion": LegalContent.version,
      "sessionStore": "keyring",
    ])
    #expect(reports(world).map(\.decision) == ["open", "locked", "open", "open", "open", "open", "unknown"])
    #expect(world.file.writes.isEmpty)
  }

  @Test func unreadablePreferencesCloseWhatMustBeClosed() {
    let world = World(["acceptedConsentVersion": LegalContent.version], state: .unreadable(.noPermission))
    #expect(reports(world).map(\.decision) == ["closed", "locked", "open", "closed", "closed", "closed", "unknown"])
  }

  @Test(arguments: [
    (["MIN_APP_VERSION": "2"], "forced"), (["LATEST_APP_VERSION": "2"], "prompt"), ([:], "open"),
    (["MIN_APP_VERSION": "3", "LATEST_APP_VERSION": "1"], "open"), (["MIN_APP_VERSION": "x"], "open"),
  ])
  func updates(_ secrets: [String: String], _ decision: String) {
    #expect(reports(World(), secrets, names: ["UpdateGate"]).map(\.decision) == [decision])
  }

  @Test(
    arguments: [
      (RunEnd.crashed(signal: "SIGSEGV"), [1, 2, 3], ["closed", "closed"]), (.unexpected, [], ["closed", "open"]),
      (.restarted(safely: true), [], ["open", "closed"]), (.logout, [1, 2], ["open", "open"]),
    ] as [(RunEnd, [Int64], [String])])
  func theLastRun(_ end: RunEnd, _ crashes: [Int64], _ decisions: [String]) {
    let world = World()
    let found = GateReports.all(
      gates: ["RecoveryGate", "SafeModeGate"], preferences: world.preferences, secrets: AppSecrets(sources: []),
      running: nil, clock: world.clock, last: end, history: CrashHistory(crashes))
    #expect(found.map(\.decision) == decisions)
    #expect(found.allSatisfy { $0.reason.hasSuffix(".") && !$0.reason.contains(". ") })
  }

  @Test func eachReasonIsOneSentence() {
    let worlds = [World(), World(["biometricEnabled": "true"]), World(state: .unreadable(.damaged))]
    for report in worlds.flatMap({ reports($0) + reports($0, ["MIN_APP_VERSION": "9"]) }) {
      #expect(report.reason.last == "." && !report.reason.contains(". ") && report.reason.first?.isUppercase == true)
    }
  }
}
