import AppGates
import CGtk
import GLibKit
import GateCore
import Gates
import GateServices
import Glibc
import GtkKit

@MainActor
let rootViewTests = Suite(
  "RootView",
  [
    Test("a returning user falls through: no gate's page is built", returning),
    Test("a newcomer meets each gate once, and the shell at the end", newcomer),
    Test("with todos on disk the shell shows both its pages", withTodos),
    Test("a lock over the shell leaves nothing of it in the window", lockedShell),
    Test("ten runs leave nothing behind", leavesNothing),
  ])

@MainActor
private func returning() {
  let before = GateFaces.built
  let play = Play(RootView(), in: World(World.complete))
  expect(GateFaces.built, is: before, "the pages built")
  expect(play.shows("Account Security"), "the shell")
  play.end()
}

@MainActor
private func newcomer() {
  let before = GateFaces.built
  let play = Play(RootView(), in: World())
  play.press("Skip")
  play.press("Agree")
  play.press("Continue on this computer")
  Stage.until("the shell") { play.shows("Account Security") }
  expect(GateFaces.built - before, is: 3, "the pages built: slides, consent, sign-in")
  play.end()
}

@MainActor
private func withTodos() {
  let folder = temporaryFolder()
  let paths = AppPaths(xdg: XdgPaths { $0 == "HOME" ? folder : nil })
  let world = World(World.complete)
  let play = Play(RootView(), in: world, context: world.context().adding(TodoStores(paths)))
  expect(play.shows("Nothing to do"), "the empty list")
  guard let field = need(Tree.find("GtkEntry", in: play.root).first, "the field") else { return }
  gtk_editable_set_text(gk_editable(field), "Buy milk")
  Tree.emit("activate", of: field)
  expect(play.shows("Buy milk") && !play.shows("Nothing to do"), "the todo in the list")
  play.end()
  let again = World(World.complete)
  let second = Play(RootView(), in: again, context: again.context().adding(TodoStores(paths)))
  expect(second.shows("Buy milk"), "the todo at the next start")
  second.end()
  removeAll(folder)
}

@MainActor
private func lockedShell() {
  let folder = temporaryFolder()
  let paths = AppPaths(xdg: XdgPaths { $0 == "HOME" ? folder : nil })
  let world = World(World.complete.merging(["biometricEnabled": "true"]) { $1 })
  let play = Play(RootView(), in: world, context: world.context().adding(TodoStores(paths)))
  expect(play.shows("App Gates is locked") && !play.holds("Account Security"), "the locked page, and no shell")
  expect(Tree.find("GtkEntry", in: play.root).isEmpty, "nothing of the shell")
  expect(!g_file_exists(paths.todos), "no todo file opened before the lock is")
  play.end()
  removeAll(folder)
}

@MainActor
private func leavesNothing() {
  func once() {
    let play = Play(RootView(), in: World())
    play.press("Skip")
    play.press("Agree")
    play.press("Continue on this computer")
    Stage.until("the shell") { play.shows("Account Security") }
    play.world.host.setActive(false)
    play.world.host.setActive(true)
    play.end()
    // The page about oneself asks for a reader in the background.
    MainLoop.run(atMost: 20) { false }
  }
  once()
  let before = Census()
  for _ in 0..<10 { once() }
  expect(Census(), is: before, "the census")
}

@MainActor
func temporaryFolder() -> String {
  guard let path = g_dir_make_tmp("gtk-tests-XXXXXX", nil) else { return "/nonexistent" }
  defer { g_free(path) }
  return String(cString: path)
}

@MainActor
private func g_file_exists(_ path: String) -> Bool { g_file_test(path, G_FILE_TEST_EXISTS) != 0 }

/// Removes a folder with all that is in it.
@MainActor
func removeAll(_ path: String) {
  if g_file_test(path, G_FILE_TEST_IS_DIR) != 0, let folder = g_dir_open(path, 0, nil) {
    while let name = g_dir_read_name(folder) { removeAll(path + "/" + String(cString: name)) }
    g_dir_close(folder)
  }
  Glibc.remove(path)
}
