import GLibShim

/// The structured log, which ends in the journal or on standard error.
///
/// Never hand it content of the user's: no todo, no secret, no name. Any thread.
public enum Log {
  /// Something is wrong, and the line says what to do.
  public static func warning(_ line: String) { gs_log_warning(line) }
  /// Something worth knowing.
  public static func message(_ line: String) { gs_log_message(line) }
  /// A sentence on standard error, for whoever typed the command.
  public static func complain(_ line: String) { gs_print_error(line) }
}
