import GLibKit
import GateCore
import Glibc

/// Deletes all that the app has of the user: todos of every account, drafts, settings, the key file, reports, counted
/// events, records of crashes, what was fetched, and the entry that starts it at login.
///
/// Main thread. It is asked for in one run and done at the start of the next, before anything is opened: what a running
/// program has in memory would be written once more. In between stands a mark on disk, so what breaks off in the middle
/// goes on at the next start. Links are not followed, and nothing but the app's own files is touched; a packager's
/// `app-gates.conf` stays.
@MainActor
public struct Erasure {
  private let paths: AppPaths
  private let folder: String

  /// Names what is the app's own in the folder of settings, and in that of data: both may hold an installation too.
  private static let settings = ["preferences.ini"]
  private static let data = ["todos", "todo-drafts", "session.key"]
  private static let mark = "erase"
  private static let wish = "erase.asked"

  /// Takes where the files lie; nothing is read yet.
  public init(_ paths: AppPaths) {
    self.paths = paths
    folder = Files.folder(of: paths.run)
  }

  /// Makes sure that it can begin, and puts that on disk; `commit` or `callOff` comes next.
  ///
  /// Throws with the path where a folder of the app's is a link or not the user's: nothing is done then.
  public func prepare() throws(ErasureFault) {
    for folder in folders {
      do throws(SystemError) {
        _ = try FolderTree(folder)
      } catch {
        if error.code == ENOENT { continue }
        // With O_DIRECTORY the kernel says "no folder" of a link to one.
        let isLink = Files.linkTarget(folder) != nil
        throw ErasureFault(path: paths.display(folder), isLink ? .link : .file(FileFault(error)))
      }
    }
    do throws(FileFault) {
      try Files.faulting { () throws(SystemError) in
        try Files.makeFolder(folder)
        try Files.write([UInt8]("Everything is to be deleted.\n".utf8), to: folder + "/" + Self.wish)
      }
    } catch {
      throw ErasureFault(path: paths.display(folder), .file(error))
    }
  }

  /// From now on the next start deletes everything; takes no room on the disk.
  public func commit() throws(ErasureFault) {
    do throws(FileFault) {
      try Files.faulting { () throws(SystemError) in
        try Files.rename(folder + "/" + Self.wish, to: folder + "/" + Self.mark)
        try Files.sync(folder: folder)
      }
    } catch {
      throw ErasureFault(path: paths.display(folder), .file(error))
    }
  }

  /// Nothing is to be deleted after all.
  public func callOff() { try? Files.remove(folder + "/" + Self.wish) }

  /// Whether the last run has asked for it, or an earlier start has not come to its end.
  public var isDue: Bool {
    let mark = folder + "/" + Self.mark
    guard Files.linkTarget(mark) == nil, let facts = try? Files.facts(mark) else { return false }
    return facts.isOurs && facts.kind == .file
  }

  /// Deletes everything, where that is due, and returns what is left; nothing is due any more then.
  ///
  /// The settings go last, the lock being one of them, and stay where todos could not be removed: those would lie open.
  public func finish() -> [ErasureFault] {
    guard isDue else { return [] }
    var left: [FolderTree.Left] = []
    // This run's own record of a crash may be open.
    let own = "-\(getpid()).new"
    left += empty(Files.folder(of: paths.todos)) { name in Self.data.contains { name.hasPrefix($0) } }
    // Of a link only that is left what it led to, and nothing leads there now.
    let isBare = left.allSatisfy { if case .link = $0 { true } else { false } }
    left += empty(folder) { $0 != Self.mark && $0 != "crashes" }
    left += empty(Files.folder(of: paths.manifest)) { _ in true }
    left += empty(paths.crashes) { !$0.hasSuffix(own) }
    if isBare {
      left += empty(Files.folder(of: paths.preferences)) { name in Self.settings.contains { name.hasPrefix($0) } }
    }
    // Only where nothing is in them.
    for folder in folders { rmdir(folder) }
    // The folder is everybody's, and may be a link: only this one name in it is ours.
    do throws(SystemError) { try Files.remove(paths.autostart) } catch {
      left.append(.failed(path: paths.autostart, error))
    }
    try? Files.remove(folder + "/" + Self.mark)
    try? Files.sync(folder: folder)
    return left.map { ErasureFault($0, paths) }
  }

  private func empty(_ folder: String, _ isWanted: (String) -> Bool) -> [FolderTree.Left] {
    do throws(SystemError) {
      return try FolderTree(folder).empty(where: isWanted)
    } catch {
      return error.code == ENOENT ? [] : [.failed(path: folder, error)]
    }
  }

  private var folders: [String] {
    [paths.preferences, paths.todos, paths.run, paths.manifest].map { Files.folder(of: $0) }
  }
}

extension ErasureFault {
  fileprivate init(_ left: FolderTree.Left, _ paths: AppPaths) {
    switch left {
    case .failed(let path, let error): self.init(path: paths.display(path), .file(FileFault(error)))
    case .link(let path): self.init(path: paths.display(path), .link)
    case .mount(let path): self.init(path: paths.display(path), .mount)
    }
  }
}
