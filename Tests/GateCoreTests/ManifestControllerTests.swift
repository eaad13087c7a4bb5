import Testing

@testable import GateCore

@MainActor
@Suite struct ManifestControllerTests {
  nonisolated static let address = "https://example.org/app.json"

  /// What may be kept from before.
  enum Stored: CaseIterable {
    case nothing, fresh, old, future, ofAnotherAddress, withoutTag

    @MainActor func kept(now: Int64) -> KeptManifest? {
      guard let manifest = UpdateDisk.manifest("2 1 -") else { return nil }
      func one(_ age: Int64, from address: String = ManifestControllerTests.address, tag: String? = "\"old\"")
        -> KeptManifest
      {
        KeptManifest(address: address, tag: tag, askedAt: now - age, manifest: manifest)
      }
      return switch self {
      case .nothing: nil
      case .fresh: one(3_600)
      case .old: one(86_400)
      case .future: one(-10_000_000)
      case .ofAnotherAddress: one(10, from: "https://example.org/other.json")
      case .withoutTag: one(86_400, tag: nil)
      }
    }

    var isOfThisAddress: Bool { self != .nothing && self != .ofAnotherAddress }
    var isDue: Bool { self != .fresh }
    var tag: String? { isOfThisAddress && self != .withoutTag ? "\"old\"" : nil }
  }

  /// What may come back.
  enum Answer: CaseIterable {
    case manifest, sameStill, garbage, empty, forbidden, gone, busy, busyFor, broken, created, unreachable, redirected

    @MainActor func give(_ sent: HandWeb.Sent) {
      switch self {
      case .manifest: sent.answer(200, "3 2 -", headers: ["etag": "\"new\""])
      case .sameStill: sent.answer(304)
      case .garbage: sent.answer(200, "garbage")
      case .empty: sent.answer(200)
      case .forbidden: sent.answer(403, "3 2 -")
      case .gone: sent.answer(404)
      case .busy: sent.answer(429)
      case .busyFor: sent.answer(503, headers: ["retry-after": "7200"])
      case .broken: sent.answer(500, "3 2 -")
      case .created: sent.answer(201, "3 2 -")
      case .unreachable: sent.fail(.unreachable)
      case .redirected: sent.fail(.redirected(to: "example.com"))
      }
    }

    func finding(_ stored: Stored) -> ManifestFinding {
      switch self {
      case .manifest: .answered
      case .sameStill: stored.tag == nil ? .garbage : .answered
      case .garbage, .empty: .garbage
      case .forbidden: .refused(status: 403)
      case .gone: .refused(status: 404)
      case .busy: .busy(seconds: nil)
      case .busyFor: .busy(seconds: 7200)
      case .broken: .refused(status: 500)
      case .created: .refused(status: 201)
      case .unreachable: .fault(.unreachable)
      case .redirected: .fault(.redirected(to: "example.com"))
      }
    }
  }

  @MainActor
  private struct Rig {
    let world = World()
    let web = HandWeb()
    let disk = UpdateDisk()
    let controller: ManifestController

    init(_ stored: Stored, consent: Bool) {
      disk.kept = stored.kept(now: world.hands.wall)
      if consent { world.preferences.set(.acceptedConsentVersion, to: LegalContent.version) }
      controller = ManifestController(
        client: disk.client, web: web.client, preferences: world.preferences, clock: world.clock)
    }

    var version: String? { controller.manifest(of: ManifestControllerTests.address)?.version?.description }
  }

  @Test(arguments: Stored.allCases, [true, false])
  func whenIsItAsked(_ stored: Stored, _ consent: Bool) {
    let rig = Rig(stored, consent: consent)
    #expect(rig.version == (consent && stored.isOfThisAddress ? "2" : nil))
    rig.controller.refresh(nil)
    #expect(rig.web.sent.isEmpty)
    rig.controller.refresh(Self.address)
    #expect(rig.web.sent.count == (consent && stored.isDue ? 1 : 0))
    rig.controller.refresh(Self.address)
    #expect(rig.web.sent.count <= 1, "one question at a time")
    if let sent = rig.web.sent.first {
      #expect(sent.header("If-None-Match") == stored.tag)
      #expect(sent.request.address == Self.address)
      #expect(sent.request.method == .get && sent.request.body.isEmpty)
    }
  }

  /// Every stored state with every answer, fetched by itself or by a click, with consent and without.
  @Test(arguments: Stored.allCases, Answer.allCases)
  func everyPair(_ stored: Stored, _ answer: Answer) {
    for (consent, isClick) in [(true, false), (true, true), (false, true)] {
      let rig = Rig(stored, consent: consent)
      let before = rig.disk.kept
      var found: [ManifestFinding] = []
      if isClick { rig.controller.ask(Self.address) { found.append($0) } } else { rig.controller.refresh(Self.address) }
      guard let sent = rig.web.sent.first else {
        #expect(!isClick && !stored.isDue)
        continue
      }
      answer.give(sent)
      let finding = answer.finding(stored)
      if isClick { #expect(found == [finding]) }
      // What is kept changes with an answer only, and on disk only with consent.
      let isSaved = consent && finding == .answered
      #expect(rig.disk.saves == (isSaved ? 1 : 0))
      if isSaved {
        #expect(rig.disk.kept?.askedAt == rig.world.hands.wall)
        #expect(rig.disk.kept?.tag == (answer == .manifest ? "\"new\"" : "\"old\""))
        #expect(rig.version == (answer == .manifest ? "3" : "2"))
      } else {
        #expect(rig.disk.kept == before)
        #expect(rig.version == (consent && stored.isOfThisAddress ? "2" : nil))
      }
      // Nothing is asked again at once, whatever came.
      rig.controller.refresh(Self.address)
      #expect(rig.web.sent.count == 1)
      guard consent else { continue }
      let pause: Int64 =
        switch finding {
        case .answered: ManifestController.day * 1000
        case .busy(7200): 7_200_000
        default: ManifestController.pause
        }
      rig.world.hands.boot += pause - 1
      rig.world.hands.wall += pause / 1000 - 1
      rig.controller.refresh(Self.address)
      #expect(rig.web.sent.count == 1, "\(finding)")
      rig.world.hands.boot += 1
      rig.world.hands.wall += 1
      rig.controller.refresh(Self.address)
      #expect(rig.web.sent.count == (finding == .answered || stored.isDue ? 2 : 1), "\(finding)")
    }
  }

  @Test func consentTakenBackWhileItIsAsked() {
    let rig = Rig(.old, consent: true)
    rig.controller.refresh(Self.address)
    rig.world.preferences.set(.acceptedConsentVersion, to: "0.1")
    rig.web.sent[0].answer(200, "9 9 -")
    #expect(rig.disk.saves == 0)
    #expect(rig.version == nil)
  }

  @Test func aClickGivesUpWhatIsUnderWay() {
    let rig = Rig(.old, consent: true)
    rig.controller.refresh(Self.address)
    var found: [ManifestFinding] = []
    rig.controller.ask(Self.address) { found.append($0) }
    #expect(rig.web.sent[0].isCancelled)
    rig.web.sent[0].answer(200, "9 9 -")
    #expect(found.isEmpty && rig.version == "2")
    rig.web.sent[1].answer(200, "3 1 -")
    #expect(found == [.answered] && rig.version == "3")
  }

  @Test func goesWithItsQuestion() {
    let web = HandWeb()
    do {
      let world = World(["acceptedConsentVersion": LegalContent.version])
      let controller = ManifestController(
        client: .none, web: web.client, preferences: world.preferences, clock: world.clock)
      controller.refresh(Self.address)
    }
    #expect(web.sent.count == 1 && web.sent[0].isCancelled)
  }

  @Test(arguments: ["", "with space", "täg", String(repeating: "x", count: 257), "a\nb"])
  func aTagThatCannotBeSentBack(_ tag: String) {
    let rig = Rig(.nothing, consent: true)
    rig.controller.refresh(Self.address)
    rig.web.sent[0].answer(200, "3 2 -", headers: ["etag": tag])
    #expect(rig.disk.kept?.tag == nil && rig.version == "3")
  }
}
