import Glibc

/// A folder that is emptied without following a link: what a link leads to is somebody else's.
///
/// Each step goes from an open folder to a name in it, so that nobody can put a link in the way meanwhile.
public final class FolderTree {
  /// What could not be removed, and why; for a link, that it was one.
  public enum Left: Hashable, Sendable {
    /// The system refused.
    case failed(path: String, SystemError)
    /// The link is gone; what it led to is still there.
    case link(path: String)
    /// A file system, or a file, that is mounted there was left alone.
    case mount(path: String)
  }

  /// Where it lies.
  public let path: String
  private let handle: Int32
  private let device: dev_t

  /// Opens a folder of the user's own; throws ENOENT where there is none, ENOTDIR or ELOOP where it is a link.
  public init(_ path: String) throws(SystemError) {
    self.path = path
    handle = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard handle >= 0 else { throw .last }
    var facts = stat()
    guard fstat(handle, &facts) == 0 else {
      let error = SystemError.last
      close(handle)
      throw error
    }
    device = facts.st_dev
    guard facts.st_uid == FileFacts.ourUser else {
      close(handle)
      throw SystemError(code: EPERM)
    }
  }

  deinit { close(handle) }

  /// Removes what bears one of the names that are wanted, folders with all that is in them; returns what is left.
  ///
  /// The removals are on disk when it returns, as far as the disk takes that.
  public func empty(where isWanted: (String) -> Bool = { _ in true }) -> [Left] {
    let left = FolderTree.empty(handle, path, device, isWanted)
    fsync(handle)
    return left
  }

  private static func empty(_ folder: Int32, _ path: String, _ device: dev_t, _ isWanted: (String) -> Bool) -> [Left] {
    let names: [String]
    do throws(SystemError) {
      names = try FolderTree.names(folder)
    } catch {
      return [.failed(path: path, error)]
    }
    return names.filter(isWanted).flatMap { remove($0, in: folder, path + "/" + $0, device) }
  }

  private static func remove(_ name: String, in folder: Int32, _ path: String, _ device: dev_t) -> [Left] {
    var facts = stat()
    guard fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
      return errno == ENOENT ? [] : [.failed(path: path, .last)]
    }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      guard unlinkat(folder, name, 0) == 0 || errno == ENOENT else {
        return [errno == EBUSY ? .mount(path: path) : .failed(path: path, .last)]
      }
      return facts.st_mode & S_IFMT == S_IFLNK ? [.link(path: path)] : []
    }
    // Of folders only: on an overlay, as live systems have it, a file bears the number of the layer that it lies in.
    guard facts.st_dev == device else { return [.mount(path: path)] }
    let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard inner >= 0 else { return [.failed(path: path, .last)] }
    let left = empty(inner, path, device) { _ in true }
    close(inner)
    guard left.allSatisfy({ if case .link = $0 { true } else { false } }) else { return left }
    guard unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
      return left + [.failed(path: path, .last)]
    }
    return left
  }

  private static func names(_ folder: Int32) throws(SystemError) -> [String] {
    // A handle of its own: the list goes with it.
    let own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0, let list = fdopendir(own) else { throw .last }
    defer { closedir(list) }
    var names: [String] = []
    while let entry = readdir(list) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
