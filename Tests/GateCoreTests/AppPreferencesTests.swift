import Testing

@testable import GateCore

@MainActor
struct AppPreferencesTests {
  @Test func eachChangeIsSavedAtOnceAndToldAfterwards() {
    let world = World(["onboardingPage": "1", "unknown": "kept"])
    var seen: [Int] = []
    let token = world.preferences.changed.listen { name in
      if name == "onboardingPage" { seen.append(world.preferences[.onboardingPage]) }
    }
    world.preferences.set(.onboardingPage, to: 2)
    #expect(world.file.writes == [["onboardingPage": "2"]])
    #expect(world.file.values["unknown"] == "kept")
    #expect(seen == [2])
    world.preferences.set(.onboardingPage, to: 2)
    #expect(world.file.writes.count == 1)
    withExtendedLifetime(token) {}
  }

  @Test func whatBelongsTogetherIsWrittenTogether() {
    let world = World()
    let heard = Heard(world.preferences.changed)
    world.preferences.set(many: [PreferenceChange(.sessionName, "A"), PreferenceChange(.sessionStore, "file")])
    #expect(world.file.writes == [["sessionName": "A", "sessionStore": "file"]])
    #expect(heard.values == ["sessionName", "sessionStore"])
  }

  @Test func whatCannotBeSavedHoldsForThisRunAndIsSavedLater() {
    let world = World()
    world.file.saveFault = .noSpace
    world.preferences.set(.hideContent, to: false)
    #expect(world.preferences[.hideContent] == false)
    #expect(world.errors == [.preferencesNotSaved(path: "~/p.ini", .noSpace)])
    // The file that others write does not overrule it.
    world.file.change(["hideContent": "true", "onboardingPage": "3"])
    #expect(world.preferences[.hideContent] == false)
    #expect(world.preferences[.onboardingPage] == 3)
    world.file.saveFault = nil
    world.preferences.set(.onboardingPage, to: 1)
    #expect(world.file.values["hideContent"] == "false")
  }

  @Test func theSameFailureOfTheSameKeyIsToldOnce() {
    let world = World()
    world.file.saveFault = .readOnly
    for page in [1, 2, 3] { world.preferences.set(.onboardingPage, to: page) }
    #expect(world.bus.current.map(\.count) == [1])
    world.preferences.set(.biometricEnabled, to: true)
    #expect(world.bus.current.map(\.count) == [2])
    world.file.saveFault = .noSpace
    world.preferences.set(.onboardingPage, to: 2)
    #expect(world.bus.current.count == 2)
    world.file.saveFault = nil
    world.preferences.set(.onboardingPage, to: 1)
    world.file.saveFault = .noSpace
    world.preferences.set(.onboardingPage, to: 2)
    #expect(world.bus.current.map(\.count) == [2, 2])
  }

  @Test func anUnreadableFileIsNotTrustedInThisRun() {
    let world = World(state: .unreadable(.noPermission))
    #expect(world.errors == [.preferencesUnreadable(path: "~/p.ini", .noPermission)])
    #expect(!world.preferences.isTrusted)
    world.file.change(["biometricEnabled": "false", "acceptedConsentVersion": LegalContent.version])
    #expect(!world.preferences.isTrusted)
    #expect(world.preferences[.acceptedConsentVersion] == "")
  }

  @Test func aRepairedFileIsToldOf() {
    let world = World(["biometricEnabled": "true"], state: .repaired(copy: "~/copy"))
    #expect(world.errors == [.preferencesDamaged(copy: "~/copy")])
    #expect(world.preferences.isTrusted)
    #expect(world.preferences[.biometricEnabled])
  }

  /// Others may lock, never unlock: in force, now in the file, what holds then.
  @Test(
    arguments: [
      ("biometricEnabled", "true", "false", "true"), ("biometricEnabled", "true", nil, "true"),
      ("biometricEnabled", "false", "true", "true"), ("biometricEnabled", nil, "nonsense", "nonsense"),
      ("biometricEnabled", "nonsense", "false", "nonsense"), ("hideContent", "true", "false", "true"),
      ("hideContent", nil, "false", nil), ("hideContent", "false", "true", "true"), ("hideContent", "false", nil, nil),
      ("lockAfterSeconds", "15", "300", "15"), ("lockAfterSeconds", "300", "15", "15"),
      ("lockAfterSeconds", "15", "99", "99"), ("lockAfterSeconds", nil, "15", nil),
      ("todoFilter", "open", "done", "done"),
      ("onboardingCompleted", "true", nil, nil),
    ] as [(String, String?, String?, String?)])
  func changesByOthers(_ key: String, _ inForce: String?, _ found: String?, _ holds: String?) {
    let world = World(inForce.map { [key: $0] } ?? [:])
    let heard = Heard(world.preferences.changed)
    world.file.change(key, to: found)
    let key1 = PreferenceKey<String>(key, fallback: "absent")
    #expect(world.preferences[key1] == holds ?? "absent")
    #expect(heard.values == (inForce == holds ? [] : [key]))
  }

  @Test func whatWasIgnoredOnceIsIgnoredAgain() {
    let world = World(["biometricEnabled": "true"])
    world.file.change("biometricEnabled", to: "false")
    world.preferences.set(.onboardingPage, to: 1)
    world.file.change("todoFilter", to: "done")
    #expect(world.preferences[.biometricEnabled])
  }

  @Test(arguments: [PreferencesState.absent, .unreadable(.noPermission), .unreadable(.foreignOwner)])
  func aFileThatGoesTakesNothingAway(_ state: PreferencesState) {
    let world = World(["biometricEnabled": "true", "sessionStore": "file"])
    let heard = Heard(world.preferences.changed)
    world.file.change([:], state: state)
    #expect(world.preferences[.biometricEnabled])
    #expect(world.preferences[.sessionStore] == "file")
    #expect(world.preferences.isTrusted)
    #expect(world.preferences.state == state)
    #expect(heard.count == 0)
  }

  @Test func aDeletedFileIsWrittenWholeAtTheNextChange() {
    let world = World(["biometricEnabled": "true"])
    world.file.change([:], state: .absent)
    world.preferences.set(.onboardingPage, to: 1)
    #expect(world.file.values == ["biometricEnabled": "true", "onboardingPage": "1"])
    #expect(world.preferences.state == .sound)
  }

  @Test func damageWhileRunningLosesNothingAndTurnsTheLockOn() {
    let world = World(["biometricEnabled": "false", "acceptedConsentVersion": "x", "todoFilter": "open"])
    let heard = Heard(world.preferences.changed)
    world.file.change(["biometricEnabled": "true"], state: .repaired(copy: "~/copy"))
    #expect(world.errors == [.preferencesDamaged(copy: "~/copy")])
    #expect(
      world.file.values == ["biometricEnabled": "true", "acceptedConsentVersion": "x", "todoFilter": "open"])
    #expect(heard.values == ["biometricEnabled"])
  }
}
