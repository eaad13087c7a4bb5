/// What fprintd says of the reader: words for a screen, no part of any verdict.
public enum ReaderState: Hashable, Sendable {
  /// fprintd is not installed, or there is no system bus.
  case noService
  /// fprintd does not answer.
  case noAnswer
  case noReader
  /// There is a reader, and no finger of this user's is enrolled.
  case noneEnrolled
  /// Somebody holds the reader.
  case inUse
  /// The system's rules (polkit) keep this user from the reader.
  case denied
  /// The reader is there, and its PAM service is not: its file is missing.
  case notSetUp
  /// So many fingers of this user's are enrolled, and nobody holds the reader.
  case ready(fingers: Int)
}

/// Asks PAM for a finger, and fprintd for the words.
///
/// Main thread.
public struct FingerprintClient: Sendable {
  /// Begins a conversation in a fresh helper; its events come on the main thread until `finished` or `cancel`.
  public var begin: @MainActor (_ onEvent: @escaping @MainActor (PamEvent) -> Void) -> any PamConversation
  /// Looks at the reader, and answers in a later turn; dropping the token calls it off.
  ///
  /// A conversation of ours that holds the reader counts as another program.
  public var look: @MainActor (_ done: @escaping @MainActor (ReaderState) -> Void) -> AnyObject?
  /// Calls the body whenever fprintd or a reader has come (true) or gone, until the token is dropped.
  public var watch: @MainActor (_ body: @escaping @MainActor (Bool) -> Void) -> AnyObject?

  /// Takes the three.
  public init(
    begin: @escaping @MainActor (_ onEvent: @escaping @MainActor (PamEvent) -> Void) -> any PamConversation,
    look: @escaping @MainActor (_ done: @escaping @MainActor (ReaderState) -> Void) -> AnyObject?,
    watch: @escaping @MainActor (_ body: @escaping @MainActor (Bool) -> Void) -> AnyObject?
  ) {
    self.begin = begin
    self.look = look
    self.watch = watch
  }
}
