import CGLib
import Glibc

/// What a report tells of the computer: names and versions, and nothing that is one person's.
public enum SystemFacts {
  /// The operating system's name and version, from os-release.
  public static var system: (name: String, version: String) { (osInfo("NAME"), osInfo("VERSION_ID")) }

  /// The locale of words, such as `de_DE.UTF-8`.
  public static var locale: String { setlocale(LC_MESSAGES, nil).map { String(cString: $0) } ?? "" }

  private static func osInfo(_ key: String) -> String {
    guard let value = g_get_os_info(key) else { return "" }
    defer { g_free(value) }
    return String(cString: value)
  }
}
