import GLibKit
import GateCore

/// What `app-gates --status` prints: each gate with its decision and reason, the files read, the version.
///
/// It reads the disk as it stands and changes nothing: no repair, no folder made, no service started. It holds no todo,
/// no title, no name and no secret, so it may be read while the app is locked.
@MainActor
public struct StatusReport {
  private let paths: AppPaths
  private let version: String
  private let clock: Clock

  /// A report on the files at these paths, for a program of this version.
  public init(_ paths: AppPaths, version: String, clock: Clock) {
    self.paths = paths
    self.version = version
    self.clock = clock
  }

  /// The report on the gates of these names, outermost first, as indented JSON.
  public func text(gates: [String]) -> String {
    let sources = SecretsLoader.load(paths)
    let secrets = AppSecrets(sources: sources)
    let snapshot = PreferencesClient.peek(paths)
    // A bus of its own: what is wrong with the files is in the report, and not to be posted.
    let preferences = AppPreferences(client: .peeking(snapshot), bus: AppErrorBus())
    let left = RunJournal.look(paths)
    let reports = GateReports.all(
      gates: gates, preferences: preferences, secrets: secrets, running: AppVersion(version), clock: clock,
      manifest: ManifestFile(path: paths.manifest).load(), last: left.end, history: left.history)
    return Json.object([
      ("version", .text(version)),
      ("gates", .list(reports.map(Self.json))),
      ("files", .list([Self.json(snapshot)] + sources.map(Self.json))),
      ("problems", .list(secrets.problems.map(Self.json))),
    ]).written(pretty: true)
  }

  private static func json(_ report: GateReport) -> Json {
    .object([("gate", .text(report.gate)), ("decision", .text(report.decision)), ("reason", .text(report.reason))])
  }

  private static func json(_ snapshot: PreferencesSnapshot) -> Json {
    let state =
      switch snapshot.state {
      case .absent: "absent"
      case .sound: "sound"
      case .repaired: "damaged"
      case .unreadable(let fault): word(fault)
      }
    return .object([("path", .text(snapshot.path)), ("state", .text(state))])
  }

  private static func json(_ source: SecretSource) -> Json {
    .object([("path", .text(source.path)), ("state", .text(source.fault.map(word) ?? "sound"))])
  }

  private static func json(_ problem: SecretProblem) -> Json {
    .object([
      ("path", .text(problem.path)), ("key", .optional(problem.key)), ("expected", .text(problem.expected)),
    ])
  }

  private static func word(_ fault: FileFault) -> String {
    switch fault {
    case .damaged: "damaged"
    case .empty: "empty"
    case .noPermission: "no permission"
    case .foreignOwner: "belongs to another user"
    case .readOnly: "read-only"
    case .noSpace: "no space"
    case .missing: "absent"
    case .tooNew: "of a newer version"
    case .other(let code): "error \(code)"
    }
  }
}
