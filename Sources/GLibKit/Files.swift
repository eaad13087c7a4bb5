import CGLib
import GLibShim
import Glibc

/// Files by their path, with the errors of the operating system.
///
/// Any thread; every call may block on the disk.
public enum Files {
  /// The facts of a file, links followed.
  ///
  /// Throws ENOENT where there is none.
  public static func facts(_ path: String) throws(SystemError) -> FileFacts {
    var found = stat()
    guard stat(path, &found) == 0 else { throw .last }
    return FileFacts(found)
  }

  /// When a file was written last, in seconds since 1970; nil where there is none.
  public static func changed(_ path: String) -> Int64? {
    var found = stat()
    return stat(path, &found) == 0 ? Int64(found.st_mtim.tv_sec) : nil
  }

  /// Whether anything bears the name, a broken link included.
  public static func exists(_ path: String) -> Bool {
    var found = stat()
    return lstat(path, &found) == 0
  }

  /// The content of a regular file.
  ///
  /// Throws EFBIG above the limit in bytes, EISDIR for a folder, EINVAL for a device.
  public static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    // Without O_NONBLOCK a pipe of that name would hold us up for ever.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    var found = stat()
    guard fstat(file, &found) == 0 else { throw .last }
    switch FileFacts(found).kind {
    case .file: break
    case .folder: throw SystemError(code: EISDIR)
    case .other: throw SystemError(code: EINVAL)
    }
    guard found.st_size <= limit else { throw SystemError(code: EFBIG) }
    return try read(file, limit: limit)
  }

  private static func read(_ file: Int32, limit: Int) throws(SystemError) -> [UInt8] {
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      if count == 0 { return content }
      content += chunk[..<count]
      guard content.count <= limit else { throw SystemError(code: EFBIG) }
    }
  }

  /// Puts the content in place of what was there, whole or not at all, and on disk when it returns.
  ///
  /// A temporary file beside it, fsync, rename, fsync of the folder; a link stays, and what it points to is replaced.
  /// Without `isDurable` the disk is not waited for: after a power cut the old content may be back, or no content.
  public static func write(
    _ content: [UInt8], to path: String, mode: Int32 = 0o600, isDurable: Bool = true
  ) throws(SystemError) {
    let target = try resolved(path)
    guard isDurable else {
      // GLib would write in place.
      try set(content, target + ".new", mode, G_FILE_SET_CONTENTS_NONE.rawValue)
      return try rename(target + ".new", to: target)
    }
    try set(content, target, mode, G_FILE_SET_CONTENTS_DURABLE.rawValue | G_FILE_SET_CONTENTS_CONSISTENT.rawValue)
  }

  private static func set(_ content: [UInt8], _ path: String, _ mode: Int32, _ flags: UInt32) throws(SystemError) {
    do throws(GLibError) {
      _ = try GLibError.check { error in
        content.withUnsafeBytes { bytes in
          g_file_set_contents_full(
            path, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(bytes.count),
            GFileSetContentsFlags(flags), mode, error)
        }
      }
    } catch {
      throw SystemError(error)
    }
  }

  /// Where a path leads when its links are followed, the last of which may point to nothing yet.
  public static func resolved(_ path: String) throws(SystemError) -> String {
    var path = path
    // The kernel's own limit on links in a row.
    for _ in 0..<40 {
      guard let target = g_file_read_link(path, nil) else { return path }
      defer { g_free(target) }
      let folder = g_path_get_dirname(path)
      let next = g_canonicalize_filename(target, folder)
      defer {
        g_free(folder)
        g_free(next)
      }
      path = next.map { String(cString: $0) } ?? path
    }
    throw SystemError(code: ELOOP)
  }

  /// Makes a folder and those above it, readable by the user alone; one that is there already stays as it is.
  public static func makeFolder(_ path: String) throws(SystemError) {
    guard g_mkdir_with_parents(path, 0o700) == 0 else { throw .last }
  }

  /// The names in a folder, in order.
  public static func names(in folder: String) throws(SystemError) -> [String] {
    guard let handle = opendir(folder) else { throw .last }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Renames within a file system, in place of what bears the new name.
  public static func rename(_ path: String, to other: String) throws(SystemError) {
    guard Glibc.rename(path, other) == 0 else { throw .last }
  }

  /// Swaps two names in one step, whatever they stand for.
  ///
  /// Throws EINVAL or ENOSYS where the file system cannot.
  public static func exchange(_ path: String, with other: String) throws(SystemError) {
    guard gs_exchange_names(path, other) == 0 else { throw .last }
  }

  /// Gives a file a second name.
  ///
  /// Throws EEXIST where the name is taken.
  public static func link(_ path: String, as other: String) throws(SystemError) {
    guard Glibc.link(path, other) == 0 else { throw .last }
  }

  /// Removes a file; one that is not there is no error.
  public static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .last }
  }

  /// Brings a rename or removal in this folder to disk.
  public static func sync(folder: String) throws(SystemError) {
    let handle = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard handle >= 0 else { throw .last }
    defer { close(handle) }
    guard fsync(handle) == 0 else { throw .last }
  }

  /// Sets the permission bits.
  public static func setMode(_ path: String, _ mode: UInt32) throws(SystemError) {
    guard chmod(path, mode) == 0 else { throw .last }
  }

  /// Whether a file or folder may be changed: by its permission bits (which root is held to as well), and by the
  /// file system.
  public static func isWritable(_ path: String) -> Bool {
    guard let facts = try? facts(path), facts.mode & 0o222 != 0 else { return false }
    return access(path, W_OK) == 0
  }

  /// Whether a file may be run.
  public static func isExecutable(_ path: String) -> Bool {
    guard let facts = try? facts(path), facts.kind == .file else { return false }
    return access(path, X_OK) == 0
  }

  /// The folder that a path lies in.
  public static func folder(of path: String) -> String {
    guard let folder = g_path_get_dirname(path) else { return "." }
    defer { g_free(folder) }
    return String(cString: folder)
  }

  /// Adds to the end of a file, which is made where it is missing; a link of that name is refused with ELOOP.
  public static func append(_ content: [UInt8], to path: String, mode: UInt32 = 0o600) throws(SystemError) {
    let file = openForAppending(path, mode)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    var done = 0
    while done < content.count {
      let count = content[done...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .last }
      done += count
    }
  }

  /// The path as a `file:` address; nil for a relative one.
  public static func address(of path: String) -> String? {
    guard let address = g_filename_to_uri(path, nil, nil) else { return nil }
    defer { g_free(address) }
    return String(cString: address)
  }

  /// What a path that links to a running program or file leads to, read once; nil where it is no link.
  public static func linkTarget(_ path: String) -> String? {
    guard let target = g_file_read_link(path, nil) else { return nil }
    defer { g_free(target) }
    return String(cString: target)
  }

  private static func openForAppending(_ path: String, _ mode: UInt32) -> Int32 {
    open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode_t(mode))
  }
}
