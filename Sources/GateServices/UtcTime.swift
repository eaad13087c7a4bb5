import Glibc

/// Moments as text, in UTC.
enum UtcTime {
  /// As in file names: `20260430T120000Z`.
  static func compact(_ seconds: Int64) -> String { format(seconds, "%Y%m%dT%H%M%SZ") }

  /// As in ISO 8601: `2026-04-30T12:00:00Z`.
  static func iso(_ seconds: Int64) -> String { format(seconds, "%Y-%m-%dT%H:%M:%SZ") }

  private static func format(_ seconds: Int64, _ pattern: String) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    gmtime_r(&moment, &parts)
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, pattern, &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
