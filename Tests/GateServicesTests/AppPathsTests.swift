import GLibKit
import Testing

@testable import GateServices

struct AppPathsTests {
  private let paths = AppPaths(
    xdg: XdgPaths { ["HOME": "/home/ada", "XDG_CONFIG_DIRS": "/one:/two", "XDG_DATA_DIRS": "/three"][$0] })

  @Test func whereFilesLie() {
    #expect(paths.preferences == "/home/ada/.config/app-gates/preferences.ini")
    #expect(paths.todos == "/home/ada/.local/share/app-gates/todos.sqlite3")
    #expect(
      paths.secrets == [
        "/home/ada/.config/app-gates/app-gates.conf", "/one/app-gates/app-gates.conf",
        "/two/app-gates/app-gates.conf", "/three/app-gates/app-gates.conf",
      ])
  }

  @Test func theUsersNameIsNotShown() {
    #expect(paths.display("/home/ada/x") == "~/x")
    #expect(paths.display("/home/ada") == "~")
    #expect(paths.display("/home/adam/x") == "/home/adam/x")
  }
}
