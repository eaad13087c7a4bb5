import GLibKit
import GateCore

extension DesktopSession {
  /// The desktop as logind and the desktop's own lock screen tell of it, followed for as long as this is kept.
  ///
  /// Never blocks; where nobody tells, nothing happens.
  public static func live() -> DesktopSession {
    let watch = DesktopWatch()
    return DesktopSession(
      events: watch.events, delaysSleep: { watch.delay.isWanted = $0 }, readyForSleep: { watch.readyForSleep() })
  }
}

/// Makes the desktop's events out of what several services say.
@MainActor
final class DesktopWatch {
  let events = Listeners<DesktopEvent>()
  let delay = SleepDelay()

  /// The screen savers and lock screens that tell: GNOME, KDE and others by the common name, Xfce, MATE, Cinnamon.
  static let savers = [
    "org.gnome.ScreenSaver", "org.freedesktop.ScreenSaver", "org.xfce.ScreenSaver", "org.mate.ScreenSaver",
    "org.cinnamon.ScreenSaver",
  ]
  /// How long the computer waits at most until what was shown is off the screen, in milliseconds.
  ///
  /// logind itself waits for five seconds; a window that is not shown draws nothing.
  private static let longestDelay: Int64 = 500

  private(set) var login: LoginSession?
  private var saverWatches: [DBusWatch] = []
  /// Who says that the screen is locked.
  private var lockers: Set<String> = []
  private var isAway = false
  private var isSleeping = false
  private var patience: Timer?

  init() {
    login = LoginSession { [weak self] in self?.heard($0) }
    saverWatches = DesktopWatch.savers.map { name in
      // Any path: KDE's is another than the specification's.
      DBusWatch(
        .session, service: name, [DBusMatch(interface: name, member: "ActiveChanged")],
        present: { [weak self] isPresent in if !isPresent { self?.screen(name, isLocked: false) } },
        heard: { [weak self] signal in
          if let isLocked = signal.arguments[0]?.bool { self?.screen(name, isLocked: isLocked) }
        })
    }
  }

  /// What was shown is off the screen.
  func readyForSleep() {
    guard isSleeping else { return }
    patience = nil
    delay.isReleased = true
  }

  private func heard(_ news: LoginSession.News) {
    switch news {
    case .present(let isPresent):
      delay.isPossible = isPresent
      // Nobody would tell of the end of a sleep any more.
      if !isPresent { wake() }
    case .lockRequested: events.notify(.lockRequested)
    case .screenLocked(let isLocked): screen(LoginSession.service, isLocked: isLocked)
    case .active(let isActive): active(isActive)
    case .preparesForSleep(let isPreparing): isPreparing ? goToSleep() : wake()
    }
  }

  /// Told at each word that it is locked: the app may have been opened since the last.
  private func screen(_ locker: String, isLocked: Bool) {
    if isLocked {
      lockers.insert(locker)
      events.notify(.screenLocked)
    } else if lockers.remove(locker) != nil, lockers.isEmpty {
      events.notify(.screenUnlocked)
    }
  }

  private func active(_ isActive: Bool) {
    if !isActive {
      isAway = true
      events.notify(.switchedAway)
    } else if isAway {
      isAway = false
      events.notify(.switchedBack)
    }
  }

  private func goToSleep() {
    // Once: logind's property may say so after its signal has.
    guard !isSleeping else { return }
    isSleeping = true
    patience = MainLoop.after(DesktopWatch.longestDelay) { [weak self] in self?.readyForSleep() }
    events.notify(.goingToSleep)
  }

  private func wake() {
    guard isSleeping else { return }
    isSleeping = false
    patience = nil
    delay.isReleased = false
    events.notify(.awake)
  }
}
