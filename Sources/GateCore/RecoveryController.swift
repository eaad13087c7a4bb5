/// What this run does about the end of the last one.
///
/// Main thread.
@MainActor
public final class RecoveryController {
  /// Tells that a question was answered.
  public let changed = Listeners<Void>()
  /// Tells that the frames of the record have got names.
  public let named = Listeners<Void>()
  /// How the last run ended.
  public let end: RunEnd
  /// What it wrote of itself where it crashed.
  public private(set) var crash: CrashReport?
  /// What was on the screen then.
  public let gate: String
  /// Whether this run is in safe mode: the gates as stored, without network and all that can be done without.
  public let isSafe: Bool
  /// Whether safe mode was begun by crashes, and not asked for.
  public let isSafeByCrashes: Bool
  /// Whether that was so for the last run too, which did not crash itself: it was killed.
  public var isSafeAgain: Bool { isSafeByCrashes && !end.isCrash }
  /// Whether the end of the last run is still to be told.
  public private(set) var isToTell: Bool
  /// Whether the page of safe mode is still to be answered.
  public private(set) var isSafePageDue: Bool
  /// Runs when the user has read it.
  private let told: @MainActor () -> Void

  /// Takes what the last run left.
  public init(
    end: RunEnd = .clean, crash: CrashReport? = nil, gate: String = "", history: CrashHistory = CrashHistory(),
    told: @escaping @MainActor () -> Void = {}
  ) {
    self.end = end
    self.crash = crash
    self.gate = gate
    self.told = told
    isSafeByCrashes = history.asksForSafeMode
    isSafe = end == .restarted(safely: true) || isSafeByCrashes
    isToTell = end.isToTell
    isSafePageDue = isSafe
  }

  /// The user has read that the last run ended unexpectedly.
  public func goOn() {
    guard isToTell else { return }
    isToTell = false
    told()
    changed.notify(())
  }

  /// Takes the frames with the names of functions, where there is somebody who knows them.
  public func name(_ frames: [String]) {
    guard crash != nil else { return }
    crash?.frames = frames
    named.notify(())
  }

  /// The user goes on to the app, in safe mode.
  public func useSafely() {
    guard isSafePageDue else { return }
    isSafePageDue = false
    changed.notify(())
  }

  /// The end of the last run as a report tells of it; without a record, it is of this version and of now.
  public func summary(version: AppVersion?, now: Int64) -> CrashSummary {
    let build = crash.map { $0.version + ($0.build.isEmpty || $0.build == "none" ? "" : "+" + $0.build.prefix(12)) }
    return CrashSummary(
      reason: end.name, build: build ?? version?.description ?? "", at: crash?.at ?? now, uptime: crash?.uptime ?? 0,
      gate: crash?.gate ?? gate, frames: crash?.frames ?? [])
  }

  /// What the record says, or what is known without one.
  public var lines: [String] {
    if let crash { return ["end: " + end.name] + crash.lines }
    return ["end: " + end.name] + (gate.isEmpty ? [] : ["gate: " + gate])
  }
}
