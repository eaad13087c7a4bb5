import CrashRecord
import GLibKit
import GateCore
import Glibc

/// The marker of the run and the records of crashes, in the user's state folder.
///
/// Main thread. Where the folder cannot be written, the run leaves nothing, and nothing is claimed of it later.
@MainActor
public final class RunJournal {
  private static let sizeLimit = 1 << 14
  private let marker: String
  private let folder: CrashFolder
  private let boot: String
  private let groups: ControlGroup
  private let record: String
  private let wall: Int64

  /// What the last run left.
  public struct Left {
    /// How it ended.
    public var end: RunEnd
    /// What it wrote of itself where it crashed.
    public var crash: CrashReport?
    /// What was on its screen.
    public var gate: String
    /// The crashes so far.
    public var history: CrashHistory
  }

  /// A journal in the app's own folder.
  ///
  /// Nothing is read or made yet but the folder of records.
  public convenience init(_ paths: AppPaths) {
    self.init(paths, boot: Boot.id, groups: ControlGroup(), wall: Time.wall)
  }

  init(_ paths: AppPaths, boot: String, groups: ControlGroup, wall: Int64) {
    marker = paths.run
    folder = CrashFolder(path: paths.crashes)
    self.boot = boot
    self.groups = groups
    self.wall = wall
    record = folder.place(pid: getpid(), at: wall)
  }

  /// Lets a crash of this run leave a record.
  ///
  /// Once, as early as can be. Where it fails, the run goes on without.
  public func watch(version: String) {
    if cr_install(record, version) < 0 {
      Log.warning("A crash of this run leaves no record: \(SystemError.last.words).")
    }
  }

  /// The id of the running build, once a crash is watched for; empty where it has none.
  public static var build: String { String(cString: cr_build()) }

  /// What the last run left; nothing is changed.
  public func look() -> Left { RunJournal.look(marker, folder, boot: boot, groups: groups, wall: wall) }

  /// The same for a look from outside, which makes no folder.
  public static func look(_ paths: AppPaths) -> Left {
    look(
      paths.run, CrashFolder(path: paths.crashes), boot: Boot.id, groups: ControlGroup(), wall: Time.wall)
  }

  private static func look(
    _ marker: String, _ folder: CrashFolder, boot: String, groups: ControlGroup, wall: Int64
  ) -> Left {
    let untold = folder.untold
    guard let run = read(marker) else {
      // A run without a marker of its own, beside another, may have crashed as well.
      guard let untold else { return Left(end: .clean, gate: "", history: CrashHistory()) }
      return Left(end: .crashed(signal: untold.signal), crash: untold, gate: untold.gate, history: CrashHistory())
    }
    let facts = RunEnd.Facts(
      boot: boot, isAlive: isAlive(run), memory: groups.events(of: run.memory.map(\.group)))
    var end = RunEnd(of: run, facts: facts)
    let own = end == .stillRuns ? nil : folder.read(run.record)
    if let own, !end.isCrash { end = .crashed(signal: own.signal) }
    // Without a time of its own, the last word that the run wrote is near.
    let time = own.flatMap { $0.at > 0 ? $0.at : nil } ?? Files.changed(marker) ?? wall
    let history = CrashHistory(run.crashes).after(end, at: end.isCrash ? time : wall)
    guard let untold, own == nil, end.isQuiet else {
      return Left(end: end, crash: own, gate: own?.gate ?? run.gate, history: history)
    }
    // It was shown once and not answered, or is of a run that had no marker; the history has had its part of it.
    return Left(end: .crashed(signal: untold.signal), crash: untold, gate: untold.gate, history: history)
  }

  /// Takes the marker over for this run, unless another run has it.
  public func begin(after left: Left) {
    folder.prune()
    if let run = RunJournal.read(marker), RunJournal.isAlive(run), run.boot == boot { return }
    let run = RunRecord(
      pid: getpid(), started: RunJournal.startTime(of: getpid()) ?? "0", boot: boot,
      record: String(record.split(separator: "/").last ?? ""), crashes: left.history.times, memory: groups.events)
    try? Files.remove(marker)
    let text = run.text
    if text.withCString({ cr_begin_run(marker, $0, strlen($0)) }) < 0, errno != EEXIST {
      Log.warning("The end of this run cannot be told later: \(SystemError.last.words).")
    }
  }

  /// The user has been told of the crashes so far.
  public func told() { folder.told() }

  /// What is on the screen now.
  public func onScreen(_ gate: String) { cr_note_gate(gate) }

  /// The session ends, and the run with it: said at once, since it may not get to its end.
  public func sessionEnds() { cr_note_end("logout") }

  /// The run ends as it should.
  public nonisolated static func end() { cr_end_run() }

  /// The run ends to begin again.
  public nonisolated static func leave(safely: Bool) { cr_leave_run(safely ? "safe" : "again") }

  /// For whoever hears first that the display server is gone; any thread.
  public nonisolated static let displayIsGone: @convention(c) () -> Void = { cr_note_end("display") }

  private static func read(_ marker: String) -> RunRecord? {
    guard let facts = try? Files.facts(marker), facts.isOurs, let content = try? Files.read(marker, limit: sizeLimit)
    else { return nil }
    return RunRecord(String(decoding: content, as: UTF8.self))
  }

  /// Whether the run's process is there; this process may be the run's, begun anew.
  private static func isAlive(_ run: RunRecord) -> Bool {
    run.pid != getpid() && startTime(of: run.pid) == run.started
  }

  /// The 22nd field of the kernel's line; the name before it, in brackets, may hold anything.
  private static func startTime(of pid: Int32) -> String? {
    guard let content = try? Files.read("/proc/\(pid)/stat", limit: 4096), let end = content.lastIndex(of: 41) else {
      return nil
    }
    let fields = String(decoding: content[(end + 1)...], as: UTF8.self).split(separator: " ")
    // A process that has ended and was not waited for yet is gone as well.
    return fields.count > 19 && fields[0] != "Z" ? String(fields[19]) : nil
  }
}
