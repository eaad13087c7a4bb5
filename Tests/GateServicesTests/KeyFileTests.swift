import GLibKit
import Testing

struct KeyFileTests {
  @Test(arguments: [
    "", "plain", " both ends ", "line\nbreak\ttab\rreturn", "back\\slash", "1;2;3;", "a\\;b;", "\\\\;", "ä😀", "=", "#x",
  ])
  func textsComeBack(_ text: String) throws {
    let file = KeyFile()
    file.set("key", in: "group", to: text)
    let read = try #require(KeyFile(file.content))
    #expect(read.text("key", in: "group") == text)
  }

  @Test func commentsAndUnknownKeysSurvive() throws {
    let file = try #require(KeyFile(Array("# on top\n[group]\n# mine\nother=1\nkey=2\n\n[more]\nx=y\n".utf8)))
    file.set("key", in: "group", to: "3")
    // GLib sets comments on top apart by an empty line, once.
    let text = "# on top\n\n[group]\n# mine\nother=1\nkey=3\n\n[more]\nx=y\n"
    #expect(String(decoding: file.content, as: UTF8.self) == text)
    #expect(KeyFile(file.content).map { String(decoding: $0.content, as: UTF8.self) } == text)
  }

  @Test(arguments: [[0xff, 0xfe], Array("[group\n".utf8), Array("key=1\n".utf8), Array("[g]\nk=a\0b\n".utf8), [0]])
  func whatIsNoKeyFile(_ content: [UInt8]) { #expect(KeyFile(content) == nil) }
}
