import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

@MainActor
let desktopTests = Suite(
  "Desktop",
  [
    Test("locks in the same turn, and takes the prompt away", desktopLocks),
    Test("the computer sleeps once the locked page was drawn", sleepsAfterDrawing),
    Test("a window that is not on the screen holds no sleep up", sleepsAtOnce),
    Test("sleep is held up only where the lock is on", delaysWhereOn),
    Test("the keyring's question puts the grace period off", keyringAsks),
  ])

/// The desktop, moved by hand.
@MainActor
final class HandDesktop {
  private let events = Listeners<DesktopEvent>()
  private(set) var delays = false
  private(set) var ready = 0
  /// Runs when the computer need not wait any more.
  var whenReady: @MainActor () -> Void = {}

  var client: DesktopSession {
    DesktopSession(
      events: events, delaysSleep: { [self] in delays = $0 },
      readyForSleep: { [self] in
        ready += 1
        whenReady()
      })
  }

  func tell(_ event: DesktopEvent) { events.notify(event) }
}

private let locked = "App Gates is locked"
private let lockOn = ["biometricEnabled": "true", "lockAfterSeconds": "300"]

@MainActor
private func desktopLocks() {
  let pairs: [(DesktopEvent, DesktopEvent)] = [
    (.screenLocked, .screenUnlocked), (.switchedAway, .switchedBack), (.goingToSleep, .awake),
  ]
  for (away, back) in pairs {
    let content = Content()
    let play = Play(BiometricGate { content.screen }, in: World(lockOn))
    play.unlock()
    play.world.desktop.tell(away)
    expect(!content.isInWindow && play.shows(locked), "the locked page in this same turn, after \(away)")
    expect(play.world.pam.begun, is: 1, "the checks begun while \(away)")
    play.world.desktop.tell(back)
    expect(!content.isInWindow, "no content after \(back)")
    expect(play.world.pam.begun, is: 2, "the checks begun after \(back)")
    let check = play.world.pam.last
    check?.say(.prompt(text: "Password: ", hidden: true))
    play.world.desktop.tell(away)
    expect(check?.isCancelled ?? false, "the check ended by \(away)")
    expect(Tree.button("Cancel", in: play.root) == nil, "no prompt while \(away)")
    play.press("Unlock")
    // But on the way to sleep, which would cut off what is begun.
    expect(play.world.pam.begun, is: away == .goingToSleep ? 2 : 3, "the checks begun by who is here all the same")
    play.end()
  }
}

@MainActor
private func sleepsAfterDrawing() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn))
  play.unlock()
  guard let clock = need(gtk_widget_get_frame_clock(play.window.widget), "a frame clock") else { return }
  var frames = 0
  let connection = Object(borrowing: UnsafeMutableRawPointer(clock)).on("after-paint") { _ in
    frames += content.isInWindow ? 0 : 1
  }
  var framesWhenReady = -1
  play.world.desktop.whenReady = { framesWhenReady = frames }
  play.world.desktop.tell(.goingToSleep)
  expect(play.world.desktop.ready, is: 0, "words that it may sleep, in this same turn,")
  Stage.until("the word that it may sleep") { play.world.desktop.ready > 0 }
  expect(framesWhenReady >= 1, "a frame without content before that, of \(framesWhenReady)")
  connection.disconnect()
  // A sleep that was called off is waited for no more.
  play.world.desktop.tell(.awake)
  play.world.desktop.tell(.goingToSleep)
  play.world.desktop.tell(.awake)
  Stage.drain()
  expect(play.world.desktop.ready, is: 1, "words that it may sleep")
  play.end()
}

@MainActor
private func sleepsAtOnce() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World(lockOn), shown: false)
  play.world.desktop.tell(.goingToSleep)
  // Not in this same turn: others who listen come first, and let go of what must be let go before sleep.
  expect(play.world.desktop.ready, is: 0, "words that it may sleep, in this same turn,")
  Stage.until("the word that it may sleep") { play.world.desktop.ready == 1 }
  play.end()
}

@MainActor
private func delaysWhereOn() {
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: World())
  expect(!play.world.desktop.delays, "no delay where the lock is off")
  play.world.preferences.set(.biometricEnabled, to: true)
  expect(play.world.desktop.delays, "a delay where it is on")
  play.world.preferences.set(.biometricEnabled, to: false)
  expect(!play.world.desktop.delays, "none any more")
  play.end()
}

@MainActor
private func keyringAsks() {
  let content = Content()
  let world = World(lockOn)
  let play = Play(BiometricGate { AuthGate { content.screen } }, in: world)
  play.unlock()
  var answer: CheckedContinuation<Void, Never>?
  world.whileCreating = { await withCheckedContinuation { answer = $0 } }
  world.preferences.set(.lockAfterSeconds, to: 1)
  play.press("Continue on this computer")
  Stage.until("the keyring's question") { answer != nil }
  world.host.setActive(false)
  expect(play.isCovered, "the cover")
  world.hands.boot += 30_000
  world.host.setActive(true)
  expect(!play.shows(locked), "no lock on the way back from the question")
  world.host.setActive(false)
  answer?.resume()
  Stage.until("the child") { content.made == 1 }
  world.hands.boot += 1000
  world.host.setActive(true)
  expect(play.shows(locked) && !content.isInWindow, "the lock, a second after the question had its answer")
  play.end()
}
