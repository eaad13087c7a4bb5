/// Everything that can go wrong and is told to the user, as a closed list.
///
/// An error shows above the lock, so it never holds what the user wrote. Paths are written with `~` for the home
/// folder. The words are made in one place, by the faces.
public enum AppError: Error, Hashable, Sendable {
  /// The settings were damaged; the damaged file is kept at `copy` and fresh settings were begun, with the lock on.
  case preferencesDamaged(copy: String)
  /// The settings cannot be read; nothing of them is trusted in this run.
  case preferencesUnreadable(path: String, FileFault)
  /// A setting could not be saved and holds for this run only.
  case preferencesNotSaved(path: String, FileFault)
  /// The todos cannot be read; their file was left as it is.
  case todosUnreadable(path: String, FileFault)
  /// A change to the todos could not be saved; the list is as it was.
  case todosNotSaved(FileFault)
  /// The user is signed out, and the session's secret could not be removed.
  case sessionNotRemoved(SessionFault)
  /// Everything was to be deleted, and this is left.
  case notErased([ErasureFault])
  /// Something that no rule foresees; the detail is for developers and shown in debug builds only.
  case unexpected(detail: String)
}

/// What is wrong with a file.
public enum FileFault: Error, Hashable, Sendable {
  /// Its content is not what it should be.
  case damaged
  /// It has no content where there should be some.
  case empty
  /// The user may not open it.
  case noPermission
  /// It belongs to another user, and is not trusted.
  case foreignOwner
  /// It, or its folder, cannot be written.
  case readOnly
  /// The disk or the quota is full.
  case noSpace
  /// It is not there.
  case missing
  /// A newer version of the app wrote it.
  case tooNew
  /// Any other error of the system, by its errno.
  case other(code: Int32)
}
