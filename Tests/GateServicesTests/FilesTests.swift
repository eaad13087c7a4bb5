import Foundation
import GLibKit
import Testing

struct FilesTests {
  let scratch = Scratch()

  @Test func writesWholeAndForTheUserAlone() throws {
    let path = scratch.path + "/file"
    try Files.write([1, 2, 3], to: path)
    try Files.write([4], to: path)
    #expect(try Files.read(path, limit: 10) == [4])
    #expect(scratch.mode(path) == 0o600)
    #expect(scratch.names(beside: path) == ["file"], "no temporary file stays")
  }

  @Test func aLinkStays() throws {
    let target = scratch.path + "/deep/target"
    let link = scratch.path + "/link"
    try Files.makeFolder(scratch.path + "/deep")
    symlink("deep/target", link)
    try Files.write([7], to: link)
    #expect(Files.linkTarget(link) == "deep/target")
    #expect(try Files.read(target, limit: 10) == [7])
  }

  @Test func aCircleOfLinksIsAnError() {
    symlink("b", scratch.path + "/a")
    symlink("a", scratch.path + "/b")
    #expect(throws: SystemError(code: ELOOP)) { try Files.write([], to: scratch.path + "/a") }
  }

  @Test func readingHasALimit() throws {
    let path = scratch.path + "/file"
    try Files.write([UInt8](repeating: 0, count: 11), to: path)
    #expect(throws: SystemError(code: EFBIG)) { try Files.read(path, limit: 10) }
    #expect(try Files.read(path, limit: 11).count == 11)
  }

  @Test func aPipeDoesNotHoldUp() {
    mkfifo(scratch.path + "/pipe", 0o600)
    #expect(throws: SystemError(code: EINVAL)) { try Files.read(scratch.path + "/pipe", limit: 10) }
    #expect(throws: SystemError(code: EISDIR)) { try Files.read(scratch.path, limit: 10) }
    #expect(throws: SystemError(code: ENOENT)) { try Files.read(scratch.path + "/none", limit: 10) }
  }

  @Test func appendingRefusesALink() throws {
    let path = scratch.path + "/log"
    try Files.append([1], to: path)
    try Files.append([2], to: path)
    #expect(try Files.read(path, limit: 10) == [1, 2])
    symlink(path, scratch.path + "/link")
    #expect(throws: SystemError(code: ELOOP)) { try Files.append([3], to: scratch.path + "/link") }
  }

  @Test func readOnlyByItsBitsForRootToo() throws {
    let path = scratch.path + "/file"
    try Files.write([], to: path)
    #expect(Files.isWritable(path))
    try Files.setMode(path, 0o400)
    #expect(!Files.isWritable(path))
  }

  @Test func swapsNames() throws {
    let one = scratch.path + "/one"
    try Files.write([1], to: one)
    try Files.makeFolder(scratch.path + "/folder")
    try Files.exchange(one, with: scratch.path + "/folder")
    #expect(try Files.facts(one).kind == .folder)
    #expect(try Files.read(scratch.path + "/folder", limit: 10) == [1])
  }
}
