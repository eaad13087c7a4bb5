import GLibKit
import GLibShim
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

  /// Starts it with a request that it finds whole, and hands back our end of what it says; nothing where that fails.
  ///
  /// From the main thread: the kernel ends it together with the thread that has started it.
  @MainActor
  func start(_ request: [UInt8]) -> (process: pid_t, channel: OwnedDescriptor)? {
    guard descriptor >= 0 else { return nil }
    var variables: [UnsafePointer<CChar>?] = WebProgram.environment().map { UnsafePointer(strdup($0)) }
    variables.append(nil)
    defer { for variable in variables { free(UnsafeMutableRawPointer(mutating: variable)) } }
    var ours: Int32 = -1
    let process = request.withUnsafeBytes {
      gs_spawn_web(descriptor, $0.baseAddress, $0.count, &variables, &ours)
    }
    return process > 0 ? (process, OwnedDescriptor(taking: ours)) : nil
  }

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
