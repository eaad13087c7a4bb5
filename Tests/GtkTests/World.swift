import GLibKit
import GateCore
import Gates
import GtkKit
import Synchronization

/// Both clocks, moved by hand.
final class HandClock: Sendable {
  private let times = Mutex((wall: Int64(1_800_000_000), boot: Int64(5_000_000)))

  var clock: Clock { Clock(wall: { self.wall }, boot: { self.boot }) }
  var wall: Int64 {
    get { times.withLock { $0.wall } }
    set { times.withLock { $0.wall = newValue } }
  }
  var boot: Int64 {
    get { times.withLock { $0.boot } }
    set { times.withLock { $0.boot = newValue } }
  }
}

/// A preferences file in memory, with others who write to it.
@MainActor
final class MemoryFile {
  private(set) var values: [String: String]
  private let watchers = Listeners<PreferencesSnapshot>()

  init(_ values: [String: String]) { self.values = values }

  private var snapshot: PreferencesSnapshot { PreferencesSnapshot(values: values, state: .sound, path: "~/p.ini") }

  var client: PreferencesClient {
    PreferencesClient(
      load: { self.snapshot },
      save: { (changes) throws(FileFault) in self.values.merge(changes) { $1 } },
      watch: { self.watchers.listen($0) })
  }

  /// Somebody else changes the file.
  func change(_ key: String, to text: String) {
    values[key] = text
    watchers.notify(snapshot)
  }
}

/// PAM, answered by hand.
@MainActor
final class HandPam {
  final class Conversation: PamConversation {
    fileprivate(set) var answers: [[UInt8]] = []
    fileprivate(set) var isCancelled = false
    fileprivate let onEvent: @MainActor (PamEvent) -> Void

    init(_ onEvent: @escaping @MainActor (PamEvent) -> Void) { self.onEvent = onEvent }

    func answer(_ bytes: UnsafeRawBufferPointer) { answers.append(Array(bytes)) }
    func cancel() { isCancelled = true }
    func say(_ event: PamEvent) { onEvent(event) }
  }

  private(set) var last: Conversation?
  private(set) var begun = 0
  /// Runs whenever a check begins.
  var whileBegun: @MainActor () -> Void = {}
  private(set) lazy var client = PasswordClient { onEvent in
    let conversation = Conversation(onEvent)
    self.last = conversation
    self.begun += 1
    self.whileBegun()
    return conversation
  }

  /// The right password was given.
  func succeed() { last?.say(.finished(.success(VerifiedBy(hiddenAnswered: true)))) }
}

/// What every context needs, in memory.
@MainActor
final class World {
  let hands = HandClock()
  let bus = AppErrorBus()
  let pam = HandPam()
  let desktop = HandDesktop()
  let file: MemoryFile
  let preferences: AppPreferences
  let host: Host
  private(set) var events: [AnalyticsEvent] = []
  private(set) var deletions = 0
  var deletionAnswer = AnalyticsAnswer.answered(status: 200, isReceipt: true, retryAfter: nil)
  private(set) var opened: [String] = []
  private(set) var quits = 0
  private(set) var actions: [String: @MainActor () -> Void] = [:]
  /// What the secret's store says, and what it holds.
  var reading = SessionSecret(line: "0123").map(SecretReading.present) ?? .unreadable
  var storeFault: SessionFault?
  /// Runs before the store answers.
  var whileCreating: @MainActor () async -> Void = {}
  private(set) var secretsHeld = 0
  /// Files of ours by name; every other document has one paragraph.
  var texts: [String: String] = [:]
  /// The server, and the update gate's disk.
  var web = WebClient.none
  var updates = UpdateClient.none
  let secrets: AppSecrets
  let version: AppVersion?

  init(_ values: [String: String] = [:], secrets: [String: String] = [:], version: String = "1.0.0") {
    file = MemoryFile(values)
    preferences = AppPreferences(client: file.client, bus: bus)
    host = Host()
    self.secrets = AppSecrets(sources: [SecretSource(path: "~/app-gates.conf", values: secrets)])
    self.version = AppVersion(version)
    host.quit = { [weak self] in self?.quits += 1 }
    host.open = { [weak self] address, done in
      self?.opened.append(address)
      done(nil)
    }
    host.addAction = { [weak self] name, _, body in
      self?.actions[name] = body
      return nil
    }
    host.text = { [weak self] name in
      // No translations but those of the test.
      self?.texts[name] ?? (name.split(separator: ".").count > 2 ? nil : "# Text\n\nOne paragraph.")
    }
  }

  /// The preferences of somebody who has passed all gates before.
  static let complete = [
    "onboardingCompleted": "true", "acceptedConsentVersion": LegalContent.version, "sessionStore": "file",
    "sessionName": "Sam", "sessionStarted": "1700000000",
  ]

  func context(live: Bool = false) -> GateContext {
    let clock = live ? Clock(wall: { Time.wall }, boot: { Time.boot }) : hands.clock
    let analytics = AnalyticsController(
      configured: secrets.analyticsAddress != nil, initially: secrets.analyticsDefault, preferences: preferences,
      clock: clock, client: counted, schedule: { MainLoop.after($0, $1) })
    return GateContext(
      preferences: preferences, secrets: secrets, clock: clock, bus: bus, version: version, analytics: analytics,
      rating: RatingController(preferences: preferences, version: version, clock: clock), password: pam.client,
      session: session, web: web, updates: updates, desktop: desktop.client, host: host)
  }

  /// The way of what is counted, in memory; nothing is sent.
  private var counted: AnalyticsClient {
    AnalyticsClient(
      append: { [weak self] (events) throws(FileFault) in self?.events += events }, next: { _ in nil },
      settle: { (_, _) throws(FileFault) in },
      history: { [weak self] _ in
        let lines = self?.events.map { "{\($0.name.rawValue)}" } ?? []
        return AnalyticsHistory(lines: lines, waiting: lines.count)
      },
      eraseWaiting: { [weak self] () throws(FileFault) in self?.events = [] },
      forget: { [weak self] () throws(FileFault) in
        defer { self?.events = [] }
        return self?.events.isEmpty == false ? AnalyticsBatch(["{delete}"]) : nil
      },
      post: { [weak self] batch, _, done in
        self?.deletions += batch.lines.count
        done(self?.deletionAnswer ?? .refused)
        return nil
      }, log: { _ in })
  }

  private var session: SessionClient {
    SessionClient(
      userName: { "Sam" },
      makeSecret: { SessionSecret(line: "0123") },
      store: { (_) throws(SessionFault) in
        await self.whileCreating()
        if let fault = self.storeFault { throw fault }
        self.secretsHeld += 1
        return .file
      },
      read: { _ in self.reading }, unlock: {}, replace: { (_, store) in store },
      remove: { (store) throws(SessionFault) in
        if store == .file { self.secretsHeld -= 1 }
      }, moveToKeyring: { false })
  }
}

/// Numbers that are the same at each run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
