import GLibKit
import Glibc

/// The PAM helper, opened when the app starts.
///
/// An upgrade that puts a new helper in place while the app runs does not matter: what was opened is what is run.
public final class HelperProgram: Sendable {
  let descriptor: Int32

  /// Opens the helper.
  ///
  /// Where it is missing, every conversation ends with `.helperMissing`.
  public init(path: String) {
    descriptor = Files.isExecutable(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// All of the helper's environment: where programs lie, and the language in which PAM speaks.
  static func environment(_ variable: (String) -> String? = XdgPaths.variable) -> [String] {
    let languages = ["LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE"]
    return ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
      + languages.compactMap { name in variable(name).map { "\(name)=\($0)" } }
  }
}

/// How long a helper may take, in milliseconds.
public struct HelperDeadlines: Sendable {
  /// To its first packet.
  public var hello: Int64
  /// From an answer, or any other sign of life, to the next; while it waits for an answer there is no limit.
  public var progress: Int64
  /// From its verdict to its exit.
  public var exit: Int64

  /// Sets the three.
  public init(hello: Int64 = 5_000, progress: Int64 = 60_000, exit: Int64 = 2_000) {
    self.hello = hello
    self.progress = progress
    self.exit = exit
  }
}
