/// Where whoever ends the program finds the session that a gate further in has made.
///
/// Main thread.
@MainActor
public final class CurrentSession {
  /// The session's controller, for as long as there is one.
  public weak var auth: AuthController?

  /// Knows of none yet.
  public init() {}
}
