/// What a run leaves for the next one to find, as long as it does not end as it should.
///
/// The text is one `key=value` a line, in ASCII. The first two, `end` and `gate`, are slots of fixed width that the run
/// writes anew; what follows them is written once. Of other keys nothing is made, and a key that is there twice counts
/// the last time.
public struct RunRecord: Hashable, Sendable {
  /// How the run said that it was ending; `running` where it said nothing.
  public var end = "running"
  /// What was on the screen.
  public var gate = ""
  /// The process.
  public var pid: Int32
  /// When the process was started, in the kernel's ticks since boot: a process id is used again.
  public var started: String
  /// The boot that the run belongs to.
  public var boot: String
  /// The name of the record that the run makes where it crashes.
  public var record: String
  /// When runs before this one crashed, one after the other without a good end between, in seconds since 1970.
  public var crashes: [Int64] = []
  /// How often memory had run out in each control group around the run, the innermost first.
  public var memory: [MemoryEvents] = []

  /// Takes what is known when a run begins.
  public init(
    pid: Int32, started: String, boot: String, record: String, crashes: [Int64] = [], memory: [MemoryEvents] = []
  ) {
    self.pid = pid
    self.started = started
    self.boot = boot
    self.record = record
    self.crashes = crashes
    self.memory = memory
  }

  /// Reads the text; nothing where it does not say which process it was, and of which boot.
  public init?(_ text: String) {
    var values: [Substring: Substring] = [:]
    var memory: [MemoryEvents] = []
    for line in text.split(separator: "\n") {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let (key, value) = (line[..<sign], line[line.index(after: sign)...])
      if key == "memory" { memory += MemoryEvents(value).map { [$0] } ?? [] } else { values[key] = value }
    }
    func word(_ key: Substring) -> String { String(values[key]?.prefix { $0 != " " } ?? "") }
    guard let pid = Int32(word("pid")), pid > 0, !word("started").isEmpty, !word("boot").isEmpty else { return nil }
    self.init(
      pid: pid, started: word("started"), boot: word("boot"), record: word("record"),
      crashes: (values["crashes"] ?? "").split(separator: " ").compactMap { Int64($0) }, memory: memory)
    end = word("end")
    gate = word("gate")
  }

  /// The text behind the two slots.
  public var text: String {
    let lines = [
      "pid=\(pid)", "started=\(started)", "boot=\(boot)", "record=\(record)",
      "crashes=" + crashes.map(String.init).joined(separator: " "),
    ]
    return (lines + memory.map { "memory=\($0.count) \($0.group)" }).joined(separator: "\n") + "\n"
  }
}

/// How often the kernel has ended a process of a control group for lack of memory.
public struct MemoryEvents: Hashable, Sendable {
  /// The group's path, from the root of all groups.
  public let group: String
  /// The number.
  public let count: Int64

  /// Puts the two together.
  public init(group: String, count: Int64) {
    self.group = group
    self.count = count
  }

  /// Reads `3 /user.slice`.
  init?(_ text: Substring) {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let count = Int64(parts[0]) else { return nil }
    self.init(group: String(parts[1]), count: count)
  }
}
