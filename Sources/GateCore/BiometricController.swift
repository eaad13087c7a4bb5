extension PreferenceKey where Value == Bool {
  /// The app lock is on.
  ///
  /// What is not plainly `false` means yes.
  public static var biometricEnabled: Self { Self("biometricEnabled", fallback: false, unclear: true) }
  /// The content is hidden when no window of the app is active.
  public static var hideContent: Self { Self("hideContent", fallback: true) }
}

extension PreferenceKey where Value == Int {
  /// How long after the user has left the app locks, in seconds.
  public static var lockAfterSeconds: Self {
    Self("lockAfterSeconds", fallback: 1) { BiometricController.graces.contains($0) }
  }
}

/// A try to unlock; worth something until the lock is locked anew.
public struct UnlockAttempt: Hashable, Sendable {
  fileprivate let generation: Int
}

/// The app lock: when it locks, what opens it, and when the content is covered.
///
/// Main thread.
///
/// The user is away while no window of the app is active. The cover comes in the same call; at the end of the grace
/// period, by a clock that counts sleep and that nobody can set, the app is locked.
@MainActor
public final class BiometricController {
  /// The grace periods that can be chosen, in seconds.
  public nonisolated static let graces = [1, 15, 60, 300]

  /// What others may change in the file while the app runs: what locks, hides, or locks sooner.
  public nonisolated static let outsideRules = [
    OutsideRule(PreferenceKey<Bool>.biometricEnabled) { !$0 || $1 },
    OutsideRule(PreferenceKey<Bool>.hideContent) { !$0 || $1 },
    OutsideRule(PreferenceKey<Int>.lockAfterSeconds) { $1 <= $0 },
    OutsideRule(PreferenceKey<Int>.passwordAfterSeconds) { $1 <= $0 },
  ]

  /// Whether the content is locked away.
  public private(set) var isLocked: Bool
  /// Whether the cover lies over the content.
  public private(set) var isCovered = false
  /// Whether the user is in the app.
  public private(set) var isActive = false
  /// When the lock locks, on the boot clock in milliseconds; whoever shows it calls `deadlineReached` then.
  public private(set) var deadline: Int64?
  /// Tells that one of these has changed.
  public let changed = Listeners<Void>()
  /// Tells that it locks, before anything that follows from it: whoever asks the user something stops.
  public let closing = Listeners<Void>()

  private let preferences: AppPreferences
  private let clock: Clock
  /// Rises with each lock and unlock.
  private var generation = 0
  private var isCancelled = false
  /// Since when the user has been away; nothing while here, and before the first word about it.
  private var awaySince: Int64?
  /// Since when the grace period is put off, and by how many.
  private var heldSince: Int64?
  private var holds = 0
  /// What keeps the prompt back although a window is active.
  private var pauses: Set<Pause> = []
  private var listening: Listening?

  private enum Pause { case screenLocked, switchedAway, asleep }

  /// Locks at once where the lock is on; `initialLocked` says otherwise, but not where preferences are unreadable.
  public init(initialLocked: Bool?, preferences: AppPreferences, clock: Clock) {
    self.preferences = preferences
    self.clock = clock
    isLocked = !preferences.isTrusted || (initialLocked ?? preferences[.biometricEnabled])
    listening = preferences.changed.listen { [weak self] in self?.preferenceChanged($0) }
  }

  /// Whether the lock is on; always where the preferences could not be read.
  public var isEnabled: Bool { !preferences.isTrusted || preferences[.biometricEnabled] }

  /// Turns the lock on or off; the caller has verified the user.
  ///
  /// Nothing turns it off while it is locked.
  public func setEnabled(_ isEnabled: Bool) {
    guard isEnabled || !isLocked else { return }
    preferences.set(.biometricEnabled, to: isEnabled)
  }

  /// Hears whether any window of the app is active.
  public func setActive(_ isActive: Bool) {
    if isActive { come() } else { leave() }
  }

  /// Locks where the deadline has passed; where the timer was early, tells that it has to be set again.
  public func deadlineReached() {
    guard deadline != nil else { return }
    if isOverdue { close() }
    settle()
  }

  /// Locks now, where the lock is on.
  ///
  /// An attempt that is going on opens nothing any more.
  public func lock() { lock(asks: true) }

  private func lock(asks: Bool) {
    guard isEnabled || isLocked else { return }
    close(asks: asks)
    settle()
  }

  /// Hears what happens to the desktop's session.
  ///
  /// Locks at once, within the grace period too, on all that takes the user away from the computer. What brings them
  /// back opens nothing and uncovers nothing: it only lets the prompt come again. While the desktop's own lock screen
  /// is there, another user, or sleep, nobody is asked, and no fingerprint reader is held that they may need; an
  /// active window says nothing then, since some lock screens leave it so.
  public func heard(_ event: DesktopEvent) {
    switch event {
    // Without a prompt: the desktop's own lock screen is about to come, and may want the fingerprint reader.
    case .lockRequested: lock(asks: false)
    case .screenLocked: leave(for: .screenLocked)
    case .switchedAway: leave(for: .switchedAway)
    case .goingToSleep: leave(for: .asleep)
    case .screenUnlocked: comeBack(from: .screenLocked)
    case .switchedBack: comeBack(from: .switchedAway)
    case .awake: comeBack(from: .asleep)
    }
  }

  /// Whether the desktop's own lock screen, another user or sleep keeps the user from the app.
  ///
  /// A prompt that is shown then has to go.
  public var isPaused: Bool { !pauses.isEmpty }

  /// Whether the user is in the app, as far as the window and the desktop's session tell.
  public var isHere: Bool { isActive && !isPaused }

  /// Whether to ask for the password: locked, the user is here, and has not cancelled since coming.
  public var wantsPrompt: Bool { isLocked && isHere && !isCancelled }

  /// Asks no more until the user comes again or requests it.
  public func promptCancelled() {
    isCancelled = true
    changed.notify(())
  }

  /// Asks again; who can request it is here, whatever the desktop says.
  public func promptRequested() {
    isCancelled = false
    // But for sleep, which would cut off what is begun now.
    pauses.formIntersection([.asleep])
    changed.notify(())
  }

  /// Begins a try; nothing where there is nothing to unlock.
  public func beginAttempt() -> UnlockAttempt? {
    isLocked ? UnlockAttempt(generation: generation) : nil
  }

  /// Whether an attempt could still unlock: no newer lock has overtaken it.
  public func isCurrent(_ attempt: UnlockAttempt) -> Bool { isLocked && attempt.generation == generation }

  /// Unlocks after a try that has succeeded; false where it has been overtaken by a newer lock.
  public func unlock(_ attempt: UnlockAttempt) -> Bool {
    guard isCurrent(attempt) else { return false }
    generation += 1
    isCancelled = false
    // Where the user has gone meanwhile, the cover is there before the content, and a new grace period begins.
    if awaySince != nil {
      awaySince = clock.boot()
      if preferences[.hideContent] {
        isCovered = true
        changed.notify(())
      }
    }
    isLocked = false
    settle()
    return true
  }

  /// Puts the grace period off for something that takes the user away on the app's own behalf, such as the keyring's
  /// question; the cover comes all the same.
  ///
  /// The period begins when the hold is dropped, and at the latest `GraceHold.longest` after it was taken. Nothing
  /// where the user is away already. Nothing else that locks waits for it.
  public func holdGrace() -> GraceHold? {
    guard isActive, !isLocked else { return nil }
    holds += 1
    if holds == 1 { heldSince = clock.boot() }
    return GraceHold { [weak self] in self?.holdEnded() }
  }

  private func holdEnded() {
    holds -= 1
    guard holds == 0 else { return }
    // A deadline that has passed meanwhile has passed.
    if isOverdue { close() }
    if let awaySince { self.awaySince = max(awaySince, min(clock.boot(), holdLimit ?? awaySince)) }
    heldSince = nil
    settle()
  }

  private var holdLimit: Int64? { heldSince.map { $0 + GraceHold.longest } }

  private func leave(for pause: Pause) {
    // Before it locks, so that no prompt comes in between.
    pauses.insert(pause)
    // Also where there is nothing to lock the user is not here: a question lets go of the reader then.
    if isEnabled || isLocked { lock() } else { changed.notify(()) }
  }

  private func comeBack(from pause: Pause) {
    guard pauses.remove(pause) != nil else { return }
    changed.notify(())
  }

  private func come() {
    guard !isActive else { return }
    // Locked first, and told, before the cover goes.
    if isOverdue { close() }
    isActive = true
    if let awaySince, clock.boot() - awaySince >= UnlockController.blip { isCancelled = false }
    awaySince = nil
    settle()
  }

  private func leave() {
    guard awaySince == nil else { return }
    isActive = false
    awaySince = clock.boot()
    settle()
  }

  /// Whether the user has been away for too long; a clock that runs backwards is as good as that.
  private var isOverdue: Bool {
    guard let deadline, let awaySince else { return false }
    let now = clock.boot()
    return now >= deadline || now < awaySince
  }

  private func close(asks: Bool = true) {
    generation += 1
    isCancelled = !asks
    guard !isLocked else { return }
    isLocked = true
    deadline = nil
    closing.notify(())
    changed.notify(())
  }

  /// Brings deadline and cover in line with the rest, and tells.
  private func settle() {
    if let awaySince, isEnabled, !isLocked {
      // While it is held, the period begins at the end of the hold, at the latest.
      let begin = max(awaySince, holdLimit ?? awaySince)
      deadline = begin + Int64(preferences[.lockAfterSeconds]) * 1000
    } else {
      deadline = nil
    }
    isCovered = awaySince != nil && !isLocked && preferences[.hideContent]
    changed.notify(())
  }

  private func preferenceChanged(_ name: String) {
    switch name {
    case PreferenceKey<Bool>.biometricEnabled.name:
      // The grace period of a lock that is turned on while the user is away begins then.
      if awaySince != nil { awaySince = clock.boot() }
      settle()
    case PreferenceKey<Bool>.hideContent.name, PreferenceKey<Int>.lockAfterSeconds.name:
      settle()
    default:
      break
    }
  }
}
