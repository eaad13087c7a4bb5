import GLibKit
import GateCore

/// Where counted events wait to be sent, and where the last ones are kept for the user to look at.
///
/// In the app's state folder, mode 0600: `events.jsonl` has those that wait, `sent.jsonl` the last 50 that were sent, one
/// JSON object a line, each exactly as it goes over the wire; `id` has the random number that stands for the user. It is
/// made with the first event, and says nothing about user or machine. Whoever calls `append` has the user's consent;
/// nothing is sent from here. Main thread.
@MainActor
public final class AnalyticsOutbox {
  private let folder: String
  private let version: String
  private let limit: Int

  /// An outbox in the app's own folder, for events of this version of the app; it holds 256 KiB of events, a thousand or
  /// so.
  public convenience init(_ paths: AppPaths, version: String) {
    self.init(folder: paths.analytics, version: version, limit: 1 << 18)
  }

  /// The limit is in bytes.
  init(folder: String, version: String, limit: Int) {
    self.folder = folder
    self.version = version
    self.limit = limit
  }

  private var events: String { folder + "/events.jsonl" }
  private var sent: String { folder + "/sent.jsonl" }
  private var identity: String { folder + "/id" }

  /// Puts the events at the end; where the file would grow too large, the oldest half of it goes.
  public func append(_ new: [AnalyticsEvent]) throws(FileFault) {
    guard !new.isEmpty else { return }
    try Files.faulting { () throws(SystemError) in
      try Files.makeFolder(folder)
      let id = try distinctId()
      var lines: [String] = []
      for event in new { lines.append(try line(event.name.rawValue, at: event.at, id)) }
      let size = lines.reduce(0) { $0 + $1.utf8.count + 1 }
      let content = (try? Files.read(events, limit: limit * 2)) ?? []
      if content.count + size > limit { return try write(kept(content) + lines, to: events) }
      // A line that a crash has cut short stays by itself, and is left out when the file is read.
      let begin = content.isEmpty || content.last == UInt8(ascii: "\n") ? "" : "\n"
      try Files.append([UInt8]((begin + lines.joined(separator: "\n") + "\n").utf8), to: events)
    }
  }

  /// The oldest events that wait, at most so many; nothing where none does.
  public func next(_ count: Int) -> AnalyticsBatch? {
    let lines = lines(of: events).prefix(count)
    return lines.isEmpty ? nil : AnalyticsBatch(Array(lines))
  }

  /// Takes a batch off those that wait; one that was delivered is kept among the last that were sent.
  ///
  /// Not brought to disk before it returns: an event that comes again after a power cut bears the same `uuid`.
  public func settle(_ batch: AnalyticsBatch, wasDelivered: Bool) throws(FileFault) {
    try Files.faulting { () throws(SystemError) in
      if wasDelivered {
        let last = (lines(of: sent) + batch.lines).suffix(AnalyticsController.historyLimit)
        try write(Array(last), to: sent)
      }
      let gone = Set(batch.lines)
      try write(lines(of: events).filter { !gone.contains($0) }, to: events)
    }
  }

  /// The last events, those that were sent before those that wait.
  public func history(_ count: Int) -> AnalyticsHistory {
    let waiting = lines(of: events).suffix(count)
    return AnalyticsHistory(lines: (lines(of: sent) + waiting).suffix(count), waiting: waiting.count)
  }

  /// Removes all that waits.
  public func eraseWaiting() throws(FileFault) {
    try Files.faulting { () throws(SystemError) in try Files.remove(events) }
  }

  /// Removes everything, the id too: the next event comes from somebody new.
  ///
  /// Answers with the event that asks the server to delete what it has under the id; nothing where there was no id.
  /// PostHog deletes by a private key only, which no app can carry: the event tells whoever has it.
  public func forget(now: Int64) throws(FileFault) -> AnalyticsBatch? {
    try Files.faulting { () throws(SystemError) in
      let request = try keptId.map { id throws(SystemError) in
        AnalyticsBatch([try line("deletion requested", at: now, id)])
      }
      for file in [events, sent, identity] { try Files.remove(file) }
      return request
    }
  }

  private func line(_ name: String, at moment: Int64, _ id: String) throws(SystemError) -> String {
    guard let uuid = Random.uuid() else { throw SystemError(code: 5) }
    return Json.object([
      ("uuid", .text(uuid)),
      ("event", .text(name)),
      ("timestamp", .text(UtcTime.iso(moment))),
      ("distinct_id", .text(id)),
      (
        "properties",
        // The server sees the address that a request comes from; these two tell it to keep and derive nothing.
        .object([
          ("$lib", "app-gates"), ("app_version", .text(version)), ("$ip", .null), ("$geoip_disable", true),
        ])
      ),
    ]).written(pretty: false)
  }

  private var keptId: String? {
    guard let kept = try? Files.read(identity, limit: 64), kept.count == 32 else { return nil }
    return String(decoding: kept, as: UTF8.self)
  }

  private func distinctId() throws(SystemError) -> String {
    if let keptId { return keptId }
    guard let id = Random.hex(16) else { throw SystemError(code: 5) }
    try Files.write([UInt8](id.utf8), to: identity)
    return id
  }

  /// The later half of a file that has grown too large.
  private func kept(_ content: [UInt8]) -> [String] {
    let all = AnalyticsOutbox.lines(content)
    var size = 0
    return all.reversed().prefix { line in
      size += line.utf8.count + 1
      return size <= limit / 2
    }.reversed()
  }

  private func lines(of file: String) -> [String] {
    AnalyticsOutbox.lines((try? Files.read(file, limit: limit * 2)) ?? [])
  }

  private static func lines(_ content: [UInt8]) -> [String] {
    content.split(separator: UInt8(ascii: "\n")).filter {
      $0.first == UInt8(ascii: "{") && $0.last == UInt8(ascii: "}")
    }
    .compactMap { String(validating: $0, as: UTF8.self) }
  }

  private func write(_ lines: [String], to file: String) throws(SystemError) {
    if lines.isEmpty { return try Files.remove(file) }
    try Files.write([UInt8]((lines.joined(separator: "\n") + "\n").utf8), to: file, isDurable: false)
  }
}
