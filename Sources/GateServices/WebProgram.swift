import GLibKit
import GateCore
import Glibc

/// The program that sends requests, opened when the app starts.
///
/// An upgrade that puts a new one in place while the app runs does not matter: what was opened is what is run.
public final class WebProgram: Sendable {
  let descriptor: Int32

  /// Opens the program.
  ///
  /// Where it is missing, every request ends with `.notInstalled`.
  public init(path: String) {
    descriptor = Files.isExecutable(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// All of the program's environment: where programs lie, and what the system's proxy settings are found by.
  static func environment(_ variable: (String) -> String? = XdgPaths.variable) -> [String] {
    let proxies = ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"]
    let names =
      ["HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "XDG_RUNTIME_DIR", "XDG_CURRENT_DESKTOP"]
      + ["DESKTOP_SESSION", "KDE_FULL_SESSION", "DBUS_SESSION_BUS_ADDRESS"] + proxies + proxies.map { $0.uppercased() }
    return ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"] + names.compactMap { name in variable(name).map { "\(name)=\($0)" } }
  }
}

extension WebClient {
  /// Sends each request with a process of its own.
  public static func live(_ program: WebProgram) -> WebClient {
    WebClient { request, done in
      let exchange = WebExchange(program, request, done: done)
      return { exchange.cancel() }
    }
  }
}
