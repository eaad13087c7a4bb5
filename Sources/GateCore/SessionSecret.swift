/// A session's secret: one line of printable ASCII, 1 to 16,384 bytes.
///
/// What prints it gets no more than its type: neither a log nor a report may hold it. One line, since some stores keep
/// no more than that.
public struct SessionSecret: Hashable, Sendable {
  /// How long the line may be, in bytes.
  public static let longest = 16_384

  /// The line itself, without an end of line.
  public let line: String

  /// Takes the line; nil where it is empty, too long, or not one line of printable ASCII.
  public init?(line: String) {
    guard (1...Self.longest).contains(line.utf8.count), line.utf8.allSatisfy({ (32...126).contains($0) }) else {
      return nil
    }
    self.line = line
  }
}

extension SessionSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Its type, and nothing of the line.
  public var description: String { "SessionSecret" }
  /// The same.
  public var debugDescription: String { description }
  /// Nothing to look into.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a store said when it was asked for a session's secret.
public enum SecretReading: Hashable, Sendable {
  /// Here it is.
  case present(SessionSecret)
  /// It is not there, says a store that answers and is open.
  case absent
  /// The store is locked, and does not say.
  case locked
  /// The store answers, and does not give it.
  case refused
  /// It is there, and is no secret of ours any more.
  case unreadable
  /// There is no Secret Service.
  case noService
  /// The store does not answer.
  case frozen
  /// The question was called off.
  case cancelled
}
