/// One thing that is posted for a report, as the user has read it: the item of one envelope.
public struct ReportPart: Hashable, Sendable {
  /// The kinds of items that there are.
  public enum Kind: String, Hashable, Sendable {
    /// What went wrong.
    case event
    /// What the user says.
    case feedback

    /// The name under which the server limits its rate.
    public var category: String { self == .event ? "error" : "feedback" }
  }

  /// What it is.
  public let kind: Kind
  /// Its name for the server: 32 small hexadecimal digits.
  public let id: String
  /// The item's content, as it is sent.
  public let payload: String

  /// Puts a part together.
  public init(_ kind: Kind, id: String, payload: String) {
    self.kind = kind
    self.id = id
    self.payload = payload
  }
}

/// Why a report was refused for good.
public enum ReportRefusal: Hashable, Sendable {
  /// The server answered with this status.
  case status(Int)
  /// The server points to another one.
  case redirected(to: String)
  /// The server's answer was none.
  case malformed
  /// The program that sends requests failed.
  case failed
}

/// A report that the user has sent, with what has become of it.
public struct QueuedReport: Hashable, Sendable {
  /// What has become of it.
  public enum State: Hashable, Sendable {
    /// It has not arrived yet.
    case waiting
    /// It arrived, in seconds since 1970.
    case sent(at: Int64)
    /// It was refused, and is not tried again by itself.
    case refused(ReportRefusal, at: Int64)
    /// The user has deleted it, but its file could not be removed: nothing of it is sent in this run.
    ///
    /// For this run alone: the file says still what was so before, by which the next start goes.
    indirect case undeleted(was: State)

    var isUndeleted: Bool {
      if case .undeleted = self { return true }
      return false
    }
  }

  /// Its name on this computer: 32 small hexadecimal digits.
  public let id: String
  /// When it was told to go, in seconds since 1970.
  public let madeAt: Int64
  /// The start of what the user said; empty where that was nothing.
  public let title: String
  /// The same for two reports that say the same of the same.
  public let likeness: String
  /// What is still to be sent, in that order.
  public internal(set) var parts: [ReportPart]
  /// What has become of it.
  public internal(set) var state: State

  /// Puts together what was kept.
  public init(id: String, madeAt: Int64, title: String, likeness: String, parts: [ReportPart], state: State) {
    self.id = id
    self.madeAt = madeAt
    self.title = title
    self.likeness = likeness
    self.parts = parts
    self.state = state
  }

  /// A report that waits, made of these parts.
  public init(_ report: Report, parts: [ReportPart], at: Int64) {
    let line = report.message.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) } ?? ""
    self.init(
      id: report.eventID, madeAt: at, title: String(line.prefix(80)),
      likeness: QueuedReport.mark(of: report.subject.name + "\n" + report.message), parts: parts, state: .waiting)
  }

  /// FNV-1a of 64 bits: texts that differ have different marks, as far as it matters here.
  private static func mark(of text: String) -> String {
    String(text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }
}
