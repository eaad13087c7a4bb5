import GateCore
import GtkKit

/// All that a gate may ask of the world, handed down the nesting as one value.
///
/// A gate adds what it owns for the screens within it (`adding`), and they find it by its type.
@MainActor
public struct GateContext {
  /// What the user has chosen, persisted.
  public var preferences: AppPreferences
  /// What the packager has set.
  public var secrets: AppSecrets
  /// The clocks.
  public var clock: Clock
  /// Where faults go.
  public var bus: AppErrorBus
  /// The running version; nothing where it is no version.
  public var version: AppVersion?
  /// What is counted, once there is consent.
  public var analytics: AnalyticsController
  /// When to ask for a review.
  public var rating: RatingController
  /// Checks a password of the desktop user.
  public var password: PasswordClient
  /// Checks a finger of the desktop user; nothing where fingers are not asked for.
  public var fingerprint: FingerprintClient?
  /// What the lock remembers from one run to the next.
  public var record: UnlockRecord
  /// Keeps the session's secret.
  public var session: SessionClient
  /// Sends requests, each with a permission.
  public var web: WebClient
  /// What the update gate asks of the disk.
  public var updates: UpdateClient
  /// What the desktop does: lock, sleep, switch users.
  public var desktop: DesktopSession
  /// The window, as gates may use it.
  public var host: Host
  private var values: [ObjectIdentifier: Any] = [:]

  /// Takes the clients.
  public init(
    preferences: AppPreferences, secrets: AppSecrets, clock: Clock, bus: AppErrorBus, version: AppVersion?,
    analytics: AnalyticsController, rating: RatingController, password: PasswordClient,
    fingerprint: FingerprintClient? = nil, record: UnlockRecord? = nil, session: SessionClient,
    web: WebClient = .none, updates: UpdateClient = .none, desktop: DesktopSession = .silent, host: Host
  ) {
    self.preferences = preferences
    self.secrets = secrets
    self.clock = clock
    self.bus = bus
    self.version = version
    self.analytics = analytics
    self.rating = rating
    self.password = password
    self.fingerprint = fingerprint
    self.record = record ?? UnlockRecord(client: .none, preferences: preferences, clock: clock)
    self.session = session
    self.web = web
    self.updates = updates
    self.desktop = desktop
    self.host = host
  }

  /// Whether the app is locked, or is going to be once the lock is there.
  public var isLocked: Bool { host.isLockKnown ? host.isLocked : isLockOn }

  /// Whether the user has turned the lock on; always where the preferences could not be read.
  public var isLockOn: Bool { !preferences.isTrusted || preferences[.biometricEnabled] }

  /// The context with one more thing in it, found by its type.
  public func adding<Thing>(_ thing: Thing) -> GateContext {
    var context = self
    context.values[ObjectIdentifier(Thing.self)] = thing
    return context
  }

  /// A thing that a gate further out has added.
  public subscript<Thing>(_ type: Thing.Type) -> Thing? { values[ObjectIdentifier(type)] as? Thing }
}

/// The window and the desktop around it, as far as gates and screens use them.
@MainActor
public final class Host {
  /// The window; absent in tests that mount a screen by itself.
  public weak var window: Window?
  /// Tells whether the user is in the app, at each change.
  public let activity = Listeners<Bool>()
  /// Whether the user is in the app now.
  public private(set) var isActive: Bool
  /// Tells whether the app is locked, at each change.
  public let locking = Listeners<Bool>()
  /// Whether the app is locked; it counts as locked until the lock has spoken.
  public private(set) var isLocked = true
  /// Whether the lock has spoken.
  public private(set) var isLockKnown = false
  /// Hides the app's other windows.
  public let shield = Shield()
  /// Leaves the program.
  public var quit: @MainActor () -> Void
  /// Ends the program and starts it anew in safe mode; nothing where it cannot.
  public var startSafely: (@MainActor () -> Void)?
  /// Which gates hold the screen, in the order of the nesting.
  public let gates = GateTrail()
  /// Opens an address outside the app; the answer comes when it has been handed over, or could not be.
  public var open: @MainActor (String, @escaping @MainActor (StoreFault?) -> Void) -> Void
  /// Adds an action, with its keys, for as long as the program runs.
  public var addAction: @MainActor (String, [String], @escaping @MainActor () -> Void) -> Action?
  /// The path of a file of ours below `data/`.
  public var file: @MainActor (String) -> String?
  /// The text of a file of ours below `data/`.
  public var text: @MainActor (String) -> String?
  /// Whether details for developers are shown: in debug builds.
  public var showsDetails: Bool
  /// Tells whether the title may say what is on the screen.
  private var isConcealed = false
  private var subject = ""

  /// Says something in passing, in whatever shows such messages; kept until there is something that does.
  public func notice(_ words: String) {
    if notices.count > 0 { notices.notify(words) } else { unsaid.append(words) }
  }

  /// Hears of messages in passing from now on, those that were kept first.
  public func hearNotices(_ body: @escaping @MainActor (String) -> Void) -> Listening {
    for words in unsaid { body(words) }
    unsaid = []
    return notices.listen(body)
  }

  private let notices = Listeners<String>()
  private var unsaid: [String] = []

  /// Takes what the wiring knows.
  public init(
    isActive: Bool = true, showsDetails: Bool = false,
    quit: @escaping @MainActor () -> Void = {}, startSafely: (@MainActor () -> Void)? = nil,
    open: @escaping @MainActor (String, @escaping @MainActor (StoreFault?) -> Void) -> Void = { _, done in
      done(.notInstalled)
    },
    addAction: @escaping @MainActor (String, [String], @escaping @MainActor () -> Void) -> Action? = { _, _, _ in nil },
    file: @escaping @MainActor (String) -> String? = { _ in nil },
    text: @escaping @MainActor (String) -> String? = { _ in nil }
  ) {
    self.isActive = isActive
    self.showsDetails = showsDetails
    self.quit = quit
    self.startSafely = startSafely
    self.open = open
    self.addAction = addAction
    self.file = file
    self.text = text
  }

  /// Takes note that the user has come or gone, and tells the gates in this same turn.
  public func setActive(_ isActive: Bool) {
    self.isActive = isActive
    activity.notify(isActive)
  }

  /// Takes note that the app was locked or unlocked, and tells what shows outside of the window in this same turn.
  public func setLocked(_ isLocked: Bool) {
    isLockKnown = true
    guard isLocked != self.isLocked else { return }
    self.isLocked = isLocked
    locking.notify(isLocked)
  }

  /// What the window's title says besides the app's name, while it may.
  public func setSubject(_ words: String) {
    subject = words
    writeTitle()
  }

  /// Whether the title keeps to the app's name.
  public func conceal(_ isConcealed: Bool) {
    self.isConcealed = isConcealed
    writeTitle()
  }

  private func writeTitle() {
    window?.title = isConcealed || subject.isEmpty ? Host.productName : subject + " – " + Host.productName
  }

  /// The name of the product, the same in every language.
  public static let productName = "App Gates"
}
