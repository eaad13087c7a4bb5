import CGLib
import Glibc

/// An error number of the operating system, such as ENOENT.
public struct SystemError: Error, Hashable, Sendable {
  /// The number, as in errno.
  public let code: Int32

  /// Takes a number.
  public init(code: Int32) { self.code = code }

  /// The number that the last failed system call on this thread left.
  public static var last: SystemError { SystemError(code: errno) }

  /// The number behind an error of GLib's file functions; EIO where there is none.
  public init(_ error: GLibError) {
    let known: [(GFileError, Int32)] = [
      (G_FILE_ERROR_ACCES, EACCES), (G_FILE_ERROR_PERM, EPERM), (G_FILE_ERROR_ROFS, EROFS),
      (G_FILE_ERROR_NOSPC, ENOSPC), (G_FILE_ERROR_NOENT, ENOENT), (G_FILE_ERROR_NOTDIR, ENOTDIR),
      (G_FILE_ERROR_ISDIR, EISDIR), (G_FILE_ERROR_NAMETOOLONG, ENAMETOOLONG), (G_FILE_ERROR_LOOP, ELOOP),
      (G_FILE_ERROR_MFILE, EMFILE), (G_FILE_ERROR_NFILE, ENFILE), (G_FILE_ERROR_NOMEM, ENOMEM),
    ]
    let match = known.first { error.matches(g_file_error_quark(), Int32(bitPattern: $0.0.rawValue)) }
    code = match?.1 ?? EIO
  }
}

extension SystemError {
  /// The system's own words for the number, in the user's language.
  ///
  /// Any thread.
  public var words: String { String(cString: g_strerror(code)) }
}
