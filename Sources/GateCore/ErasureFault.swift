/// What is left where everything was to be deleted, and why.
public struct ErasureFault: Error, Hashable, Sendable {
  /// The reason.
  public enum Reason: Hashable, Sendable {
    /// The system does not let us.
    case file(FileFault)
    /// It is a link, and those are not followed.
    case link
    /// Another file system is mounted there.
    case mount
  }

  /// The path as it is shown, with `~` for the home folder.
  public let path: String
  /// Why it is left.
  public let reason: Reason

  /// Puts the two together.
  public init(path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }
}
