import Glibc

/// What the file system says of a file, without opening it.
public struct FileFacts: Hashable, Sendable {
  /// What kind of thing it is.
  public enum Kind: Hashable, Sendable {
    case file
    case folder
    /// A pipe, socket or device.
    case other
  }

  /// What kind of thing it is, links followed.
  public let kind: Kind
  /// The user who owns it.
  public let owner: UInt32
  /// The permission bits, such as 0o600.
  public let mode: UInt32
  /// The size in bytes.
  public let size: Int64
  /// Its number in the file system: another one after it was replaced.
  public let number: UInt64
  /// When its content or its facts changed last, in nanoseconds since 1970.
  public let changedAt: Int64

  init(_ found: stat) {
    switch found.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    owner = found.st_uid
    mode = found.st_mode & 0o7777
    size = Int64(found.st_size)
    number = UInt64(found.st_ino)
    changedAt = Int64(found.st_ctim.tv_sec) * 1_000_000_000 + Int64(found.st_ctim.tv_nsec)
  }

  /// The user of this process, by number.
  public static var ourUser: UInt32 { geteuid() }

  /// Whether it belongs to the user of this process.
  public var isOurs: Bool { owner == FileFacts.ourUser }
}
