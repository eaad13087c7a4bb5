import GLibKit
import Glibc

extension Files {
  /// The name itself, or with a number after it where something bears it already.
  static func freeName(_ path: String) -> String {
    if !exists(path) { return path }
    var number = 2
    while exists("\(path)-\(number)") { number += 1 }
    return "\(path)-\(number)"
  }

  /// Swaps a damaged file and the fresh one that is to replace it, and brings that to disk.
  ///
  /// In one step where the file system can. Elsewhere (NFS, say) the damaged file gets a second name before the fresh
  /// one takes its own, so that nothing is lost; only a folder, which cannot have two names, is moved away first.
  static func trade(_ damaged: String, with fresh: String) throws(SystemError) {
    do throws(SystemError) {
      try exchange(damaged, with: fresh)
    } catch {
      guard [EINVAL, ENOSYS, ENOTTY, EOPNOTSUPP].contains(error.code) else { throw error }
      try tradeInSteps(damaged, with: fresh)
    }
    try sync(folder: folder(of: damaged))
  }

  static func tradeInSteps(_ damaged: String, with fresh: String) throws(SystemError) {
    let aside = freeName(fresh + ".new")
    try rename(fresh, to: aside)
    if (try? link(damaged, as: fresh)) == nil { try rename(damaged, to: fresh) }
    try rename(aside, to: damaged)
  }
}
