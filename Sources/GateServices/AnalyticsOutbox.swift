import GLibKit
import GateCore

/// Where counted events wait to be sent: `events.jsonl` in the app's state folder, one JSON object a line.
///
/// The shape is PostHog's capture format. `distinct_id` is random, made with the first event, and says nothing about
/// user or machine. Whoever calls `append` has the user's consent; nothing is sent from here. Main thread.
@MainActor
public final class AnalyticsOutbox {
  private let folder: String
  private let version: String
  private let limit: Int

  /// An outbox in the app's own folder, for events of this version of the app.
  public convenience init(_ paths: AppPaths, version: String) {
    self.init(folder: paths.analytics, version: version, limit: 1 << 20)
  }

  /// The limit is in bytes.
  init(folder: String, version: String, limit: Int) {
    self.folder = folder
    self.version = version
    self.limit = limit
  }

  private var events: String { folder + "/events.jsonl" }
  private var identity: String { folder + "/id" }

  /// Puts the events at the end; where the file would grow above 1 MiB, the oldest half of it goes.
  public func append(_ new: [AnalyticsEvent]) throws(FileFault) {
    guard !new.isEmpty else { return }
    try Files.faulting { () throws(SystemError) in
      try Files.makeFolder(folder)
      let id = try distinctId()
      let lines = new.map { line($0, id) + "\n" }.joined()
      try makeRoom(for: lines.utf8.count)
      try Files.append([UInt8](lines.utf8), to: events)
    }
  }

  /// Removes all that waits, and the id with it: the next event comes from somebody new.
  public func erase() throws(FileFault) {
    try Files.faulting { () throws(SystemError) in
      try Files.remove(events)
      try Files.remove(identity)
    }
  }

  private func line(_ event: AnalyticsEvent, _ id: String) -> String {
    Json.object([
      ("event", .text(event.name.rawValue)),
      ("timestamp", .text(UtcTime.iso(event.at))),
      ("distinct_id", .text(id)),
      ("properties", .object([("$lib", "app-gates"), ("app_version", .text(version))])),
    ]).written(pretty: false)
  }

  private func distinctId() throws(SystemError) -> String {
    if let kept = try? Files.read(identity, limit: 64), kept.count == 32 {
      return String(decoding: kept, as: UTF8.self)
    }
    guard let id = Random.hex(16) else { throw SystemError(code: 5) }
    try Files.write([UInt8](id.utf8), to: identity)
    return id
  }

  private func makeRoom(for count: Int) throws(SystemError) {
    guard let size = try? Files.facts(events).size, Int(size) + count > limit else { return }
    let content = (try? Files.read(events, limit: limit * 2)) ?? []
    let late = content.suffix(limit / 2)
    // From the start of a line on.
    let kept = late.firstIndex(of: UInt8(ascii: "\n")).map { late[(late.index(after: $0))...] } ?? []
    try Files.write([UInt8](kept), to: events)
  }
}
