import Foundation
import GLibKit
import Testing

/// Tests/Fakes/fake_logind.py on the private bus, told what happens and asked what was asked of it.
@MainActor
final class FakeLogind {
  private let scratch = Scratch()
  private let input = Pipe()
  private let process = Process()
  private var log: String { scratch.path + "/log" }

  /// Starts it, and returns when it bears its name.
  init(isGraphical: Bool = true, session: String = "c1", isActive: Bool = true) throws {
    let tests = ((#filePath as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      tests + "/Fakes/fake_logind.py",
      """
      {"uid": \(getuid()), "user": "user", "session": "\(session)", "active": \(isActive), "graphical": \(isGraphical)}
      """,
    ]
    process.standardInput = input
    try scratch.write("", to: log)
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
    try process.run()
    waitFor("ready")
  }

  /// How often it has said that something happened.
  func count(_ event: String) -> Int {
    let lines = ((try? scratch.read(log)) ?? "").split(separator: "\n")
    return lines.count { $0.hasPrefix("[\"\(event)\"") && $0.hasSuffix("]") }
  }

  /// Gives a command, as JSON, and returns when it has been carried out.
  func tell(_ command: String) {
    let before = count("done")
    input.fileHandleForWriting.write(Data((command + "\n").utf8))
    #expect(MainLoop.look(atMost: 20_000) { self.count("done") > before }, "\(command)")
  }

  func waitFor(_ event: String, number: Int = 1) {
    #expect(MainLoop.look(atMost: 20_000) { self.count(event) >= number }, "\(event), \(number)")
  }

  func freeze(_ isFrozen: Bool) { kill(process.processIdentifier, isFrozen ? SIGSTOP : SIGCONT) }

  func end() {
    // SIGTERM is blocked in what is started from here.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

extension MainLoop {
  /// Runs the loop until something holds that does not wake it, such as what another process has written.
  @MainActor
  static func look(atMost milliseconds: Int64, until condition: () -> Bool) -> Bool {
    let end = Time.boot + milliseconds
    while !condition() {
      if Time.boot >= end { return false }
      MainLoop.run(atMost: 5) { false }
    }
    return true
  }
}
