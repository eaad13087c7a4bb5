import GLibKit
import GateCore
import Glibc

/// A key file with one group of ours, read with suspicion.
enum ConfigFile {
  /// The most bytes that are read; a file of ours has a few hundred.
  static let limit = 1 << 20

  /// Reads the file.
  ///
  /// Throws `.missing`, `.foreignOwner`, `.empty`, `.noPermission`, `.damaged` (too large, a folder or device, not
  /// UTF-8, not a key file, without the group), or what the disk says.
  static func read(_ path: String, group: String, mayBelongTo isTrusted: (UInt32) -> Bool) throws(FileFault)
    -> KeyFile
  {
    let facts = try Files.faulting { () throws(SystemError) in try Files.facts(path) }
    guard isTrusted(facts.owner) else { throw .foreignOwner }
    guard facts.kind == .file, facts.size <= limit else { throw .damaged }
    let content: [UInt8]
    do throws(SystemError) {
      content = try Files.read(path, limit: limit)
    } catch {
      // It changed under our eyes into what was refused above.
      throw [EFBIG, EISDIR, EINVAL].contains(error.code) ? .damaged : FileFault(error)
    }
    guard !content.isEmpty else { throw .empty }
    guard let file = KeyFile(content), file.has(group: group) else { throw .damaged }
    return file
  }
}
