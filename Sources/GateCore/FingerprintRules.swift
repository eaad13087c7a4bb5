// What follows from the state of the reader, without any state of its own.

extension FingerprintController {
  static func mayBeBrief(_ state: ReaderState) -> Bool {
    switch state {
    case .ready, .inUse: true
    case .noService, .noAnswer, .noReader, .noneEnrolled, .denied, .notSetUp: false
    }
  }

  static func phase(for state: ReaderState, hasReader: Bool) -> Phase {
    switch state {
    case .noService: hasReader ? .unavailable(.other) : .silent
    case .noReader: hasReader ? .unavailable(.unplugged) : .silent
    case .noAnswer: hasReader ? .unavailable(.other) : .silent
    case .noneEnrolled: .unavailable(.noneEnrolled)
    case .inUse: .unavailable(.inUse)
    case .notSetUp: .unavailable(.notSetUp)
    case .ready, .denied: .unavailable(.other)
    }
  }

  /// The pause after so many failures in a row, in milliseconds: a quarter of a second, doubled each time; from the sixth
  /// on 40 seconds, or 8 where another program holds the reader.
  ///
  /// Readers exist that a client which comes back too soon keeps from recovering. And fprintd itself, where it has got a
  /// reader stuck (after sleep, say), ends 30 seconds after its last client, starts afresh, and can open it again.
  public nonisolated static func pause(after failures: Int, _ state: ReaderState = .ready(fingers: 1)) -> Int64 {
    let doubled: Int64 = 250 << Int64(min(max(failures - 1, 0), 5))
    guard doubled > 4_000 else { return doubled }
    return state == .inUse ? doubled : 40_000
  }
}
