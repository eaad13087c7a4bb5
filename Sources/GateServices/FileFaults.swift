import GLibKit
import GateCore
import Glibc

extension FileFault {
  /// The fault behind an error number.
  init(_ error: SystemError) {
    switch error.code {
    case EACCES, EPERM: self = .noPermission
    case EROFS: self = .readOnly
    case ENOSPC, EDQUOT: self = .noSpace
    case ENOENT: self = .missing
    default: self = .other(code: error.code)
    }
  }
}

extension Files {
  /// Runs file calls and turns their error into a fault.
  static func faulting<Value>(_ body: () throws(SystemError) -> Value) throws(FileFault) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw FileFault(error)
    }
  }

  /// Whether a file may be replaced: it is not marked read-only itself, and its folder takes new files.
  static func isReplaceable(_ path: String) -> Bool {
    let target = (try? resolved(path)) ?? path
    if exists(target), !isWritable(target) { return false }
    let folder = folder(of: target)
    return !exists(folder) || isWritable(folder)
  }
}
