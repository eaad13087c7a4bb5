import CGLib

/// Where a user's files lie, by the XDG Base Directory Specification.
///
/// Read from the environment when made: GLib's own functions keep the first answer for the life of the process. A
/// value that is not absolute is ignored, as the specification asks.
public struct XdgPaths: Hashable, Sendable {
  /// The home folder.
  public let home: String
  /// Settings: `$XDG_CONFIG_HOME`, or `~/.config`.
  public let config: String
  /// Data: `$XDG_DATA_HOME`, or `~/.local/share`.
  public let data: String
  /// State such as logs and queues: `$XDG_STATE_HOME`, or `~/.local/state`.
  public let state: String
  /// What may be thrown away: `$XDG_CACHE_HOME`, or `~/.cache`.
  public let cache: String
  /// Sockets and the like, for as long as the user is logged in; nil where the system gives none.
  public let runtime: String?
  /// Settings of the system, the strongest first: `$XDG_CONFIG_DIRS`, or `/etc/xdg`.
  public let configFolders: [String]
  /// Data of the system, the strongest first: `$XDG_DATA_DIRS`, or `/usr/local/share` and `/usr/share`.
  public let dataFolders: [String]

  /// Reads the paths from an environment; that of the process unless another is given.
  public init(environment: (String) -> String? = XdgPaths.variable) {
    func absolute(_ name: String) -> String? {
      environment(name).flatMap { $0.hasPrefix("/") ? XdgPaths.trimmed($0) : nil }
    }
    func list(_ name: String, _ fallback: [String]) -> [String] {
      guard let value = environment(name), !value.isEmpty else { return fallback }
      return value.split(separator: ":").filter { $0.hasPrefix("/") }.map { XdgPaths.trimmed(String($0)) }
    }
    let home = absolute("HOME") ?? String(cString: g_get_home_dir())
    self.home = home
    config = absolute("XDG_CONFIG_HOME") ?? home + "/.config"
    data = absolute("XDG_DATA_HOME") ?? home + "/.local/share"
    state = absolute("XDG_STATE_HOME") ?? home + "/.local/state"
    cache = absolute("XDG_CACHE_HOME") ?? home + "/.cache"
    runtime = absolute("XDG_RUNTIME_DIR")
    configFolders = list("XDG_CONFIG_DIRS", ["/etc/xdg"])
    dataFolders = list("XDG_DATA_DIRS", ["/usr/local/share", "/usr/share"])
  }

  /// A variable of the process's environment.
  public static func variable(_ name: String) -> String? {
    g_getenv(name).map { String(cString: $0) }
  }

  /// Without the slashes at the end, which would show up in messages.
  private static func trimmed(_ path: String) -> String {
    var path = Substring(path)
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}
