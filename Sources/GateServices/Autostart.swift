import GLibKit
import GateCore

/// Whether the app starts at login: a desktop entry in the user's autostart folder.
public struct Autostart: Sendable {
  private static let group = "Desktop Entry"
  private let path: String
  private let program: String

  /// Whether it does.
  public enum State: Hashable, Sendable {
    case on
    case off
    /// The entry is there and cannot be read.
    case unreadable(FileFault)
  }

  /// Starts this program, by its name on PATH or its absolute path.
  public init(_ paths: AppPaths, program: String) {
    path = paths.autostart
    self.program = program
  }

  /// Looks at the entry; one that the desktop's own settings have switched off counts as off.
  public var state: State {
    do throws(FileFault) {
      let entry = try read()
      let isHidden = entry.text("Hidden", in: Self.group) == "true"
      let isOff = entry.text("X-GNOME-Autostart-enabled", in: Self.group) == "false"
      return isHidden || isOff ? .off : .on
    } catch {
      return error == .missing ? .off : .unreadable(error)
    }
  }

  /// Writes or removes the entry.
  public func set(_ isOn: Bool) throws(FileFault) {
    guard Files.isReplaceable(path) else { throw .readOnly }
    try Files.faulting { () throws(SystemError) in
      guard isOn else { return try Files.remove(path) }
      try Files.makeFolder(Files.folder(of: path))
      try Files.write(entry.content, to: path, mode: 0o644)
    }
  }

  private func read() throws(FileFault) -> KeyFile {
    try ConfigFile.read(path, group: Self.group) { $0 == FileFacts.ourUser || $0 == 0 }
  }

  private var entry: KeyFile {
    let entry = KeyFile()
    let lines = [
      ("Type", "Application"), ("Name", "App Gates"), ("Exec", Self.quoted(program)),
      ("Icon", "io.github.appgates.AppGates"), ("X-GNOME-Autostart-enabled", "true"),
    ]
    for (key, value) in lines { entry.set(key, in: Self.group, to: value) }
    return entry
  }

  /// An argument as the Desktop Entry Specification quotes it.
  static func quoted(_ argument: String) -> String {
    let plain = argument.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || [UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
    }
    if plain, !argument.isEmpty { return argument }
    var quoted = "\""
    for character in argument {
      switch character {
      case "\"", "`", "$", "\\": quoted += "\\" + String(character)
      case "%": quoted += "%%"
      default: quoted.append(character)
      }
    }
    return quoted + "\""
  }
}
