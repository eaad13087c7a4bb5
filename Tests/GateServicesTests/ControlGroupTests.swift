import GateCore
import Testing

@testable import GateServices

struct ControlGroupTests {
  let scratch = Scratch()

  private func groups(_ line: String) throws -> ControlGroup {
    try scratch.write("9:name=systemd:/other\n" + line + "\n", to: scratch.path + "/own")
    return ControlGroup(own: scratch.path + "/own", root: scratch.path + "/fs")
  }

  private func put(_ group: String, _ text: String) throws {
    try scratch.write(text, to: scratch.path + "/fs" + group + "/memory.events")
  }

  @Test func theInnermostFirst() throws {
    try put("", "oom_kill 9\n")
    try put("/a/b", "low 0\noom 4\noom_kill 2\noom_group_kill 7\n")
    let all = try groups("0::/a/b")
    #expect(all.events == [MemoryEvents(group: "/a/b", count: 2), MemoryEvents(group: "/", count: 9)])
    #expect(all.events(of: ["/a/b", "/a", "/"]) == all.events)
  }

  @Test(arguments: ["0::/../../a", "0::a", "1::/a", "", "0::/none"])
  func whatIsNotThereIsNotCounted(_ line: String) throws {
    try put("/a", "oom 4\n")
    #expect(try groups(line).events.isEmpty)
    #expect(try groups(line).events(of: ["/../fs/a", "/a"]).isEmpty)
  }
}
