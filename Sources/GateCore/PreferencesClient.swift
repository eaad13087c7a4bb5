/// How the preferences file was found.
public enum PreferencesState: Hashable, Sendable {
  /// There is none yet.
  case absent
  /// It was read.
  case sound
  /// It was damaged: it is kept at `copy`, and a fresh file with the lock on was written.
  case repaired(copy: String)
  /// It cannot be read and was left as it is.
  case unreadable(FileFault)
}

/// The preferences file at one moment.
public struct PreferencesSnapshot: Sendable {
  /// The text of each key.
  public var values: [String: String]
  /// How the file was found.
  public var state: PreferencesState
  /// Where it is, with `~` for the home folder, fit to be shown.
  public var path: String

  /// Puts the three together.
  public init(values: [String: String], state: PreferencesState, path: String) {
    self.values = values
    self.state = state
    self.path = path
  }
}

/// The preferences file, as `AppPreferences` uses it.
///
/// Main thread.
public struct PreferencesClient: Sendable {
  /// Reads the file, and repairs it where it is damaged.
  public var load: @MainActor () -> PreferencesSnapshot
  /// Writes these keys and leaves all others as they are; on disk when it returns.
  public var save: @MainActor ([String: String]) throws(FileFault) -> Void
  /// Tells of changes to the file for as long as the returned object is kept.
  public var watch: @MainActor (@escaping @MainActor (PreferencesSnapshot) -> Void) -> AnyObject

  /// Takes the three.
  public init(
    load: @escaping @MainActor () -> PreferencesSnapshot,
    save: @escaping @MainActor ([String: String]) throws(FileFault) -> Void,
    watch: @escaping @MainActor (@escaping @MainActor (PreferencesSnapshot) -> Void) -> AnyObject
  ) {
    self.load = load
    self.save = save
    self.watch = watch
  }
}
