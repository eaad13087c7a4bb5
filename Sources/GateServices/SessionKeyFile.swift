import GLibKit
import GateCore

/// The session's secret in a file that only the user can read, where there is no Secret Service.
struct SessionKeyFile: Sendable {
  let path: String

  /// Writes the secret, one line.
  func store(_ secret: SessionSecret) throws(FileFault) {
    if Files.exists(path), !Files.isReplaceable(path) { throw .readOnly }
    try Files.faulting { () throws(SystemError) in
      try Files.makeFolder(Files.folder(of: path))
      try Files.write([UInt8]((secret.line + "\n").utf8), to: path)
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

  /// Reads it.
  ///
  /// A file that cannot be read, is not ours or holds no secret is unreadable, never absent.
  func read() -> SecretReading {
    do throws(SystemError) {
      guard try Files.facts(path).isOurs else { return .unreadable }
      let content = try Files.read(path, limit: SessionSecret.longest + 2)
      let line = content.last == 10 ? content.dropLast() : content[...]
      return SessionSecret(line: String(decoding: line, as: UTF8.self)).map { .present($0) } ?? .unreadable
    } catch {
      return FileFault(error) == .missing ? .absent : .unreadable
    }
  }
}
