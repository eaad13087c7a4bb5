/// Something that happens to the desktop's session.
public enum DesktopEvent: Hashable, Sendable {
  /// The desktop, or the user through it, asks all programs to lock.
  case lockRequested
  /// The desktop's own lock screen has come, or its screen saver.
  case screenLocked
  /// It has gone; that opens nothing here.
  case screenUnlocked
  /// The session of another user has come to the front.
  case switchedAway
  /// This one is in front again.
  case switchedBack
  /// The computer is about to sleep.
  case goingToSleep
  /// It has woken up, or does not sleep after all.
  case awake
}

/// The desktop's session, as the lock uses it.
///
/// Main thread.
@MainActor
public struct DesktopSession {
  /// Tells what happens, at once and to all who listen.
  public let events: Listeners<DesktopEvent>
  /// Asks the computer to wait before it sleeps, until `readyForSleep`; or not to wait any more.
  ///
  /// To ask again for what was asked for costs nothing.
  public var delaysSleep: @MainActor (Bool) -> Void
  /// After `goingToSleep`: what was shown is off the screen, and the computer need not wait any more.
  public var readyForSleep: @MainActor () -> Void

  /// Takes the three.
  public init(
    events: Listeners<DesktopEvent>, delaysSleep: @escaping @MainActor (Bool) -> Void,
    readyForSleep: @escaping @MainActor () -> Void
  ) {
    self.events = events
    self.delaysSleep = delaysSleep
    self.readyForSleep = readyForSleep
  }

  /// A desktop that tells nothing and never sleeps.
  public static var silent: DesktopSession {
    DesktopSession(events: Listeners(), delaysSleep: { _ in }, readyForSleep: {})
  }
}
