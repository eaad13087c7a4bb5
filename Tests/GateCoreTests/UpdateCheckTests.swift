import Testing

@testable import GateCore

/// The update gate with settings that change and a manifest.
@MainActor
@Suite struct UpdateCheckTests {
  private static let address = "https://example.org/app.json"

  @MainActor
  private final class Rig {
    let world: World
    let web = HandWeb()
    let disk = UpdateDisk()
    let update: UpdateController
    var told = 0
    private var listening: Listening?

    init(_ values: [String: String], kept: String? = nil, consent: Bool = true) {
      world = World(consent ? ["acceptedConsentVersion": LegalContent.version] : [:])
      let now = world.hands.wall
      disk.kept = kept.flatMap { UpdateDisk.manifest($0) }.map {
        KeptManifest(address: UpdateCheckTests.address, tag: "t", askedAt: now, manifest: $0)
      }
      update = UpdateController(
        running: AppVersion("1"), secrets: Rig.secrets(values), preferences: world.preferences, clock: world.clock,
        client: disk.client, web: web.client, openStore: { _, _ in })
      listening = update.changed.listen { [weak self] in self?.told += 1 }
    }

    static func secrets(_ values: [String: String]) -> AppSecrets {
      AppSecrets(sources: [SecretSource(path: "/s", values: values)])
    }

    /// The decision in a few words.
    var decision: String {
      switch update.decision {
      case .idle(let reason): "idle \(reason)"
      case .forced(_, let needed, let address): "forced \(needed) \(address ?? "-")"
      case .prompt(_, let latest, let address): "prompt \(latest) \(address ?? "-")"
      }
    }
  }

  private static let manifest = ["UPDATE_MANIFEST_URL": address]

  @Test(
    arguments: [
      // Settings, manifest, decision: of two values the stricter holds.
      ([:], "2 - https://m.example/", "prompt 2 https://m.example/"),
      ([:], "3 2 -", "forced 2 -"),
      (["MIN_APP_VERSION": "3"], "4 2 -", "forced 3 -"),
      (["MIN_APP_VERSION": "0.5"], "4 2 -", "forced 2 -"),
      (["LATEST_APP_VERSION": "3"], "2 - -", "prompt 3 -"),
      (["LATEST_APP_VERSION": "1"], "2 - -", "prompt 2 -"),
      (["LATEST_APP_VERSION": "2", "APP_STORE_URL": "snap:x"], "2 - https://m.example/", "prompt 2 snap:x"),
      ([:], "1 1 -", "idle upToDate"),
      // A minimum that no update of its own source can reach is no trap.
      ([:], "2 3 -", "prompt 2 -"),
      (["LATEST_APP_VERSION": "3"], "2 3 -", "prompt 3 -"),
      (["MIN_APP_VERSION": "3", "LATEST_APP_VERSION": "2"], "4 - -", "prompt 4 -"),
      (["MIN_APP_VERSION": "3", "LATEST_APP_VERSION": "1"], "1 - -", "idle minimumAboveLatest"),
      (["MIN_APP_VERSION": "3", "LATEST_APP_VERSION": "2"], "4 2 -", "forced 2 -"),
      // What another source says takes none back.
      (["MIN_APP_VERSION": "1.5"], "1.2 - -", "forced 1.5 -"),
      (["MIN_APP_VERSION": "3"], "1 - -", "forced 3 -"),
      (["MIN_APP_VERSION": "3"], "1 2 -", "forced 3 -"),
      (["LATEST_APP_VERSION": "1"], "3 2 -", "forced 2 -"),
    ] as [([String: String], String, String)])
  func theStricterHolds(_ settings: [String: String], _ kept: String, _ decision: String) {
    let values = settings.merging(Self.manifest) { $1 }
    #expect(Rig(values, kept: kept).decision == decision)
    // Without consent, and without the address in the settings, it is as if there were none.
    #expect(Rig(values, kept: kept, consent: false).decision == Rig(settings).decision)
    #expect(Rig(settings, kept: kept).decision == Rig(settings).decision)
  }

  @Test func notesOfTheVersionThatIsOffered() {
    let rig = Rig(Self.manifest, kept: "2 - - News")
    #expect(rig.update.notes == "News")
    rig.update.skip()
    #expect(rig.update.notes == nil)
    #expect(Rig(Self.manifest.merging(["LATEST_APP_VERSION": "3"]) { $1 }, kept: "2 - - News").update.notes == nil)
    #expect(Rig(Self.manifest, kept: "3 2 - News").update.notes == nil, "not where an update is forced")
  }

  @Test func newSettingsCountWhenTheUserComesBack() {
    let rig = Rig([:])
    rig.disk.settings = Rig.secrets(["MIN_APP_VERSION": "2"])
    #expect(rig.decision == "idle notConfigured")
    rig.update.reconsider()
    #expect(rig.decision == "forced 2 -" && rig.told == 1)
    rig.update.reconsider()
    #expect(rig.decision == "forced 2 -" && rig.told == 1)
    rig.disk.settings = Rig.secrets([:])
    rig.update.reconsider()
    #expect(rig.decision == "idle notConfigured")
  }

  @Test func whatIsFetchedCountsWhenTheUserComesBack() {
    let rig = Rig(Self.manifest)
    #expect(rig.web.sent.count == 1)
    rig.web.sent[0].answer(200, "3 2 -")
    #expect(rig.decision == "idle notConfigured" && rig.told == 0, "nobody is interrupted")
    rig.update.reconsider()
    #expect(rig.decision == "forced 2 -" && rig.told == 1)
  }

  @Test func consentGivenLater() {
    let rig = Rig(Self.manifest, kept: "3 2 -", consent: false)
    #expect(rig.web.sent.isEmpty && rig.decision == "idle notConfigured")
    rig.world.hands.wall += ManifestController.day
    rig.world.preferences.set(.acceptedConsentVersion, to: LegalContent.version)
    #expect(rig.web.sent.count == 1 && rig.decision == "idle notConfigured", "nobody is interrupted")
    rig.update.reconsider()
    #expect(rig.decision == "forced 2 -")
    // Taken back: what is kept forces no more, in the same turn.
    rig.world.preferences.set(.acceptedConsentVersion, to: "")
    #expect(rig.decision == "idle notConfigured")
  }

  @Test func checkingAgainWithoutAServer() {
    let rig = Rig(["MIN_APP_VERSION": "2"])
    rig.update.checkAgain()
    #expect(rig.update.check == .unchanged && rig.told == 1 && rig.web.sent.isEmpty)
    rig.disk.settings = Rig.secrets(["MIN_APP_VERSION": "1"])
    rig.update.checkAgain()
    #expect(rig.decision == "idle upToDate" && rig.update.check == .idle)
  }

  @Test func checkingAgainAsksOnceForEachClick() {
    let rig = Rig(["MIN_APP_VERSION": "2"].merging(Self.manifest) { $1 }, consent: false)
    #expect(rig.web.sent.isEmpty)
    rig.update.checkAgain()
    rig.update.checkAgain()
    #expect(rig.web.sent.count == 1 && rig.update.check == .running && rig.told == 1)
    rig.web.sent[0].answer(200, "9 9 -")
    #expect(rig.update.check == .asked(.answered) && rig.told == 2)
    #expect(rig.decision == "forced 2 -", "what is fetched by a click alone forces nothing")
    #expect(rig.disk.saves == 0)
    rig.update.checkAgain()
    #expect(rig.web.sent.count == 2)
  }

  @Test(arguments: [
    WebFault.unreachable, .timedOut, .truncated, .tooLarge, .malformed, .redirected(to: "x"), .badCertificate, .crashed,
    .notInstalled, .refusedAddress,
  ])
  func eachFaultIsSaidAndTheScreenStays(_ fault: WebFault) {
    let rig = Rig(Self.manifest, kept: "3 2 -")
    rig.update.checkAgain()
    rig.web.sent[0].fail(fault)
    #expect(rig.update.check == .asked(.fault(fault)) && rig.decision == "forced 2 -")
    rig.update.reconsider()
    #expect(rig.update.check == .asked(.fault(fault)), "it stays to be read")
  }

  @Test func checkingAgainOpensOnceTheServerLetsIt() {
    let rig = Rig(Self.manifest, kept: "3 2 -")
    rig.update.checkAgain()
    rig.web.sent[0].answer(200, "3 1 -")
    #expect(rig.decision == "prompt 3 -" && rig.update.check == .idle)
    rig.update.checkAgain()
    #expect(rig.web.sent.count == 1, "only on the screen that insists")
  }

  /// Every decision with every event: none shows what it must not, and none opens what is forced.
  @Test func everyPair() {
    let states: [(String, [String: String], String?)] = [
      ("idle", [:], nil), ("prompt", ["LATEST_APP_VERSION": "2"], nil), ("prompt", [:], "2 - -"),
      ("forced", ["MIN_APP_VERSION": "2"], nil), ("forced", [:], "2 2 -"),
    ]
    let events: [(String, @MainActor (UpdateController) -> Void)] = [
      ("later", { $0.later() }), ("skip", { $0.skip() }), ("update", { $0.update() }), ("check", { $0.checkAgain() }),
      ("return", { $0.reconsider() }),
    ]
    for (state, values, kept) in states {
      for (event, act) in events {
        let rig = Rig(values.merging(Self.manifest) { $1 }, kept: kept ?? "- 1 -")
        #expect(rig.decision.hasPrefix(state))
        act(rig.update)
        let opens = state == "prompt" && ["later", "skip"].contains(event)
        #expect(rig.decision.hasPrefix(opens ? "idle" : state), "\(state) \(event)")
        #expect(rig.world.file.writes.count == (opens ? 1 : 0), "\(state) \(event)")
        #expect(rig.web.sent.count == (state == "forced" && event == "check" ? 1 : 0), "\(state) \(event)")
        // Without consent what is kept forces nothing, whatever happens.
        if kept != nil {
          rig.world.preferences.set(.acceptedConsentVersion, to: "")
          for (_, act) in events {
            act(rig.update)
            #expect(rig.decision.hasPrefix("idle"), "\(state) \(event)")
          }
        }
      }
    }
  }
}
