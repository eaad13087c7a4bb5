import GLibKit
import GateCore

extension PreferencesClient {
  /// Preferences in the user's own file.
  @MainActor
  public static func live(_ paths: AppPaths) -> PreferencesClient {
    live(PreferencesFile(paths, wall: { Time.wall }))
  }

  @MainActor
  static func live(_ file: PreferencesFile) -> PreferencesClient {
    PreferencesClient(
      load: { file.load() },
      save: { (changes) throws(FileFault) in try file.save(changes) },
      watch: { file.watch($0) })
  }

  /// The preferences as they stand, for a look from outside: nothing is repaired, renamed or written.
  ///
  /// A damaged file is `.unreadable(.damaged)` here.
  @MainActor
  public static func peek(_ paths: AppPaths) -> PreferencesSnapshot {
    PreferencesFile(paths, wall: { Time.wall }).peek()
  }

  /// Preferences that were read already and cannot be written.
  @MainActor
  static func peeking(_ snapshot: PreferencesSnapshot) -> PreferencesClient {
    PreferencesClient(
      load: { snapshot },
      save: { (_) throws(FileFault) in throw .readOnly },
      watch: { _ in Unwatched() })
  }
}

/// Stands for a watch where nothing is watched.
private final class Unwatched {}
