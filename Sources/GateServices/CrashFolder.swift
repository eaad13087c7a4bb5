import GLibKit
import GateCore

/// The records of crashed runs: `crash-<time>-<process>.new`, and `.txt` once the user has been told.
///
/// Main thread. Only files of the user's own are read.
struct CrashFolder {
  /// So many are kept.
  static let limit = 10
  /// A record of 64 frames has 6 kB.
  private static let sizeLimit = 1 << 16

  let path: String

  /// Where this run writes where it crashes; the folder is made, as far as that can be.
  func place(pid: Int32, at: Int64) -> String {
    try? Files.makeFolder(path)
    return "\(path)/crash-\(UtcTime.compact(at))-\(pid).new"
  }

  /// The newest record that nobody has been told of.
  var untold: CrashReport? { names.last { $0.hasSuffix(".new") }.flatMap(read) }

  /// The record of that name; nothing where it is not there.
  ///
  /// One without words says that there was no room for it.
  func read(_ name: String) -> CrashReport? {
    let file = path + "/" + name
    guard CrashFolder.isRecord(name), let facts = try? Files.facts(file), facts.isOurs,
      let content = try? Files.read(file, limit: CrashFolder.sizeLimit)
    else { return nil }
    return CrashReport(String(decoding: content, as: UTF8.self))
  }

  /// The user knows of them all; the oldest go where there are too many.
  func told() {
    for name in names where name.hasSuffix(".new") {
      try? Files.rename(path + "/" + name, to: path + "/" + name.dropLast(4) + ".txt")
    }
    prune()
  }

  /// Removes the oldest records beyond the limit.
  func prune() {
    for name in names.dropLast(CrashFolder.limit) { try? Files.remove(path + "/" + name) }
  }

  /// In the order of their time.
  private var names: [String] { ((try? Files.names(in: path)) ?? []).filter(CrashFolder.isRecord) }

  private static func isRecord(_ name: String) -> Bool {
    name.hasPrefix("crash-") && !name.utf8.contains(UInt8(ascii: "/"))
      && (name.hasSuffix(".new") || name.hasSuffix(".txt"))
  }
}
