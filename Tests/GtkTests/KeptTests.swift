import AppGates
import CGtk
import GLibKit
import GateCore
import GateServices
import Gates
import Glibc
import GtkKit

/// What is half-typed, and a new todo that was asked for, in one process.
@MainActor
let keptTests = Suite(
  "Kept",
  [
    Test("a half-typed todo and its cursor come back at the next opening", comesBack),
    Test("quitting while locked keeps what was typed before the lock", quitWhileLocked),
    Test("with the list unreadable, what was kept stays on disk", unreadableList),
    Test("several wishes for a new todo, made before there is a shell, are met once", wishedEarly),
    Test("the host tells of the lock in the turn that locks", tellsOfTheLock),
  ])

/// A home folder, and runs of the app in it.
@MainActor
private final class Home {
  let folder: String
  let paths: AppPaths

  init() {
    let path = g_dir_make_tmp("gtk-tests-XXXXXX", nil)
    let folder = path.map { String(cString: $0) } ?? "/nonexistent"
    g_free(path)
    self.folder = folder
    paths = AppPaths(xdg: XdgPaths { $0 == "HOME" ? folder : nil })
  }

  func play(_ more: [String: String] = [:], request: NewTodoRequest? = nil) -> Play {
    let world = World(World.complete.merging(more) { $1 })
    var context = world.context().adding(TodoStores(paths))
    if let request { context = context.adding(request) }
    return Play(RootView(), in: world, context: context)
  }

  func end() {
    let folder = Files.folder(of: paths.todos)
    for part in ["", "-wal", "-shm"] { Glibc.remove(paths.todos + part) }
    Glibc.remove(paths.todoDrafts)
    for folder in [folder, Files.folder(of: folder), self.folder + "/.local", self.folder] { Glibc.remove(folder) }
    expect(!Files.exists(self.folder), "nothing left of the home folder")
  }
}

@MainActor
private func field(in play: Play) -> OpaquePointer? {
  need(Tree.find("GtkEntry", in: play.root).first, "the field").map { gk_editable($0) }
}

@MainActor
private func type(_ text: String, cursor: Int32, in play: Play) {
  guard let field = field(in: play) else { return }
  gtk_editable_set_text(field, text)
  gtk_editable_set_position(field, cursor)
}

@MainActor
private func typed(in play: Play) -> String {
  guard let field = field(in: play) else { return "" }
  var (start, end): (gint, gint) = (0, 0)
  let isSelected = gtk_editable_get_selection_bounds(field, &start, &end) != 0
  let text = String(cString: gtk_editable_get_text(field))
  return "\(text)|\(gtk_editable_get_position(field))\(isSelected ? " selected" : "")"
}

@MainActor
private func comesBack() {
  let home = Home()
  let first = home.play()
  type("Half a thought", cursor: 4, in: first)
  expect(!Files.exists(home.paths.todoDrafts), "nothing written at a key")
  first.end()
  let second = home.play()
  expect(typed(in: second), is: "Half a thought|4", "text and cursor")
  guard let field = Tree.find("GtkEntry", in: second.root).first else { return }
  expect(second.window.content?.isFocused == true && Widget(borrowing: field).isFocused, "the keyboard in the field")
  Tree.emit("activate", of: field)
  expect(second.shows("Half a thought") && typed(in: second) == "|0", "the todo added, and the field empty")
  expect(!Files.exists(home.paths.todoDrafts), "the draft gone with the todo added")
  second.end()
  home.end()
}

@MainActor
private func quitWhileLocked() {
  let home = Home()
  let lock = ["biometricEnabled": "true"]
  let first = home.play(lock)
  first.unlock()
  type("Half a thought", cursor: 4, in: first)
  first.world.actions["lock"]?()
  expect(first.shows("App Gates is locked"), "the locked page")
  first.end()
  let second = home.play(lock)
  expect(!second.holds("Half a thought"), "nothing of it before the unlock")
  second.unlock()
  expect(typed(in: second), is: "Half a thought|4", "text and cursor")
  second.end()
  home.end()
}

@MainActor
private func unreadableList() {
  let home = Home()
  let first = home.play()
  type("Half a thought", cursor: 4, in: first)
  first.end()
  for part in ["-wal", "-shm"] { Glibc.remove(home.paths.todos + part) }
  expect((try? Files.write(Array("rubbish".utf8), to: home.paths.todos)) != nil, "a damaged list")
  let second = home.play()
  expect(second.shows("Your todos cannot be read"), "the problem")
  second.end()
  Glibc.remove(home.paths.todos)
  let third = home.play()
  expect(typed(in: third), is: "Half a thought|4", "text and cursor")
  third.end()
  home.end()
}

@MainActor
private func wishedEarly() {
  let home = Home()
  let request = NewTodoRequest()
  let play = home.play(["biometricEnabled": "true"], request: request)
  for _ in 0..<3 { request.make() }
  expect(request.isPending && play.shows("App Gates is locked"), "the locked page, and the wish kept")
  play.unlock()
  Stage.until("the wish met") { !request.isPending }
  play.world.actions["me"]?()
  play.world.actions["lock"]?()
  request.make()
  Stage.drain()
  expect(request.isPending, "the next wish kept while locked")
  expect(play.world.host.window?.title, is: "App Gates", "the title")
  play.end()
  home.end()
}

@MainActor
private func tellsOfTheLock() {
  let world = World(["biometricEnabled": "true"])
  expect(world.host.isLocked, "locked until the lock has spoken")
  let content = Content()
  let play = Play(BiometricGate { content.screen }, in: world)
  var told: [Bool] = []
  let listening = world.host.locking.listen { told.append($0) }
  play.unlock()
  expect(told, is: [false], "what was told at the unlock")
  world.actions["lock"]?()
  expect(told, is: [false, true], "what was told at the lock")
  withExtendedLifetime(listening) {}
  play.end()
}
