import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

@MainActor
struct PreferencesClientTests {
  let scratch = Scratch()
  var path: String { scratch.paths.preferences }
  let shown = "~/.config/app-gates/preferences.ini"
  let copy = "preferences.ini.damaged-20260430T120000Z"

  private func client() -> PreferencesClient {
    .live(PreferencesFile(scratch.paths, wall: { 1_777_550_400 }))
  }

  @Test func absent() throws {
    let found = client().load()
    #expect(found.state == .absent)
    #expect(found.values.isEmpty)
    #expect(found.path == shown)
    #expect(scratch.names(beside: path).isEmpty, "looking makes nothing")
  }

  @Test func savesAndReads() throws {
    try client().save(["biometricEnabled": "true", "ratingPromptDates": "1;2;"])
    let found = client().load()
    #expect(found.state == .sound)
    #expect(found.values == ["biometricEnabled": "true", "ratingPromptDates": "1;2;"])
    #expect(scratch.mode(path) == 0o600)
    #expect(scratch.mode((path as NSString).deletingLastPathComponent) == 0o700)
    #expect(scratch.names(beside: path) == ["preferences.ini"])
  }

  @Test func mergesIntoTheFileAsItIsNow() throws {
    let client = client()
    try client.save(["one": "1"])
    try scratch.write("# by hand\n[preferences]\none=1\nunknown=kept\n", to: path)
    try client.save(["two": "2"])
    #expect(try scratch.read(path) == "# by hand\n\n[preferences]\none=1\nunknown=kept\ntwo=2\n")
  }

  @Test(arguments: [
    "", "no key file", "[other]\na=b\n", "[preferences]\nbroken", "[preferences]\na=\0\n",
    "[preferences]\n" + String(repeating: "#", count: 1 << 20),
  ])
  func damagedIsKeptAndTheLockIsOn(_ content: String) throws {
    try scratch.write(content, to: path)
    let found = client().load()
    #expect(found.state == .repaired(copy: "~/.config/app-gates/" + copy))
    #expect(found.values == ["biometricEnabled": "true"])
    #expect(scratch.names(beside: path) == ["preferences.ini", copy])
    #expect(try scratch.read(path + String(copy.dropFirst(15))) == content)
    let again = client().load()
    #expect(again.state == .sound)
    #expect(again.values == ["biometricEnabled": "true"])
    #expect(scratch.mode(path) == 0o600)
  }

  @Test func notUTF8IsDamaged() throws {
    try scratch.write("", to: path)
    try Data([0x5b, 0xff, 0x5d]).write(to: URL(fileURLWithPath: path))
    #expect(client().load().state == .repaired(copy: "~/.config/app-gates/" + copy))
  }

  @Test func aFolderInItsPlaceIsMovedAside() throws {
    try scratch.write("mine", to: path + "/inside")
    #expect(client().load().state == .repaired(copy: "~/.config/app-gates/" + copy))
    #expect(try scratch.read(path + String(copy.dropFirst(15)) + "/inside") == "mine")
    #expect(client().load().values == ["biometricEnabled": "true"])
  }

  @Test func aPipeInItsPlaceIsMovedAside() throws {
    try Files.makeFolder((path as NSString).deletingLastPathComponent)
    mkfifo(path, 0o600)
    #expect(client().load().state == .repaired(copy: "~/.config/app-gates/" + copy))
  }

  @Test func twoDamagesInASecondKeepTwoCopies() throws {
    for _ in 0..<2 {
      try scratch.write("junk", to: path)
      _ = client().load()
    }
    #expect(scratch.names(beside: path) == ["preferences.ini", copy, copy + "-2"])
  }

  @Test func aDamagedFileBehindALinkIsRepairedThere() throws {
    let target = scratch.path + "/dotfiles/preferences.ini"
    try scratch.write("junk", to: target)
    try Files.makeFolder((path as NSString).deletingLastPathComponent)
    symlink(target, path)
    #expect(client().load().state == .repaired(copy: "~/dotfiles/" + copy))
    #expect(Files.linkTarget(path) == target)
    #expect(client().load().state == .sound)
  }

  @Test func repairWithoutExchange() throws {
    let (old, fresh) = (scratch.path + "/old", scratch.path + "/fresh")
    try scratch.write("old", to: old)
    try scratch.write("fresh", to: fresh)
    try Files.tradeInSteps(old, with: fresh)
    #expect(try scratch.read(old) == "fresh")
    #expect(try scratch.read(fresh) == "old")
    #expect(scratch.names(beside: old) == ["fresh", "old"])
  }

  @Test func damageBetweenLoadAndSave() throws {
    let client = client()
    try client.save(["biometricEnabled": "false", "onboardingCompleted": "true"])
    try scratch.write("junk", to: path)
    try client.save(["ratingActions": "1"])
    let found = client.load()
    #expect(found.values == ["biometricEnabled": "true", "onboardingCompleted": "true", "ratingActions": "1"])
    #expect(scratch.names(beside: path).contains(copy))
  }

  @Test func deletedBetweenLoadAndSaveLosesNothing() throws {
    let client = client()
    try client.save(["biometricEnabled": "true"])
    try FileManager.default.removeItem(atPath: path)
    try client.save(["ratingActions": "1"])
    #expect(client.load().values == ["biometricEnabled": "true", "ratingActions": "1"])
  }

  @Test func readOnlyFileLoadsAndRefuses() throws {
    try scratch.write("[preferences]\nbiometricEnabled=true\n", to: path, mode: 0o400)
    let client = client()
    #expect(client.load().state == .sound)
    #expect(fault { () throws(FileFault) in try client.save(["biometricEnabled": "false"]) } == .readOnly)
    #expect(try scratch.read(path) == "[preferences]\nbiometricEnabled=true\n")
    #expect(scratch.names(beside: path) == ["preferences.ini"])
  }

  @Test func readOnlyFolderLoadsAndRefuses() throws {
    try scratch.write("[preferences]\na=b\n", to: path)
    let folder = (path as NSString).deletingLastPathComponent
    chmod(folder, 0o500)
    defer { chmod(folder, 0o700) }
    #expect(client().load().state == .sound)
    #expect(fault { () throws(FileFault) in try client().save(["a": "c"]) } == .readOnly)
  }

  @Test func damagedAndReadOnlyIsNotTouched() throws {
    try scratch.write("junk", to: path, mode: 0o400)
    #expect(client().load().state == .unreadable(.damaged))
    #expect(scratch.names(beside: path) == ["preferences.ini"])
  }

  @Test(.enabled(if: isRoot, "only root can give a file away"))
  func foreignOwner() throws {
    try scratch.write("[preferences]\nbiometricEnabled=false\n", to: path)
    chown(path, 12_345, 12_345)
    #expect(client().load().state == .unreadable(.foreignOwner))
    #expect(client().load().values.isEmpty)
    #expect(fault { () throws(FileFault) in try client().save(["a": "c"]) } == .foreignOwner)
    #expect(try scratch.read(path) == "[preferences]\nbiometricEnabled=false\n")
  }

  @Test(.enabled(if: !isRoot, "root reads everything"))
  func noPermission() throws {
    try scratch.write("[preferences]\nbiometricEnabled=false\n", to: path, mode: 0o200)
    #expect(client().load().state == .unreadable(.noPermission))
    #expect(fault { () throws(FileFault) in try client().save(["a": "c"]) } == .noPermission)
    #expect(scratch.names(beside: path) == ["preferences.ini"])
  }

  @Test func aFileWhereTheFolderShouldBe() throws {
    try scratch.write("", to: (path as NSString).deletingLastPathComponent)
    #expect(client().load().state == .unreadable(.other(code: ENOTDIR)))
    #expect(fault { () throws(FileFault) in try client().save(["a": "c"]) } != nil)
  }

  @Test func peekingChangesNothing() throws {
    try scratch.write("junk", to: path)
    #expect(PreferencesClient.peek(scratch.paths).state == .unreadable(.damaged))
    #expect(scratch.names(beside: path) == ["preferences.ini"])
  }

  @Test(arguments: [("", FileFault.empty), ("junk", .damaged)])
  func safeModeRepairsNothing(_ content: String, _ expected: FileFault) throws {
    try scratch.write(content, to: path)
    let client = PreferencesClient.careful(scratch.paths)
    #expect(client.load().state == .unreadable(expected))
    #expect(fault { () throws(FileFault) in try client.save(["a": "b"]) } == expected)
    #expect(scratch.names(beside: path) == ["preferences.ini"])
    #expect(try scratch.read(path) == content)
    try FileManager.default.removeItem(atPath: path)
    #expect(client.load().state == .absent)
    try client.save(["a": "b"])
    #expect(client.load().values == ["a": "b", "biometricEnabled": "true"], "no lock off for a file that is gone")
  }

  @Test func safeModeKeepsTheLockOfADeletedFile() throws {
    try scratch.write("[preferences]\nbiometricEnabled=true\n", to: path)
    let client = PreferencesClient.careful(scratch.paths)
    #expect(client.load().state == .sound)
    try FileManager.default.removeItem(atPath: path)
    try client.save(["a": "b"])
    #expect(client.load().values == ["a": "b", "biometricEnabled": "true"])
  }

  @Test func safeModeFollowsTheFile() throws {
    try scratch.write("[preferences]\nbiometricEnabled=false\n", to: path)
    let client = PreferencesClient.careful(scratch.paths)
    _ = client.load()
    var told: [PreferencesSnapshot] = []
    let watch = client.watch { told.append($0) }
    try scratch.write("[preferences]\nbiometricEnabled=true\n", to: path)
    MainLoop.run(atMost: 5_000) { !told.isEmpty }
    #expect(told.last?.values == ["biometricEnabled": "true"])
    try scratch.write("junk", to: path)
    MainLoop.run(atMost: 5_000) { told.count > 1 }
    #expect(told.last?.state == .unreadable(.damaged))
    #expect(scratch.names(beside: path) == ["preferences.ini"])
    withExtendedLifetime(watch) {}
  }

  @Test func tellsOfChangesByHandOnly() throws {
    let client = client()
    try client.save(["one": "1"])
    var told: [PreferencesSnapshot] = []
    let watch = client.watch { told.append($0) }
    try client.save(["one": "2"])
    try scratch.write("[preferences]\none=3\n", to: path)
    MainLoop.run(atMost: 5_000) { !told.isEmpty }
    #expect(told.map(\.values) == [["one": "3"]])
    try FileManager.default.removeItem(atPath: path)
    MainLoop.run(atMost: 5_000) { told.count > 1 }
    #expect(told.last?.state == .absent)
    try scratch.write("junk", to: path)
    MainLoop.run(atMost: 5_000) { told.count > 2 }
    #expect(told.last?.values == ["biometricEnabled": "true"])
    withExtendedLifetime(watch) {}
  }

  @Test func ownWritesAreNotTold() throws {
    let client = client()
    try client.save(["one": "1"])
    var told = 0
    let watch = client.watch { _ in told += 1 }
    // A second watch, which tells of every change, shows when the first has had its chance.
    var seen = false
    let control = FileMonitor(path, quiet: 400) { seen = true }
    try client.save(["one": "2"])
    MainLoop.run(atMost: 5_000) { seen }
    #expect(seen)
    #expect(told == 0)
    withExtendedLifetime((watch, control)) {}
  }
}
