import GLibKit
import GateCore

/// The packager's settings, read again only where a file has changed.
///
/// Main thread. Asked at each return of the user: a watch of folders that are not there would wake the computer every
/// few seconds instead.
@MainActor
final class SecretsWatch {
  private let paths: AppPaths
  private let report: @MainActor (SecretProblem) -> Void
  private var facts: [FileFacts?]

  init(_ paths: AppPaths, report: @escaping @MainActor (SecretProblem) -> Void) {
    self.paths = paths
    self.report = report
    facts = SecretsWatch.look(paths)
  }

  func reload() -> AppSecrets? {
    let now = SecretsWatch.look(paths)
    guard now != facts else { return nil }
    facts = now
    let secrets = AppSecrets(sources: SecretsLoader.load(paths))
    for problem in secrets.problems { report(problem) }
    return secrets
  }

  private static func look(_ paths: AppPaths) -> [FileFacts?] { paths.secrets.map { try? Files.facts($0) } }
}
