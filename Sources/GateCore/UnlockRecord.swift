extension PreferenceKey where Value == Int {
  /// How long a finger opens the app after the last password, in seconds.
  public static var passwordAfterSeconds: Self {
    Self("passwordAfterSeconds", fallback: UnlockRecord.periods[0]) { UnlockRecord.periods.contains($0) }
  }
}

/// What the lock remembers from one run to the next.
public struct UnlockMemory: Hashable, Sendable {
  /// No password is tried before this time of the boot clock, in milliseconds.
  public var notBefore: Int64
  /// When a password was verified last, in seconds since 1970; nothing where that is not known.
  public var passwordAt: Int64?
  /// How many fingers were refused since something opened the app last.
  public var refusedFingers: Int

  /// Puts the three together; without them, nothing is known.
  public init(notBefore: Int64 = 0, passwordAt: Int64? = nil, refusedFingers: Int = 0) {
    self.notBefore = notBefore
    self.passwordAt = passwordAt
    self.refusedFingers = refusedFingers
  }
}

/// Where the lock's memory is kept.
///
/// Main thread.
public struct UnlockMemoryClient: Sendable {
  /// What was saved last; what cannot be read is as good as never saved, so that the password is asked for.
  public var load: @MainActor () -> UnlockMemory
  /// Saves; a failure costs the memory of a few seconds or fingers, and is no more than logged.
  public var save: @MainActor (UnlockMemory) -> Void

  /// Takes the two.
  public init(load: @escaping @MainActor () -> UnlockMemory, save: @escaping @MainActor (UnlockMemory) -> Void) {
    self.load = load
    self.save = save
  }

  /// Remembers for this run only.
  public static var none: UnlockMemoryClient { UnlockMemoryClient(load: { UnlockMemory() }, save: { _ in }) }
}

/// Why a finger does not do, and the password is asked for.
public enum PasswordDue: Hashable, Sendable {
  /// None has been given on this computer so far, as far as is known.
  case first
  /// The last one was given too long ago.
  case period
  /// Too many fingers were refused in a row.
  case refusedFingers
}

/// When the last password was given, how many fingers were refused since, and how long the next try has to wait.
///
/// Main thread. Whatever is unclear (nothing saved, a time in the future, a clock set back) asks for the password.
@MainActor
public final class UnlockRecord {
  /// After so long the password is asked for again: a day, a week; in seconds.
  public nonisolated static let periods = [86_400, 604_800]
  /// After so many refused fingers in a row the password is asked for.
  public nonisolated static let fingersInARow = 5

  private let client: UnlockMemoryClient
  private let preferences: AppPreferences
  private let clock: Clock
  private var memory: UnlockMemory
  /// The password of this run, on the clock that nobody can set, in milliseconds.
  private var passwordAtBoot: Int64?

  /// Reads what was saved.
  public init(client: UnlockMemoryClient, preferences: AppPreferences, clock: Clock) {
    self.client = client
    self.preferences = preferences
    self.clock = clock
    memory = client.load()
    // A file that says more than PAM can say (its delay is a number of 32 bits, in microseconds) is wrong.
    memory.notBefore = min(memory.notBefore, clock.boot() + Int64(UInt32.max) / 1000)
  }

  /// Why a finger does not do now; nothing where it does.
  public var passwordDue: PasswordDue? {
    guard let passwordAt = memory.passwordAt, preferences.isTrusted else { return .first }
    if memory.refusedFingers >= UnlockRecord.fingersInARow { return .refusedFingers }
    let period = Int64(preferences[.passwordAfterSeconds])
    let elapsed = clock.wall() - passwordAt
    guard elapsed >= 0, elapsed < period else { return .period }
    if let passwordAtBoot, clock.boot() - passwordAtBoot >= period * 1000 { return .period }
    return nil
  }

  /// A password was verified.
  public func passwordVerified() {
    passwordAtBoot = clock.boot()
    change {
      $0.passwordAt = clock.wall()
      $0.refusedFingers = 0
      $0.notBefore = 0
    }
  }

  /// A finger was verified.
  public func fingerVerified() { change { $0.refusedFingers = 0 } }

  /// A finger was refused.
  public func fingerRefused() {
    // No further than where it says all that it can say.
    change { $0.refusedFingers = min($0.refusedFingers + 1, UnlockRecord.fingersInARow) }
  }

  /// No password is tried before this time of the boot clock, in milliseconds.
  public var notBefore: Int64 {
    get { memory.notBefore }
    set { change { $0.notBefore = newValue } }
  }

  private func change(_ body: (inout UnlockMemory) -> Void) {
    let old = memory
    body(&memory)
    if memory != old { client.save(memory) }
  }
}
