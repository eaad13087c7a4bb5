import AppGates
import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

/// `RootView` with one line taken out.
private struct WithoutLock: Screen {
  var body: any Screen {
    ErrorBoundary {
      UpdateGate {
        OnboardingGate {
          ConsentGate {
            AuthGate {
              MainShell()
            }
          }
        }
      }
    }
  }
  func mount(in context: GateContext) -> Mount { body.mount(in: context) }
  var outline: [String] { body.outline }
}

/// `RootView` with one line moved to the outside.
private struct UpdateOutermost: Screen {
  var body: any Screen {
    UpdateGate {
      ErrorBoundary {
        BiometricGate {
          OnboardingGate {
            ConsentGate {
              AuthGate {
                MainShell()
              }
            }
          }
        }
      }
    }
  }
  func mount(in context: GateContext) -> Mount { body.mount(in: context) }
  var outline: [String] { body.outline }
}

@MainActor
let nestingTests = Suite(
  "Nesting",
  [
    Test("outlines read from the outside in", outlines),
    Test("without BiometricGate a newcomer passes, and nothing locks", withoutLock),
    Test("without BiometricGate the shell offers no lock", noLockRows),
    Test("with UpdateGate outermost a newcomer passes", updateOutermost),
    Test("with UpdateGate outermost a forced update stands above lock and card", updateAboveAll),
  ])

@MainActor
private func outlines() {
  expect(
    RootView().outline,
    is: [
      "ErrorBoundary", "RecoveryGate", "BiometricGate", "SafeModeGate", "UpdateGate", "OnboardingGate", "ConsentGate",
      "AuthGate",
    ], "RootView")
  expect(
    WithoutLock().outline, is: ["ErrorBoundary", "UpdateGate", "OnboardingGate", "ConsentGate", "AuthGate"],
    "the nesting without the lock")
  expect(
    UpdateOutermost().outline,
    is: ["UpdateGate", "ErrorBoundary", "BiometricGate", "OnboardingGate", "ConsentGate", "AuthGate"],
    "the nesting with updates outermost")
}

/// Passes the gates that a newcomer meets.
@MainActor
private func pass(_ play: Play) {
  expect(play.shows("Locked when you are away"), "the first slide")
  play.press("Skip")
  expect(play.shows("Before you begin"), "the consent page")
  play.press("Agree")
  expect(play.shows("Welcome, Sam"), "the sign-in page")
  play.press("Continue on this computer")
  Stage.until("the shell") { play.shows("Account Security") }
}

@MainActor
private func withoutLock() {
  // The preference of the gate that is not there means nothing.
  let world = World(["biometricEnabled": "true"], secrets: ["LATEST_APP_VERSION": "1.1"])
  let play = Play(WithoutLock(), in: world)
  expect(play.shows("A new version is available"), "the update prompt first")
  play.press("Later")
  pass(play)
  world.host.setActive(false)
  world.hands.boot += 3_600_000
  world.host.setActive(true)
  expect(!play.shows("App Gates is locked") && play.shows("Account Security"), "the shell, an hour later")
  expect(Tree.styled("gate-cover", in: play.root).isEmpty, "no cover")
  expect(world.actions["lock"] == nil, "no action that locks")
  world.bus.post(.todosNotSaved(.noSpace))
  Stage.until("the card") { play.shows("Something went wrong") }
  play.press("Try again")
  Stage.until("the shell") { play.shows("Account Security") }
  play.end()
}

@MainActor
private func noLockRows() {
  for hasLock in [true, false] {
    let world = World(World.complete)
    let play = hasLock ? Play(RootView(), in: world) : Play(WithoutLock(), in: world)
    // All of the tree: rows on a page that is not in front count too.
    let words = Tree.find("GtkLabel", in: play.root).map { String(cString: gtk_label_get_text(OpaquePointer($0))) }
    for row in ["App Lock", "Lock After", "Hide Content When Not in Front"] {
      expect(words.contains(row), is: hasLock, "the row “\(row)”, with\(hasLock ? "" : "out") the gate, there")
    }
    expect(words.contains("Signed in as Sam"), "the session's row")
    play.end()
  }
}

@MainActor
private func updateOutermost() {
  let world = World(secrets: ["LATEST_APP_VERSION": "1.1"])
  let play = Play(UpdateOutermost(), in: world)
  expect(play.shows("A new version is available"), "the update prompt first")
  play.press("Skip this version")
  pass(play)
  world.host.setActive(false)
  expect(Tree.styled("gate-cover", in: play.root).contains { gtk_widget_get_visible($0) != 0 }, "the cover")
  world.host.setActive(true)
  play.end()
}

@MainActor
private func updateAboveAll() {
  let world = World(["biometricEnabled": "true"], secrets: ["MIN_APP_VERSION": "2"])
  let play = Play(UpdateOutermost(), in: world)
  expect(play.shows("This version is too old"), "the forced page")
  expect(world.pam.begun, is: 0, "the password checks")
  world.bus.post(.todosNotSaved(.noSpace))
  Stage.drain()
  expect(play.shows("This version is too old") && !play.shows("Something went wrong"), "the forced page still")
  play.end()
  // One that comes late parks what is locked, and gives it back locked.
  let other = World(World.complete.merging(["biometricEnabled": "true"]) { $1 }, secrets: ["LATEST_APP_VERSION": "2"])
  let late = Play(UpdateOutermost(), in: other)
  late.press("Later")
  expect(late.shows("App Gates is locked"), "the locked page")
  other.hands.wall += UpdateController.rest
  other.host.setActive(true)
  expect(late.shows("A new version is available") && !late.shows("App Gates is locked"), "the prompt above the lock")
  late.press("Skip this version")
  expect(late.shows("App Gates is locked") && !late.shows("Account Security"), "the locked page again")
  late.end()
}
