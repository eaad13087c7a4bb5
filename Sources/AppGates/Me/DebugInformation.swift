import GLibKit
import GateCore
import GateServices
import Gates
import GtkKit

/// What helps to find a fault, as text to copy from About: versions, the desktop, how the gates and the secret stand.
///
/// In English, as all that developers read. It holds nothing private: no name, no path, no address, no todo; what comes
/// from the environment is cut down to what names of desktops are made of.
@MainActor
enum DebugInformation {
  /// The text, as things are now.
  static func text(
    isDebugBuild: Bool, gates: [GateReport], store: SecretStore?, standing: SecretReading?,
    environment: (String) -> String? = XdgPaths.variable
  ) -> String {
    let system = SystemFacts.system
    let libraries = Toolkit.libraries
    var lines = [
      "App Gates \(Program.version)" + (isDebugBuild ? " (debug build)" : ""),
      "System: \(system.name) \(system.version)",
      "Desktop: \(plain(environment("XDG_CURRENT_DESKTOP")))",
      "Session: \(plain(environment("XDG_SESSION_TYPE"))), drawn on \(Toolkit.display)",
      "GTK \(Toolkit.version), libadwaita \(libraries.adwaita), GLib \(libraries.glib)",
      "Language: \(plain(SystemFacts.locale))",
      "Session secret: \(secret(store, standing))",
      "",
      "Gates:",
    ]
    lines += gates.map { "- \($0.gate): \($0.decision)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func secret(_ store: SecretStore?, _ standing: SecretReading?) -> String {
    guard let store else { return "none" }
    let word =
      switch standing {
      case nil: "not looked at yet"
      case .present: "present"
      case .absent: "absent"
      case .locked: "locked"
      case .refused: "refused"
      case .unreadable: "unreadable"
      case .noService: "no service"
      case .frozen, .cancelled: "no answer"
      }
    return "\(store.rawValue), \(word)"
  }

  /// A value of the environment, which may hold anything; what is not of the kind is left out.
  private static func plain(_ value: String?) -> String {
    guard let value, !value.isEmpty else { return "unknown" }
    let isPlain =
      value.utf8.count <= 40
      && value.utf8.allSatisfy { byte in
        (97...122).contains(byte | 0x20) || (48...57).contains(byte) || ":_.-@".utf8.contains(byte)
      }
    return isPlain ? value : "unusual"
  }
}
