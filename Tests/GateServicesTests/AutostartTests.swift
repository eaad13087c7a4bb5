import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

@MainActor
struct AutostartTests {
  let scratch = Scratch()
  private var path: String { scratch.paths.autostart }
  private var autostart: Autostart { Autostart(scratch.paths, program: "/opt/my apps/app-gates") }

  @Test func onAndOff() throws {
    #expect(autostart.state == .off)
    try autostart.set(true)
    #expect(autostart.state == .on)
    #expect(try scratch.read(path).contains("Exec=\"/opt/my apps/app-gates\"\n"))
    #expect(scratch.names(beside: path) == ["io.github.appgates.AppGates.desktop"])
    try autostart.set(false)
    #expect(autostart.state == .off)
    #expect(scratch.names(beside: path).isEmpty)
    try autostart.set(false)
  }

  @Test(arguments: ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
  func switchedOffElsewhere(_ line: String) throws {
    try scratch.write("[Desktop Entry]\nType=Application\n\(line)\n", to: path)
    #expect(autostart.state == .off)
    try autostart.set(true)
    #expect(autostart.state == .on)
  }

  @Test func whatCannotBeRead() throws {
    try scratch.write("junk", to: path)
    #expect(autostart.state == .unreadable(.damaged))
    chmod(path, 0o400)
    #expect(fault { () throws(FileFault) in try autostart.set(true) } == .readOnly)
  }

  @Test(arguments: [
    ("app-gates", "app-gates"), ("/a b", "\"/a b\""), ("/100%", "\"/100%%\""),
    ("/a$b`c\"d\\e", "\"/a\\$b\\`c\\\"d\\\\e\""),
  ])
  func quoting(_ argument: String, _ quoted: String) { #expect(Autostart.quoted(argument) == quoted) }
}
