/// What a report is about.
public enum ReportSubject: Hashable, Sendable {
  /// Nothing but what the user has to say.
  case feedback
  /// What is on the error card.
  case errors([PostedError])
  /// A run that ended in a crash.
  case crash(CrashSummary)

  /// Its name in a file: the kind of it, and nothing of the user's.
  var name: String {
    switch self {
    case .feedback: "feedback"
    case .errors(let errors): "errors " + errors.map { $0.error.kind + ":" + $0.error.cause }.joined(separator: " ")
    case .crash(let crash): "crash " + crash.reason
    }
  }
}

/// A crash as far as a report tells of it.
public struct CrashSummary: Hashable, Sendable {
  /// What ended the run: a signal's name, or a word such as `out-of-memory`.
  public var reason: String
  /// The build that crashed: its version, or version and build id.
  public var build: String
  /// When, in seconds since 1970.
  public var at: Int64
  /// How long the run had lasted, in seconds.
  public var uptime: Int64
  /// The gate that was on the screen.
  public var gate: String
  /// The backtrace, innermost frame first: a function's name, or module and offset; no paths.
  public var frames: [String]

  /// Puts a summary together.
  public init(reason: String, build: String, at: Int64, uptime: Int64, gate: String, frames: [String]) {
    self.reason = reason
    self.build = build
    self.at = at
    self.uptime = uptime
    self.gate = gate
    self.frames = frames
  }
}

/// What goes along with each report, and is not the user's.
public struct ReportFacts: Hashable, Sendable {
  /// The app's version.
  public var version: String
  /// Whether it is a debug build.
  public var isDebugBuild: Bool
  /// The operating system's name and version, such as `Debian GNU/Linux` and `12`.
  public var system: String, systemVersion: String
  /// The toolkit's version, such as `4.8.3`.
  public var gtk: String
  /// The locale, such as `de_DE.UTF-8`.
  public var locale: String
  /// The gate on the screen, by its type name.
  public var gate: String

  /// Takes the facts, with all that is no plain short word left out: none of them may carry a text of the user's.
  public init(
    version: String, isDebugBuild: Bool, system: String, systemVersion: String, gtk: String, locale: String,
    gate: String
  ) {
    self.version = ReportFacts.plain(version)
    self.isDebugBuild = isDebugBuild
    self.system = ReportFacts.plain(system)
    self.systemVersion = ReportFacts.plain(systemVersion)
    self.gtk = ReportFacts.plain(gtk)
    self.locale = ReportFacts.plain(locale)
    self.gate = ReportFacts.plain(gate)
  }

  /// At most 64 letters, digits, spaces and marks as names and versions have them.
  static func plain(_ text: String) -> String {
    let kept = text.utf8.lazy.filter { $0.isLetter || $0.isDigit || " ._-+/()@~".utf8.contains($0) }
    return String(decoding: Array(kept.prefix(64)), as: UTF8.self)
  }
}

/// A report as the user has written it, before it goes.
public struct Report: Hashable, Sendable {
  /// The most characters of what happened (Relay's own limit).
  public static let messageLimit = 4096
  /// The most characters of a name or an email address.
  public static let lineLimit = 128

  /// The name of the event, and that of what the user says about it: 32 small hexadecimal digits each.
  public var eventID: String, feedbackID: String
  /// When it was begun, in seconds since 1970.
  public var madeAt: Int64
  /// What it is about.
  public var subject: ReportSubject
  /// What happened, in the user's words.
  public var message = ""
  /// Who says so, where the user wants that to be known.
  public var name = "", email = ""
  /// What goes along.
  public var facts: ReportFacts

  /// Begins a report without words.
  public init(eventID: String, feedbackID: String, madeAt: Int64, subject: ReportSubject, facts: ReportFacts) {
    self.eventID = eventID
    self.feedbackID = feedbackID
    self.madeAt = madeAt
    self.subject = subject
    self.facts = facts
  }

  /// Whether the user has said anything.
  public var hasWords: Bool { !message.allSatisfy(\.isWhitespace) }

  /// Why it cannot go like this.
  public var obstacle: ReportObstacle? {
    if message.unicodeScalars.count > Report.messageLimit { return .tooLong }
    // Name and address go with the words, and nowhere else.
    if !hasWords, subject == .feedback || !name.isEmpty || !email.isEmpty { return .noWords }
    if !email.isEmpty, !Report.isEmail(email) { return .noEmail }
    return nil
  }

  /// Something, an @ and something, without spaces: who mistypes the rest gets no answer.
  private static func isEmail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.contains(where: \.isWhitespace) }
  }
}

/// Why a report cannot go as it stands.
public enum ReportObstacle: Hashable, Sendable {
  /// It says nothing.
  case noWords
  /// It says too much.
  case tooLong
  /// The email address is none.
  case noEmail
}

extension Report {
  /// All of it as plain text in English, for whoever sends it by other ways.
  public var text: String {
    let from = [name, email.isEmpty ? "" : "<\(email)>"].filter { !$0.isEmpty }.joined(separator: " ")
    let system = [
      facts.system + (facts.systemVersion.isEmpty ? "" : " " + facts.systemVersion), "GTK " + facts.gtk, facts.locale,
    ]
    let lines =
      ["App Gates \(facts.version)\(facts.isDebugBuild ? " (debug)" : "")"]
      + [system.filter { !$0.isEmpty }.joined(separator: ", "), "On the screen: \(facts.gate)"] + about
    return [message, from.isEmpty ? "" : "From: " + from, lines.joined(separator: "\n")].filter { !$0.isEmpty }
      .joined(separator: "\n\n") + "\n"
  }

  private var about: [String] {
    switch subject {
    case .feedback: []
    case .errors(let errors):
      errors.map { posted in
        "\(posted.error.kind)\(posted.error.cause.isEmpty ? "" : " (\(posted.error.cause))"): \(posted.count)"
      }
    case .crash(let crash):
      ["\(crash.reason) in \(crash.build) after \(crash.uptime) s, on the screen: \(crash.gate)"] + crash.frames
    }
  }
}
