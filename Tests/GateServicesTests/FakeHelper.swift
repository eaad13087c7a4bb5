import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

/// The misbehaving helper, built once for all tests from C and our own wire.
enum FakeHelper {
  private static let folder: Scratch = {
    // What is static is never let go of.
    atexit { try? FileManager.default.removeItem(atPath: FakeHelper.folder.path) }
    return Scratch()
  }()

  private static let binary: String? = {
    let tests = (#filePath as NSString).deletingLastPathComponent
    let root = ((tests as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
    let wire = root + "/Sources/AuthWire"
    let binary = folder.path + "/built"
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
      "cc", "-o", binary, root + "/Tests/Fakes/fake_helper.c", wire + "/codec.c", wire + "/channel.c",
      "-I", wire + "/include",
    ]
    guard (try? compiler.run()) != nil else { return nil }
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? binary : nil
  }()

  /// The helper that behaves so.
  static func program(_ mode: String) throws -> HelperProgram {
    let binary = try #require(binary, "the fake helper needs a C compiler, cc, on PATH")
    let path = folder.path + "/" + mode
    // Two tests may want the same: the name is there then.
    link(binary, path)
    return HelperProgram(path: path)
  }
}

/// What a conversation has told, in words that tests can compare.
@MainActor
final class Recording {
  var events: [String] = []
  var result: Result<VerifiedBy, VerifyFault>?
  var finishes = 0
  var onPrompt: ((Recording) -> Void)?
  var conversation: (any PamConversation)?

  func take(_ event: PamEvent) {
    if result != nil { events.append("late") }
    switch event {
    case .prompt(let text, let hidden):
      events.append((hidden ? "hidden " : "visible ") + text)
      onPrompt?(self)
    case .info(let text): events.append("info " + text)
    case .error(let text): events.append("error " + text)
    case .delay(let milliseconds): events.append("delay \(milliseconds)")
    case .finished(let result):
      self.result = result
      finishes += 1
    }
  }

  func answer(_ text: String) { Array(text.utf8).withUnsafeBytes { conversation?.answer($0) } }
}
