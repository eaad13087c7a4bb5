import Foundation
import GateCore
import Testing

@testable import GateServices

struct SecretsLoaderTests {
  let scratch = Scratch()
  var users: String { scratch.path + "/.config/app-gates/app-gates.conf" }
  var systems: String { scratch.path + "/etc/app-gates/app-gates.conf" }

  private func loaded() -> [SecretSource] { SecretsLoader.load(scratch.paths).filter { $0.path.hasPrefix("~") } }

  @Test func strongestFirst() throws {
    try scratch.write("[app-gates]\nMIN_APP_VERSION=1\n", to: users)
    try scratch.write("[app-gates]\nMIN_APP_VERSION=2\nTERMS_URL=\n", to: systems)
    let found = loaded()
    #expect(found.map(\.path) == ["~/.config/app-gates/app-gates.conf", "~/etc/app-gates/app-gates.conf"])
    #expect(found.map(\.values) == [["MIN_APP_VERSION": "1"], ["MIN_APP_VERSION": "2", "TERMS_URL": ""]])
    #expect(found.allSatisfy { $0.fault == nil })
  }

  @Test func noneThere() { #expect(loaded().isEmpty) }

  @Test(arguments: [
    ("", FileFault.empty), ("junk", .damaged), ("[preferences]\na=b\n", .damaged), ("[app-gates]\na\0=b\n", .damaged),
  ])
  func oneFaultDoesNotHideTheOthers(_ content: String, _ fault: FileFault) throws {
    try scratch.write(content, to: users)
    try scratch.write("[app-gates]\nTERMS_URL=https://example.org\n", to: systems)
    let found = loaded()
    #expect(found.map(\.fault) == [fault, nil])
    #expect(found.last?.values == ["TERMS_URL": "https://example.org"])
    #expect(try scratch.read(users) == content)
  }

  @Test func readOnlyIsFine() throws {
    try scratch.write("[app-gates]\nTERMS_URL=x\n", to: users, mode: 0o400)
    #expect(loaded().map(\.fault) == [nil])
  }

  @Test(.enabled(if: isRoot, "only root can give a file away"))
  func foreignOwner() throws {
    try scratch.write("[app-gates]\nTERMS_URL=x\n", to: users)
    chown(users, 12_345, 12_345)
    #expect(loaded().map(\.fault) == [.foreignOwner])
    #expect(loaded().map(\.values) == [[:]])
  }

  @Test(.enabled(if: !isRoot, "root reads everything"))
  func noPermission() throws {
    try scratch.write("[app-gates]\nTERMS_URL=x\n", to: users, mode: 0)
    #expect(loaded().map(\.fault) == [.noPermission])
  }
}
