import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

/// A folder of a test's own, which goes with it.
final class Scratch: Sendable {
  let path: String

  init() {
    let folder = (NSTemporaryDirectory() as NSString).standardizingPath
    var name = Array((folder + "/app-gates-test-XXXXXX").utf8CString)
    path = String(cString: mkdtemp(&name))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The app's paths with this folder as the home.
  var paths: AppPaths {
    AppPaths(xdg: XdgPaths { ["HOME": self.path, "XDG_CONFIG_DIRS": self.path + "/etc"][$0] })
  }

  func write(_ text: String, to path: String, mode: Int = 0o600) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, mode_t(mode))
  }

  func read(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// The names in the folder of a file.
  func names(beside path: String) -> [String] {
    let folder = (path as NSString).deletingLastPathComponent
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  func mode(_ path: String) -> UInt32? { (try? Files.facts(path))?.mode }
}

/// Root passes over permission bits, and alone may give files away.
let isRoot = geteuid() == 0

/// The fault that the body throws.
@MainActor
func fault(_ body: () throws(FileFault) -> Void) -> FileFault? {
  do throws(FileFault) {
    try body()
    return nil
  } catch {
    return error
  }
}

/// Runs GLib's loop beside Swift's own.
///
/// Under `swift test` the MainActor's jobs run on whichever thread drains libdispatch's main queue, and GLib's default
/// context can be run by any thread, one at a time: so a job that runs the context is its thread for as long as it
/// does, and the callbacks in it are on the MainActor. `MainLoop.run` alone does for callbacks. For async functions
/// the job has to make way for others: short turns, each waiting in GLib's own poll, with a yield between them.
@MainActor
func pumping<Value: Sendable>(_ body: @escaping @MainActor () async throws -> Value) async throws -> Value {
  var isDone = false
  let task = Task { @MainActor in
    defer { isDone = true }
    return try await body()
  }
  while !isDone {
    MainLoop.run(atMost: 2) { isDone }
    await Task.yield()
  }
  return try await task.value
}
