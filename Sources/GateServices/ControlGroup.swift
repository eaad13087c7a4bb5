import GLibKit
import GateCore

/// The control groups (version 2) around a process, and how often memory ran out in them.
///
/// Any thread; a few small files of the kernel's.
struct ControlGroup {
  /// The kernel's file that names the group of this process.
  var own = "/proc/self/cgroup"
  /// Where the groups are mounted.
  var root = "/sys/fs/cgroup"

  /// The group of this process and those around it, the innermost first, as far as they count.
  ///
  /// The desktop removes an app's group with the app: the next run then looks at the one around it.
  var events: [MemoryEvents] {
    guard let content = try? Files.read(own, limit: 1 << 16) else { return [] }
    let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
    // `0::/user.slice/…` is the line of version 2.
    guard let line = lines.first(where: { $0.hasPrefix("0::/") }) else { return [] }
    var parts = line.dropFirst(4).split(separator: "/")
    var found: [MemoryEvents] = []
    while true {
      let group = "/" + parts.joined(separator: "/")
      if let count = count(of: group) { found.append(MemoryEvents(group: group, count: count)) }
      guard parts.popLast() != nil else { return found }
    }
  }

  /// The numbers of these groups now; of one that is gone, none.
  func events(of groups: [String]) -> [MemoryEvents] {
    groups.compactMap { group in count(of: group).map { MemoryEvents(group: group, count: $0) } }
  }

  /// `oom_kill 3` in `memory.events`.
  private func count(of group: String) -> Int64? {
    let parts = group.split(separator: "/")
    guard !parts.contains(".."),
      let content = try? Files.read(
        ([Substring(root)] + parts + ["memory.events"]).joined(separator: "/"), limit: 1 << 12)
    else { return nil }
    let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix("oom_kill ") }.flatMap { Int64($0.dropFirst(9)) }
  }
}
