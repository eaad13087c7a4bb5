/// What came of asking for the manifest.
public enum ManifestFinding: Hashable, Sendable {
  /// The server answered with a manifest, or that the one that is kept still holds.
  case answered
  /// There is no answer.
  case fault(WebFault)
  /// The server answered with this status, and no manifest.
  case refused(status: Int)
  /// The server wants to be left alone, for so many seconds where it says.
  case busy(seconds: Int64?)
  /// The answer is no manifest.
  case garbage
}

/// Fetches the manifest once a day with consent, or at a click, and keeps it.
///
/// Main thread.
///
/// What is kept counts only while there is consent, and only for the address it came from.
@MainActor
public final class ManifestController {
  /// How long an answer is good for, in seconds.
  nonisolated static let day: Int64 = 86_400
  /// How long nothing is asked after a try that failed, in milliseconds, unless the server wants longer.
  nonisolated static let pause: Int64 = 3_600_000

  private let client: UpdateClient
  private let web: WebClient
  private let preferences: AppPreferences
  private let clock: Clock
  private var kept: KeptManifest?
  /// On the boot clock, in milliseconds.
  private var restsUntil: Int64 = .min
  private var cancel: WebCancel?
  /// Tells the answer to an earlier question from that to this one.
  private var tries = 0

  /// Reads what is kept.
  public init(client: UpdateClient, web: WebClient, preferences: AppPreferences, clock: Clock) {
    self.client = client
    self.web = web
    self.preferences = preferences
    self.clock = clock
    kept = client.load()
  }

  isolated deinit { cancel?() }

  /// The manifest of this address that counts now.
  public func manifest(of address: String?) -> UpdateManifest? {
    ManifestController.counting(kept, of: address, preferences)
  }

  /// The manifest that counts: with consent, and from this address.
  static func counting(_ kept: KeptManifest?, of address: String?, _ preferences: AppPreferences) -> UpdateManifest? {
    guard let kept, kept.address == address, ConsentController.isGiven(in: preferences) else { return nil }
    return kept.manifest
  }

  /// Asks where it is time to, and there is consent.
  public func refresh(_ address: String?) {
    guard let address, cancel == nil, ConsentController.isGiven(in: preferences), clock.boot() >= restsUntil,
      isDue(address)
    else { return }
    fetch(address, with: .consent(in: preferences)) { _ in }
  }

  /// Asks now, on the user's click, and says once what came of it; a question that is under way is given up.
  public func ask(_ address: String, done: @escaping @MainActor (ManifestFinding) -> Void) {
    fetch(address, with: .click(), done)
  }

  private func isDue(_ address: String) -> Bool {
    guard let kept, kept.address == address else { return true }
    let (passed, overflow) = clock.wall().subtractingReportingOverflow(kept.askedAt)
    // A time in the future says that the clock was set back since.
    return overflow || passed < 0 || passed >= ManifestController.day
  }

  private func fetch(
    _ address: String, with permission: WebPermission, _ done: @escaping @MainActor (ManifestFinding) -> Void
  ) {
    cancel?()
    cancel = nil
    tries += 1
    var request = WebRequest(
      .get, address, headers: [.init("Accept", "application/json")], limit: 65_536, deadline: 10_000)
    let known = kept.flatMap { $0.address == address ? $0 : nil }
    if let tag = known?.tag { request.headers.append(.init("If-None-Match", tag)) }
    var isOver = false
    let cancel = web.send(request, with: permission) { [weak self, tries] result in
      isOver = true
      guard let self, tries == self.tries else { return }
      self.cancel = nil
      let finding = self.take(result, from: address, known)
      self.rest(after: finding)
      done(finding)
    }
    if !isOver { self.cancel = cancel }
  }

  private func take(
    _ result: Result<WebAnswer, WebFault>, from address: String, _ known: KeptManifest?
  ) -> ManifestFinding {
    switch result {
    case .failure(let fault): return .fault(fault)
    case .success(let answer):
      switch answer.status {
      case 200:
        guard let manifest = client.parse(answer.body) else { return .garbage }
        keep(KeptManifest(address: address, tag: Self.tag(answer), askedAt: clock.wall(), manifest: manifest))
        return .answered
      case 304:
        // Without a tag of ours there is nothing that could still hold.
        guard var known, known.tag != nil else { return .garbage }
        known.askedAt = clock.wall()
        keep(known)
        return .answered
      case 429, 503: return .busy(seconds: answer.retryAfter(now: clock.wall()))
      case let status: return .refused(status: status)
      }
    }
  }

  private func keep(_ manifest: KeptManifest) {
    kept = manifest
    // Without consent nothing is written either: it was one click, and no more.
    if ConsentController.isGiven(in: preferences) { client.save(manifest) }
  }

  private func rest(after finding: ManifestFinding) {
    switch finding {
    case .answered: restsUntil = .min
    case .busy(let seconds?): restsUntil = clock.boot() + max(ManifestController.pause, seconds * 1000)
    default: restsUntil = clock.boot() + ManifestController.pause
    }
  }

  /// The tag, where it is one that can be sent back.
  private static func tag(_ answer: WebAnswer) -> String? {
    guard let tag = answer.headers["etag"], !tag.isEmpty, tag.utf8.count <= 256 else { return nil }
    return tag.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? tag : nil
  }
}
