import GLibKit
import GateCore

/// The session's secret in a file that only the user can read, where no Secret Service takes it.
struct SessionKeyFile: Sendable {
  let path: String

  /// Writes the secret, one line.
  func store(_ secret: String) throws(FileFault) {
    if Files.exists(path), !Files.isReplaceable(path) { throw .readOnly }
    try Files.faulting { () throws(SystemError) in
      try Files.makeFolder(Files.folder(of: path))
      try Files.write([UInt8]((secret + "\n").utf8), to: path)
    }
  }

  /// Removes it; none there is no error.
  func remove() throws(FileFault) {
    try Files.faulting { () throws(SystemError) in
      try Files.remove(path)
      let folder = Files.folder(of: path)
      if Files.exists(folder) { try Files.sync(folder: folder) }
    }
  }

  /// Whether it is there.
  ///
  /// A file that cannot be read, is not ours or holds no secret is unavailable, never absent.
  func check() -> SecretPresence {
    do throws(SystemError) {
      guard try Files.facts(path).isOurs else { return .unavailable }
      let content = try Files.read(path, limit: 4096)
      return SessionSecret.isSound(String(decoding: content, as: UTF8.self)) ? .present : .unavailable
    } catch {
      return FileFault(error) == .missing ? .absent : .unavailable
    }
  }
}

/// What the session's secret looks like: 32 random bytes as one line of hexadecimal digits.
enum SessionSecret {
  static func make() -> String? { Random.hex(32) }

  static func isSound(_ text: String) -> Bool {
    let line = text.hasSuffix("\n") ? text.dropLast() : text[...]
    return line.utf8.count == 64 && line.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
