import GLibKit
import Testing

struct XdgPathsTests {
  private func paths(_ environment: [String: String]) -> XdgPaths { XdgPaths { environment[$0] } }

  @Test func fallbacks() {
    let xdg = paths(["HOME": "/home/ada"])
    #expect(xdg.config == "/home/ada/.config")
    #expect(xdg.data == "/home/ada/.local/share")
    #expect(xdg.state == "/home/ada/.local/state")
    #expect(xdg.configFolders == ["/etc/xdg"])
    #expect(xdg.dataFolders == ["/usr/local/share", "/usr/share"])
    #expect(xdg.runtime == nil)
  }

  @Test func relativeValuesAreIgnored() {
    let xdg = paths(["HOME": "/h", "XDG_CONFIG_HOME": "conf", "XDG_DATA_HOME": "", "XDG_CONFIG_DIRS": "a:/b/:c:/d"])
    #expect(xdg.config == "/h/.config")
    #expect(xdg.data == "/h/.local/share")
    #expect(xdg.configFolders == ["/b", "/d"])
  }

  @Test func absoluteValuesHold() { #expect(paths(["HOME": "/h", "XDG_STATE_HOME": "/s/"]).state == "/s") }
}
