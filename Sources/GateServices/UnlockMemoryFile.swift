import GLibKit
import GateCore

/// What the lock remembers, in a key file of the user's state folder.
///
/// Main thread. Not brought to disk at once, unlike the preferences: it is written while a password is checked, and what
/// a power cut takes is a wait of seconds. What cannot be read is forgotten, and the password is asked for.
@MainActor
struct UnlockMemoryFile {
  private static let group = "lock"

  let path: String
  /// Tells this boot from others: the boot clock begins anew with each.
  var boot = Boot.id

  func load() -> UnlockMemory {
    guard let facts = try? Files.facts(path), facts.isOurs, let content = try? Files.read(path, limit: 1 << 16),
      let file = KeyFile(content)
    else { return UnlockMemory() }
    func number(_ key: String) -> Int64? { file.text(key, in: Self.group).flatMap { Int64($0) } }
    let isOfThisBoot = !boot.isEmpty && file.text("boot", in: Self.group) == boot
    return UnlockMemory(
      notBefore: isOfThisBoot ? number("notBefore") ?? 0 : 0, passwordAt: number("passwordAt"),
      refusedFingers: number("refusedFingers").map { Int(clamping: max(0, $0)) } ?? 0)
  }

  func save(_ memory: UnlockMemory) {
    let file = KeyFile()
    file.set("boot", in: Self.group, to: boot)
    file.set("notBefore", in: Self.group, to: String(memory.notBefore))
    if let at = memory.passwordAt { file.set("passwordAt", in: Self.group, to: String(at)) }
    file.set("refusedFingers", in: Self.group, to: String(memory.refusedFingers))
    do throws(SystemError) {
      try Files.makeFolder(Files.folder(of: path))
      try Files.write(file.content, to: path, isDurable: false)
    } catch {
      Log.warning("\(path) could not be written (\(error.words)): a wait after a wrong password may end with the app.")
    }
  }
}

extension UnlockMemoryClient {
  /// Keeps it in the user's state folder.
  @MainActor
  public static func live(_ paths: AppPaths) -> UnlockMemoryClient {
    let file = UnlockMemoryFile(path: paths.lock)
    return UnlockMemoryClient(load: file.load, save: file.save)
  }
}
