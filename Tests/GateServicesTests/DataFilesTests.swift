import GLibKit
import Testing

@testable import GateServices

struct DataFilesTests {
  let scratch = Scratch()

  @Test func installed() throws {
    try Files.makeFolder(scratch.path + "/usr/share/app-gates")
    let files = DataFiles(program: scratch.path + "/usr/bin/app-gates")
    #expect(files.place == .installed(prefix: scratch.path + "/usr"))
    #expect(files.helper == scratch.path + "/usr/libexec/app-gates/app-gates-auth")
    #expect(files.path("css/app.css") == scratch.path + "/usr/share/app-gates/css/app.css")
    #expect(files.icons == scratch.path + "/usr/share/icons")
  }

  @Test func checkout() throws {
    try Files.makeFolder(scratch.path + "/data/pam.d")
    try Files.write([], to: scratch.path + "/Package.swift")
    let files = DataFiles(program: scratch.path + "/.build/x86_64/release/app-gates")
    #expect(files.place == .checkout(root: scratch.path))
    #expect(files.path("legal/en/terms.md") == scratch.path + "/data/legal/en/terms.md")
    #expect(files.helper == scratch.path + "/.build/x86_64/release/app-gates-auth")
  }
}
