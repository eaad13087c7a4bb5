import GLibKit
import GateCore

/// Where reports wait: a key file for each, `reports/<id>.ini` in the app's state folder, readable by the user alone.
///
/// It holds what the user has read before sending, and what has become of it; once a report has arrived, only when and
/// its first line. The server's limits are in `limits.ini` beside. Main thread.
@MainActor
struct ReportOutbox {
  private static let group = "report"
  private static let limitsGroup = "limits"
  private static let allKey = "all"

  let folder: String
  let wall: () -> Int64

  private var limitsPath: String { folder + "/limits.ini" }
  private func path(_ id: String) -> String { "\(folder)/\(id).ini" }

  /// What is there and can be read; a damaged file is put aside as `.damaged-<time>`, and what is no report stays.
  func load() -> (reports: [QueuedReport], limits: RateLimits) {
    let names = (try? Files.names(in: folder)) ?? []
    let reports = names.filter { $0.hasSuffix(".ini") }.map { String($0.dropLast(4)) }.filter(ReportOutbox.isID)
      .compactMap(read)
    return (reports, readLimits())
  }

  func save(_ report: QueuedReport) throws(FileFault) {
    let file = KeyFile()
    for (key, text) in ReportOutbox.keys(of: report) { file.set(key, in: Self.group, to: text) }
    try write(file, to: path(report.id))
  }

  func remove(_ id: String) throws(FileFault) {
    guard Files.exists(path(id)) else { return }
    try Files.faulting { () throws(SystemError) in
      try Files.remove(path(id))
      try Files.sync(folder: folder)
    }
  }

  func saveLimits(_ limits: RateLimits) throws(FileFault) {
    let file = KeyFile()
    for (category, end) in limits.ends.sorted(by: { $0.key < $1.key }) {
      file.set(category == RateLimits.all ? Self.allKey : "category-" + category, in: Self.limitsGroup, to: String(end))
    }
    try write(file, to: limitsPath)
  }

  private func write(_ file: KeyFile, to path: String) throws(FileFault) {
    guard Files.isReplaceable(path) else { throw .readOnly }
    try Files.faulting { () throws(SystemError) in
      try Files.makeFolder(folder)
      try Files.write(file.content, to: path)
    }
  }

  private func read(_ id: String) -> QueuedReport? {
    do throws(FileFault) {
      let file = try ConfigFile.read(path(id), group: Self.group) { $0 == FileFacts.ourUser }
      if let report = QueuedReport(id: id, keys: file.texts(of: Self.group)) { return report }
      throw .damaged
    } catch {
      if error == .damaged || error == .empty {
        try? Files.rename(path(id), to: Files.freeName(path(id) + ".damaged-" + UtcTime.compact(wall())))
      }
      Log.warning("A report that waited could not be read (\(error)); it is not sent.")
      return nil
    }
  }

  private func readLimits() -> RateLimits {
    guard let file = try? ConfigFile.read(limitsPath, group: Self.limitsGroup, mayBelongTo: { $0 == FileFacts.ourUser })
    else { return RateLimits() }
    var ends: [String: Int64] = [:]
    for (key, text) in file.texts(of: Self.limitsGroup) {
      guard let end = Int64(text) else { continue }
      if key == Self.allKey { ends[RateLimits.all] = end }
      if key.hasPrefix("category-") { ends[String(key.dropFirst(9))] = end }
    }
    return RateLimits(ends)
  }

  /// 32 small hexadecimal digits: such a name leads nowhere else.
  fileprivate nonisolated static func isID(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func keys(of report: QueuedReport) -> [(String, String)] {
    var keys = [
      ("madeAt", String(report.madeAt)), ("title", report.title), ("likeness", report.likeness),
      ("state", report.state.text), ("parts", String(report.parts.count)),
    ]
    for (number, part) in report.parts.enumerated() {
      keys += [
        ("kind-\(number)", part.kind.rawValue), ("id-\(number)", part.id), ("payload-\(number)", part.payload),
      ]
    }
    return keys
  }
}

extension ReportStore {
  /// Keeps reports in the user's state folder.
  @MainActor
  public static func live(_ paths: AppPaths, clock: Clock) -> ReportStore {
    let outbox = ReportOutbox(folder: paths.reports, wall: clock.wall)
    return ReportStore(
      load: outbox.load, save: { (report) throws(FileFault) in try outbox.save(report) },
      remove: { (id) throws(FileFault) in try outbox.remove(id) },
      saveLimits: { (limits) throws(FileFault) in try outbox.saveLimits(limits) })
  }
}

extension QueuedReport {
  /// Reads what `keys(of:)` writes; nothing where it does not fit together.
  fileprivate init?(id: String, keys: [String: String]) {
    guard let madeAt = keys["madeAt"].flatMap({ Int64($0) }), let state = keys["state"].flatMap(State.init(text:)),
      let count = keys["parts"].flatMap({ Int($0) }), (0...2).contains(count), (count == 0) == state.isSent
    else { return nil }
    let parts = (0..<count).compactMap { number -> ReportPart? in
      guard let kind = keys["kind-\(number)"].flatMap(ReportPart.Kind.init), let id = keys["id-\(number)"],
        ReportOutbox.isID(id), let payload = keys["payload-\(number)"], !payload.isEmpty
      else { return nil }
      return ReportPart(kind, id: id, payload: payload)
    }
    guard parts.count == count else { return nil }
    self.init(
      id: id, madeAt: madeAt, title: keys["title"] ?? "", likeness: keys["likeness"] ?? "", parts: parts, state: state)
  }
}

extension QueuedReport.State {
  fileprivate var isSent: Bool {
    if case .sent = self { return true }
    return false
  }

  /// As it stands in the file: a word, the moment, and why.
  fileprivate var text: String {
    switch self {
    case .waiting: "waiting"
    case .sent(let at): "sent \(at)"
    case .refused(.status(let status), let at): "refused \(at) status \(status)"
    case .refused(.redirected(let host), let at): "refused \(at) redirected \(host)"
    case .refused(.malformed, let at): "refused \(at) malformed"
    case .refused(.failed, let at): "refused \(at) failed"
    case .undeleted(let was): was.text
    }
  }

  fileprivate init?(text: String) {
    let words = text.split(separator: " ", maxSplits: 3).map(String.init)
    let moment = words.count > 1 ? Int64(words[1]) : nil
    switch (words.first, words.count, moment) {
    case ("waiting", 1, _): self = .waiting
    case ("sent", 2, let at?): self = .sent(at: at)
    case ("refused", 3, let at?) where words[2] == "malformed": self = .refused(.malformed, at: at)
    case ("refused", 3, let at?) where words[2] == "failed": self = .refused(.failed, at: at)
    case ("refused", 3, let at?) where words[2] == "redirected": self = .refused(.redirected(to: ""), at: at)
    case ("refused", 4, let at?) where words[2] == "redirected": self = .refused(.redirected(to: words[3]), at: at)
    case ("refused", 4, let at?) where words[2] == "status":
      guard let status = Int(words[3]) else { return nil }
      self = .refused(.status(status), at: at)
    default: return nil
    }
  }
}
