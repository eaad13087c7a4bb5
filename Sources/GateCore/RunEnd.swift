/// How the last run ended.
public enum RunEnd: Hashable, Sendable {
  /// As it should, or there was none.
  case clean
  /// It has not: it runs beside this one.
  case stillRuns
  /// The session ended, and was quicker than the app.
  case logout
  /// The display server went away.
  case displayGone
  /// The computer was restarted, or lost its power.
  case rebooted
  /// On purpose, to begin again.
  case restarted(safely: Bool)
  /// Of a signal, which is named: a trap, a fault, an abort.
  case crashed(signal: String)
  /// Code of a library ended the program.
  case exited
  /// The system ended it since memory had run out.
  case outOfMemory
  /// Something ended it and left no word.
  case unexpected

  /// What the system says about a run that left its marker.
  public struct Facts: Hashable, Sendable {
    /// This boot.
    public var boot: String
    /// Whether the process of the marker still runs, and is not this one.
    public var isAlive: Bool
    /// How often memory has run out by now in the groups that the marker names, as far as they are still there.
    public var memory: [MemoryEvents]

    /// Takes the facts.
    public init(boot: String, isAlive: Bool, memory: [MemoryEvents] = []) {
      self.boot = boot
      self.isAlive = isAlive
      self.memory = memory
    }
  }

  /// Tells how a run ended by its marker, which it left.
  public init(of run: RunRecord, facts: Facts) {
    if facts.isAlive, facts.boot == run.boot {
      self = .stillRuns
      return
    }
    switch run.end {
    case "logout": self = .logout
    case "display": self = .displayGone
    case "again": self = .restarted(safely: false)
    case "safe": self = .restarted(safely: true)
    case "exit": self = .exited
    case let signal where signal.hasPrefix("SIG"): self = .crashed(signal: signal)
    // Another boot comes before all that can be guessed: nothing of it is known to this one.
    case _ where facts.boot != run.boot: self = .rebooted
    case _ where RunEnd.memoryRanOut(run.memory, facts.memory): self = .outOfMemory
    default: self = .unexpected
    }
  }

  /// In the innermost group that is still there: an outer one also counts for the programs beside this one.
  private static func memoryRanOut(_ then: [MemoryEvents], _ now: [MemoryEvents]) -> Bool {
    for before in then {
      if let after = now.first(where: { $0.group == before.group }) { return after.count > before.count }
    }
    return false
  }

  /// Whether the next launch says so before anything else.
  public var isToTell: Bool { isCrash || self == .unexpected }

  /// Whether there is nothing to say about it, and nothing that it asks for.
  public var isQuiet: Bool {
    if case .restarted = self { return false }
    return !isToTell
  }

  /// Whether it counts towards safe mode; what a user has ended by force does not.
  public var isCrash: Bool {
    switch self {
    case .crashed, .exited, .outOfMemory: true
    case .clean, .stillRuns, .logout, .displayGone, .rebooted, .restarted, .unexpected: false
    }
  }

  /// Its name for developers and reports.
  public var name: String {
    switch self {
    case .clean: "clean"
    case .stillRuns: "still-runs"
    case .logout: "logout"
    case .displayGone: "display-gone"
    case .rebooted: "rebooted"
    case .restarted(let safely): safely ? "restarted-safely" : "restarted"
    case .crashed(let signal): signal.isEmpty ? "crash" : signal
    case .exited: "exit"
    case .outOfMemory: "out-of-memory"
    case .unexpected: "killed"
    }
  }
}
