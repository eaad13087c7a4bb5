extension PreferenceKey where Value == Bool {
  /// The user lets events be counted; it counts together with consent only.
  public static var analyticsEnabled: Self { Self("analyticsEnabled", fallback: false) }
}

/// What became of the wish to have everything deleted.
public enum AnalyticsDeletion: Hashable, Sendable {
  /// Nothing had been counted, so no server was asked.
  case nothingCounted
  /// All is gone here, and the server has taken the request to delete what it has.
  case asked
  /// All is gone here; the server could not be asked, for the reason in the words.
  case notAsked(String)
  /// It could not be removed here.
  case failed(FileFault)
}

/// Lets nothing be counted where no address is configured, before there is consent, or with the switch off.
///
/// Main thread.
///
/// Events from before consent wait in memory alone: acceptance hands them on in their order, refusal erases them, and a
/// crash loses them.
@MainActor
public final class AnalyticsController {
  /// So many events wait in memory; of more, the oldest are kept, since they tell how the first minutes went.
  public nonisolated static let waitingLimit = 100
  /// So many of the last events can be looked at.
  public nonisolated static let historyLimit = 50
  /// How long the end of the program may wait for what is still to be sent, in milliseconds.
  public nonisolated static let lastPatience: Int64 = 2000

  /// Tells that the switch, or what was sent, has changed.
  public let changed = Listeners<Void>()
  /// Whether an address is configured: without one nothing is counted, and no page speaks of it.
  public let isConfigured: Bool
  /// The events that wait, the oldest first.
  public private(set) var waiting: [AnalyticsEvent] = []
  private let initially: Bool
  private let preferences: AppPreferences
  private let clock: Clock
  private let client: AnalyticsClient
  private let eraser: Eraser
  private let delivery: AnalyticsDelivery
  private var deletion: AnyObject?
  private var kept: [Listening] = []

  /// Takes whether an address is configured, how the switch stands before the user has touched it, and the way to disk
  /// and server; see `VerifyController` for `schedule`.
  public init(
    configured: Bool, initially: Bool = false, preferences: AppPreferences, clock: Clock, client: AnalyticsClient,
    schedule: @escaping @MainActor (_ afterMs: Int64, @escaping @MainActor () -> Void) -> AnyObject
  ) {
    isConfigured = configured
    self.initially = initially
    self.preferences = preferences
    self.clock = clock
    self.client = client
    let eraser = Eraser(client)
    self.eraser = eraser
    delivery = AnalyticsDelivery(
      client: client, clock: clock,
      isPermitted: { configured && AnalyticsController.isPermitted(in: preferences) && eraser.isDone() },
      schedule: schedule)
    kept = [
      preferences.changed.listen { [weak self] name in
        if name == PreferenceKey<Bool>.analyticsEnabled.name { self?.reconsider() }
        // Whatever gate is on the screen, and be it the lock.
        if name == PreferenceKey<String>.acceptedConsentVersion.name { self?.consentChanged() }
      },
      delivery.changed.listen { [weak self] in self?.changed.notify(()) },
    ]
    // From an earlier run: what waited for a permission that was taken back meanwhile must not go with the next one.
    // Not in safe mode, where nothing is configured, and the preferences do not say what the user has chosen.
    if configured { isCounting ? delivery.sendSoon() : eraser.erase() }
  }

  /// Whether the user lets events be counted: consent to the present texts, and the switch on.
  public static func isPermitted(in preferences: AppPreferences) -> Bool {
    ConsentController.isGiven(in: preferences) && preferences[.analyticsEnabled]
  }

  /// Whether events are being counted.
  public var isCounting: Bool { isConfigured && AnalyticsController.isPermitted(in: preferences) }

  /// How the switch is to stand where the user is asked: as it was left, or else as the packager has set it.
  public var choice: Bool { preferences[PreferenceKey("analyticsEnabled", fallback: initially, unclear: false)] }

  /// Counts something: at once where that is permitted, in memory where consent is still to come.
  public func track(_ name: AnalyticsEvent.Name) {
    guard isConfigured else { return }
    if ConsentController.isGiven(in: preferences), !preferences[.analyticsEnabled] { return }
    if waiting.count < AnalyticsController.waitingLimit { waiting.append(AnalyticsEvent(name, at: clock.wall())) }
    handOn()
  }

  /// Hands on, in their order, the events that wait, or erases them where the switch was left off.
  public func consentGiven() { reconsider() }

  /// Erases the events that wait, in memory and on disk.
  public func consentWithdrawn() {
    guard isConfigured else { return }
    erase()
  }

  /// Turns counting on or off; off erases what waits.
  public func set(_ isOn: Bool) {
    preferences.set(.analyticsEnabled, to: isOn)
    // Where the preference was so before, or could not be saved.
    if !isOn { erase() }
  }

  /// The last events, exactly as they were sent or will be.
  public var history: AnalyticsHistory { client.history(AnalyticsController.historyLimit) }

  /// Forgets the random id and every event, and asks the server to delete what came under it; `done` runs once.
  public func deleteData(_ done: @escaping @MainActor (AnalyticsDeletion) -> Void) {
    delivery.stop()
    waiting = []
    do throws(FileFault) {
      let request = try client.forget()
      eraser.isOwed = false
      changed.notify(())
      guard let request else { return done(.nothingCounted) }
      deletion = client.post(request, true) { [weak self] answer in
        self?.deletion = nil
        switch AnalyticsVerdict.of(answer) {
        case .delivered: done(.asked)
        case .discarded(let why), .kept(_, let why): done(.notAsked(why))
        }
      }
    } catch {
      done(.failed(error))
    }
  }

  /// Sends what waits, at the program's end; `done` runs once, within two seconds, at once where nothing is to be sent.
  public func finish(_ done: @escaping @MainActor () -> Void) {
    guard isCounting else { return done() }
    delivery.flush(atMost: AnalyticsController.lastPatience, done)
  }

  private func reconsider() {
    guard isConfigured, ConsentController.isGiven(in: preferences) else { return }
    if preferences[.analyticsEnabled] { handOn() } else { erase() }
    changed.notify(())
  }

  private func handOn() {
    guard isCounting, !waiting.isEmpty, eraser.isDone() else { return }
    do throws(FileFault) {
      try client.append(waiting)
    } catch {
      // It waits in memory for the next event; it is no matter for the user.
      return client.log("Counted events cannot be written, and wait in memory: \(error).")
    }
    waiting = []
    delivery.sendSoon()
  }

  private func erase() {
    delivery.stop()
    waiting = []
    eraser.erase()
    changed.notify(())
  }

  private func consentChanged() {
    if !ConsentController.isGiven(in: preferences) { consentWithdrawn() }
  }

  /// Removes what waits on disk, and remembers where that is still to be done.
  @MainActor
  private final class Eraser {
    var isOwed = false
    private let client: AnalyticsClient

    init(_ client: AnalyticsClient) { self.client = client }

    func erase() {
      do throws(FileFault) {
        try client.eraseWaiting()
        isOwed = false
      } catch {
        // Once: it is tried again with each event.
        if !isOwed {
          client.log("Counted events that wait could not be removed (\(error)); none is kept or sent until they are.")
        }
        isOwed = true
      }
    }

    /// Whether nothing is left to be removed, after another try where something was.
    func isDone() -> Bool {
      if isOwed { erase() }
      return !isOwed
    }
  }
}
