import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

@MainActor
struct ErasureTests {
  let scratch = Scratch()
  private var home: String { scratch.path }
  private var erasure: Erasure { Erasure(scratch.paths) }

  /// What an app that was used for a while has, and what lies beside it.
  private func use() throws {
    let ours = [
      ".config/app-gates/preferences.ini", ".config/app-gates/preferences.ini.damaged-20260101T000000Z",
      ".config/app-gates/preferences.ini.A1B2C3", ".local/share/app-gates/todos.sqlite3",
      ".local/share/app-gates/todos.sqlite3-wal", ".local/share/app-gates/todos-0123456789abcdef.db",
      ".local/share/app-gates/todos.sqlite3.damaged-20260101T000000Z", ".local/share/app-gates/todo-drafts.ini",
      ".local/share/app-gates/session.key", ".local/state/app-gates/lock.ini", ".local/state/app-gates/run",
      ".local/state/app-gates/reports/1/report.json", ".local/state/app-gates/analytics/outbox.jsonl",
      ".local/state/app-gates/crashes/crash-20260101T000000Z-1.txt", ".cache/app-gates/manifest.ini",
      ".config/autostart/io.github.appgates.AppGates.desktop",
    ]
    for path in ours { try scratch.write("private", to: home + "/" + path) }
    for path in others { try scratch.write("not ours", to: home + "/" + path) }
  }

  private let others = [
    ".config/app-gates/app-gates.conf", ".local/share/app-gates/style.css", ".local/share/app-gates/legal/terms.md",
    ".local/share/other/todos.sqlite3", ".local/state/other/run", ".cache/other", "todos.sqlite3",
    ".config/autostart/other.desktop",
  ]

  /// All files below the home, but for the folders.
  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: home).filter {
      var isFolder: ObjCBool = false
      return !FileManager.default.fileExists(atPath: home + "/" + $0, isDirectory: &isFolder) || !isFolder.boolValue
    }.sorted()
  }

  private func ask() throws {
    try erasure.prepare()
    try erasure.commit()
  }

  @Test func nothingIsLeftOfOursAndNothingElseIsTouched() throws {
    try use()
    try ask()
    #expect(erasure.isDue)
    #expect(erasure.finish() == [])
    #expect(try files() == others.sorted())
    #expect(!erasure.isDue)
    #expect(!FileManager.default.fileExists(atPath: home + "/.cache/app-gates"), "an empty folder goes too")
  }

  @Test func nothingHappensBeforeItIsDue() throws {
    try use()
    let before = try files()
    #expect(erasure.finish() == [])
    try erasure.prepare()
    #expect(erasure.finish() == [] && !erasure.isDue)
    erasure.callOff()
    #expect(try files() == before)
    // A link is not the mark, wherever it leads.
    symlink("run", home + "/.local/state/app-gates/erase")
    #expect(!erasure.isDue && erasure.finish() == [])
  }

  @Test func onAFreshComputerThereIsNothingToDelete() throws {
    try ask()
    #expect(erasure.finish() == [])
    #expect(try files() == [])
  }

  @Test func linksAreNotFollowed() throws {
    try use()
    try scratch.write("elsewhere", to: home + "/elsewhere/kept")
    let reports = home + "/.local/state/app-gates/reports"
    symlink(home + "/elsewhere", reports + "/link")
    symlink(home + "/elsewhere/kept", home + "/.local/share/app-gates/todos.backup")
    symlink(home + "/nowhere", home + "/.local/state/app-gates/dangling")
    try ask()
    let left = erasure.finish()
    #expect(
      Set(left) == [
        ErasureFault(path: "~/.local/share/app-gates/todos.backup", .link),
        ErasureFault(path: "~/.local/state/app-gates/dangling", .link),
        ErasureFault(path: "~/.local/state/app-gates/reports/link", .link),
      ])
    #expect(try files() == (others + ["elsewhere/kept"]).sorted())
  }

  @Test func theEntryForTheLoginGoesOutOfALinkedFolderToo() throws {
    try use()
    let autostart = home + "/.config/autostart"
    try FileManager.default.moveItem(atPath: autostart, toPath: home + "/dotfiles")
    symlink(home + "/dotfiles", autostart)
    try ask()
    #expect(erasure.finish() == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: home + "/dotfiles") == ["other.desktop"])
    // What is in its place and is no file of ours is named.
    let entry = home + "/dotfiles/io.github.appgates.AppGates.desktop"
    try FileManager.default.createDirectory(atPath: entry, withIntermediateDirectories: true)
    try ask()
    #expect(erasure.finish().map(\.path) == ["~/.config/autostart/io.github.appgates.AppGates.desktop"])
  }

  @Test func aFolderOfOursThatIsALinkIsRefusedBeforeAnythingGoes() throws {
    try use()
    try FileManager.default.moveItem(atPath: home + "/.local/share/app-gates", toPath: home + "/data")
    symlink(home + "/data", home + "/.local/share/app-gates")
    let before = try files()
    #expect(throws: ErasureFault(path: "~/.local/share/app-gates", .link)) { try erasure.prepare() }
    #expect(try files() == before)
    // One that was put there later is not followed either.
    try FileManager.default.removeItem(atPath: home + "/.local/share/app-gates")
    try ask()
    symlink(home + "/data", home + "/.local/share/app-gates")
    #expect(erasure.finish().map(\.path) == ["~/.local/share/app-gates"])
    #expect(FileManager.default.fileExists(atPath: home + "/data/todos.sqlite3"))
  }

  @Test(.enabled(if: !isRoot || canBeFixed, "root removes everything where no file can be made immutable"))
  func whatCannotBeRemovedIsNamedAndTheRestGoes() throws {
    try use()
    let folder = home + "/.local/state/app-gates/reports/1"
    try hold(folder, true)
    defer { try? hold(folder, false) }
    try ask()
    let left = erasure.finish()
    #expect(left.map(\.path).contains("~/.local/state/app-gates/reports/1/report.json"))
    #expect(try files() == (others + [".local/state/app-gates/reports/1/report.json"]).sorted())
    #expect(!erasure.isDue, "it is not tried again and again")
  }

  @Test(.enabled(if: canOverlay, "needs root, and overlays over two file systems"))
  func onAnOverlayAsLiveSystemsHaveItEverythingGoes() throws {
    let layers = Layers(over: home + "/.local/share/app-gates")
    defer { layers.end() }
    try use()
    try #require(layers.begin())
    // What was there before the overlay lies in its lower layer, what comes now in the upper one.
    let folder = home + "/.local/share/app-gates"
    try scratch.write("private", to: folder + "/todos/new.ini")
    try ask()
    #expect(erasure.finish() == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["legal", "style.css"])
  }

  @Test(.enabled(if: isRoot, "only root can mount"))
  func whatIsMountedStays() throws {
    try use()
    let data = home + "/.local/share/app-gates"
    let (folder, file) = (data + "/todos-mounted", data + "/todos.mounted")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try scratch.write("", to: file)
    try #require(run("mount", "-t", "tmpfs", "-o", "size=64k", "none", folder) == 0)
    defer { _ = run("umount", "-l", folder) }
    try scratch.write("not ours", to: folder + "/kept")
    try #require(run("mount", "--bind", home + "/todos.sqlite3", file) == 0)
    defer { _ = run("umount", "-l", file) }
    try ask()
    let left = erasure.finish()
    let wanted = ["todos-mounted", "todos.mounted"].map {
      ErasureFault(path: "~/.local/share/app-gates/" + $0, .mount)
    }
    #expect(left == wanted)
    #expect(try scratch.read(folder + "/kept") == "not ours")
    #expect(try scratch.read(home + "/todos.sqlite3") == "not ours")
  }

  @Test(.enabled(if: !isRoot || canBeFixed, "root removes everything where no file can be made immutable"))
  func theLockStaysWhereTodosAreLeft() throws {
    try use()
    let kept = home + "/.local/share/app-gates/todos-held"
    try scratch.write("private", to: kept + "/x")
    try hold(kept, true)
    defer { try? hold(kept, false) }
    try ask()
    #expect(erasure.finish().map(\.path).contains("~/.local/share/app-gates/todos-held/x"))
    let left = try files().filter { !others.contains($0) }
    #expect(
      left == [
        ".config/app-gates/preferences.ini", ".config/app-gates/preferences.ini.A1B2C3",
        ".config/app-gates/preferences.ini.damaged-20260101T000000Z", ".local/share/app-gates/todos-held/x",
      ])
    try hold(kept, false)
    try ask()
    #expect(erasure.finish() == [])
    #expect(try files() == others.sorted())
  }

  @Test func theLockStaysWhereTheFolderOfTheTodosIsALinkByThen() throws {
    try use()
    try ask()
    try FileManager.default.moveItem(atPath: home + "/.local/share/app-gates", toPath: home + "/data")
    symlink(home + "/data", home + "/.local/share/app-gates")
    #expect(erasure.finish().map(\.path) == ["~/.local/share/app-gates"])
    #expect(FileManager.default.fileExists(atPath: home + "/.config/app-gates/preferences.ini"))
  }

  @Test func whatBreaksOffGoesOn() throws {
    try use()
    try ask()
    // As after a crash in the middle: some of it is gone, the mark is there.
    try FileManager.default.removeItem(atPath: home + "/.config/app-gates/preferences.ini")
    #expect(erasure.isDue && erasure.finish() == [])
    #expect(try files() == others.sorted())
  }

  @Test func aFullDiskIsSaidBeforeAnythingGoes() throws {
    try use()
    let before = try files()
    // A folder in the way of the mark is as good as no room for it.
    try FileManager.default.createDirectory(
      atPath: home + "/.local/state/app-gates/erase.asked/x", withIntermediateDirectories: true)
    #expect(throws: ErasureFault.self) { try erasure.prepare() }
    #expect(try files() == before)
  }

  private func hold(_ folder: String, _ isHeld: Bool) throws {
    if !isRoot { chmod(folder, isHeld ? 0o500 : 0o700) } else { _ = chattr(isHeld ? "+i" : "-i", folder) }
  }
}

/// Whether the file system of the tests knows files that nobody can change.
private let canBeFixed: Bool = {
  let scratch = Scratch()
  defer { _ = chattr("-i", scratch.path) }
  return withExtendedLifetime(scratch) { chattr("+i", scratch.path) }
}()

private func chattr(_ flag: String, _ path: String) -> Bool { run("chattr", flag, path) == 0 }

/// Whether an overlay can be mounted here.
private let canOverlay: Bool = {
  guard isRoot else { return false }
  let scratch = Scratch()
  let layers = Layers(over: scratch.path + "/folder")
  defer { layers.end() }
  return withExtendedLifetime(scratch) { layers.begin() }
}()

/// An overlay over a folder: what was in it below, on one file system, and what is new above, on another.
private final class Layers {
  private let path: String
  private let below = Scratch()
  private let above = Scratch()

  init(over path: String) { self.path = path }

  func begin() -> Bool {
    let (upper, work) = (above.path + "/upper", above.path + "/work")
    for folder in [below.path, above.path] where run("mount", "-t", "tmpfs", "-o", "size=1m", "none", folder) != 0 {
      return false
    }
    return run("mkdir", "-p", path, upper, work) == 0 && run("cp", "-a", path + "/.", below.path) == 0
      && run(
        "mount", "-t", "overlay", "-o", "lowerdir=\(below.path),upperdir=\(upper),workdir=\(work)", "none", path) == 0
  }

  func end() { for folder in [path, above.path, below.path] { _ = run("umount", "-l", folder) } }
}

private func run(_ arguments: String...) -> Int32 {
  let tool = Process()
  tool.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  tool.arguments = arguments
  tool.standardError = FileHandle.nullDevice
  guard (try? tool.run()) != nil else { return -1 }
  tool.waitUntilExit()
  return tool.terminationStatus
}
