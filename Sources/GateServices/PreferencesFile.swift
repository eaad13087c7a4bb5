import GLibKit
import GateCore

/// The preferences on disk: `preferences.ini`, group `[preferences]`.
///
/// A damaged file is swapped in one step for a fresh one that has the lock on, and stays beside it as
/// `preferences.ini.damaged-<time>`; at no moment is there no file, which would read as "lock off". A file that cannot
/// be read, or is not ours, is not touched; nor is a damaged one without `repairs`: a save then throws. Main thread only; the calls block on the disk for a few milliseconds.
@MainActor
final class PreferencesFile {
  private static let group = "preferences"
  /// What a fresh file says after damage: nobody gets in for having broken the file.
  private static let afterDamage = ["biometricEnabled": "true"]

  private let path: String
  private let display: (String) -> String
  private let wall: () -> Int64
  private let repairs: Bool
  private var known: PreferencesSnapshot?
  /// The file was last seen in a state that says nothing of the lock.
  private var isDoubtful = false

  init(_ paths: AppPaths, wall: @escaping () -> Int64, repairs: Bool = true) {
    self.repairs = repairs
    path = paths.preferences
    display = paths.display
    self.wall = wall
  }

  /// Reads the file, and repairs it where it is damaged.
  func load() -> PreferencesSnapshot {
    let found: PreferencesSnapshot
    do throws(FileFault) {
      found = snapshot(try read().texts(of: Self.group), .sound)
    } catch {
      found = loadFaulty(error)
    }
    note(found)
    return found
  }

  /// Reads the file and touches nothing; damage is `.unreadable(.damaged)` here.
  func peek() -> PreferencesSnapshot {
    do throws(FileFault) {
      return snapshot(try read().texts(of: Self.group), .sound)
    } catch {
      return snapshot([:], error == .missing ? .absent : .unreadable(error))
    }
  }

  /// Puts these keys into the file as it is now; all others, and comments, stay.
  func save(_ changes: [String: String]) throws(FileFault) {
    guard Files.isReplaceable(path) else { throw .readOnly }
    let file: KeyFile
    do throws(FileFault) {
      file = try read()
    } catch {
      file = try startAnew(error)
    }
    let isNew = changes.contains { file.text($0.key, in: Self.group) != $0.value }
    for (key, value) in changes.sorted(by: { $0.key < $1.key }) { file.set(key, in: Self.group, to: value) }
    if isNew { try write(file, to: path) }
    note(snapshot(file.texts(of: Self.group), .sound))
  }

  /// Tells of changes made by others; what was written here, or changes nothing, is not told.
  func watch(_ body: @escaping @MainActor (PreferencesSnapshot) -> Void) -> AnyObject {
    FileMonitor(path) { [weak self] in
      guard let self else { return }
      let before = known
      let now = load()
      if now.values != before?.values || now.state != before?.state { body(now) }
    }
  }

  private func note(_ found: PreferencesSnapshot) {
    known = found
    switch found.state {
    case .sound, .repaired: isDoubtful = false
    case .unreadable: isDoubtful = true
    // Gone does not make good what was damaged.
    case .absent: break
    }
  }

  private func read() throws(FileFault) -> KeyFile {
    try ConfigFile.read(path, group: Self.group) { $0 == FileFacts.ourUser }
  }

  private func snapshot(_ values: [String: String], _ state: PreferencesState) -> PreferencesSnapshot {
    PreferencesSnapshot(values: values, state: state, path: display(path))
  }

  private func loadFaulty(_ fault: FileFault) -> PreferencesSnapshot {
    switch fault {
    case .missing: return snapshot([:], .absent)
    case .damaged, .empty:
      guard repairs, Files.isReplaceable(path), let copy = try? repair(Self.afterDamage) else {
        return snapshot([:], .unreadable(fault))
      }
      return snapshot(Self.afterDamage, .repaired(copy: display(copy)))
    default: return snapshot([:], .unreadable(fault))
    }
  }

  /// What a save goes into where there is no sound file: what was last known, and after damage with the lock on.
  private func startAnew(_ fault: FileFault) throws(FileFault) -> KeyFile {
    var values = known?.values ?? [:]
    switch fault {
    case .missing: if isDoubtful { values.merge(Self.afterDamage) { $1 } }
    case .damaged, .empty:
      guard repairs else { throw fault }
      values.merge(Self.afterDamage) { $1 }
      _ = try repair(values)
    default: throw fault
    }
    return fresh(values)
  }

  private func fresh(_ values: [String: String]) -> KeyFile {
    let file = KeyFile()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { file.set(key, in: Self.group, to: value) }
    return file
  }

  private func write(_ file: KeyFile, to path: String) throws(FileFault) {
    try Files.faulting { () throws(SystemError) in
      let target = try Files.resolved(path)
      try Files.makeFolder(Files.folder(of: target))
      try Files.write(file.content, to: target)
    }
  }

  /// Puts a fresh file in the place of the damaged one and returns the path of the latter.
  private func repair(_ values: [String: String]) throws(FileFault) -> String {
    let target = try Files.faulting { () throws(SystemError) in try Files.resolved(path) }
    let copy = Files.freeName(target + ".damaged-" + UtcTime.compact(wall()))
    try write(fresh(values), to: copy)
    do throws(FileFault) {
      try Files.faulting { () throws(SystemError) in try Files.trade(target, with: copy) }
    } catch {
      try? Files.remove(copy)
      throw error
    }
    return copy
  }
}
