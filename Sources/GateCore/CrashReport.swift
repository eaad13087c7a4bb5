/// What a crashing run has written of itself, one `key=value` a line.
///
/// It holds no text of the user's: no memory, no registers, no path. Whatever is in the file beyond the lines that are
/// known, or is no plain word, is left out: it is shown to the user and may be sent.
public struct CrashReport: Hashable, Sendable {
  /// The name of the signal.
  public var signal = ""
  /// Whether another process sent the signal.
  public var wasSent = false
  /// What kind of address was asked for: `null+0x8`, `stack`, a module and offset, `memory`, or `none`.
  public var address = ""
  /// The version that crashed.
  public var version = ""
  /// The id of its build.
  public var build = ""
  /// When, in seconds since 1970.
  public var at: Int64 = 0
  /// How long the run had lasted, in seconds.
  public var uptime: Int64 = 0
  /// What was on the screen.
  public var gate = ""
  /// The name of the thread.
  public var thread = ""
  /// The innermost frame first, as module and offset; in debug builds with the function's name.
  public var frames: [String] = []
  /// Whether it was written to its end.
  public var isWhole = false

  /// The most frames that are read.
  public static let frameLimit = 64

  /// Reads a record; one that was cut off says less.
  public init(_ text: String) {
    for line in text.split(separator: "\n") {
      guard let sign = line.firstIndex(of: "="), let word = CrashReport.plain(line[line.index(after: sign)...])
      else { continue }
      switch line[..<sign] {
      case "signal": signal = word
      case "sent": wasSent = word == "yes"
      case "address": address = word
      case "version": version = word
      case "build": build = word
      case "at": at = Int64(word) ?? 0
      case "uptime": uptime = Int64(word) ?? 0
      case "gate": gate = word
      case "thread": thread = word
      case "frame": if frames.count < CrashReport.frameLimit { frames.append(word) }
      case "whole": isWhole = word == "yes"
      default: break
      }
    }
  }

  /// The word, where it is one: letters, digits and a few marks, at most 96.
  private static func plain(_ word: Substring) -> String? {
    let isPlain = word.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "._-+".utf8.contains(byte)
    }
    return isPlain && word.utf8.count <= 96 ? String(word) : nil
  }

  /// The lines as they are shown, with nothing left out.
  public var lines: [String] {
    let head = [
      ("signal", signal + (wasSent ? " (sent by another process)" : "")), ("address", address), ("version", version),
      ("build", build), ("uptime", "\(uptime) s"), ("gate", gate), ("thread", thread),
    ]
    return head.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" } + frames
      + (isWhole ? [] : ["(The record ends early.)"])
  }
}
