import AuthWire
import GateCore

/// What the helper's last packet means to the app.
enum PamVerdict {
  static func of(_ result: aw_result) -> Result<VerifiedBy, VerifyFault> {
    switch result.status {
    case .authenticated:
      .success(
        VerifiedBy(
          hiddenAnswered: result.hidden_answered, newPasswordRequired: result.new_password_required,
          accountUnchecked: result.account_unchecked))
    case .refused: .failure(.wrong)
    case .maxtries: .failure(.tooManyTries)
    case .accountRefused:
      .failure(result.reason == .accountExpired ? .accountExpired : .accountRefused)
    case .unavailable: .failure(fault(result.reason))
    case .conversationEnded: .failure(.helperFailed)
    }
  }

  private static func fault(_ reason: aw_reason) -> VerifyFault {
    switch reason {
    case .versionMismatch: .versionMismatch
    case .root: .runsAsRoot
    case .notSelf: .notSelf
    // A service that asks although ours does not: PAM took another file.
    case .serviceMissing, .serviceAsks: .serviceMissing
    case .noNewPrivs: .noNewPrivileges
    case .serviceUnknown: .helperFailed
    default: .unavailable
    }
  }
}

/// What a PAM module wrote, made fit to be shown.
enum PamText {
  private static let limit = 1000

  static func shown(_ packet: aw_packet) -> String {
    shown(UnsafeBufferPointer(start: packet.bytes, count: packet.count))
  }

  /// Broken UTF-8 becomes U+FFFD, line breaks and tabs a space; other control characters, and those that turn the
  /// direction of the text around them, go.
  ///
  /// At most 1,000 characters.
  static func shown(_ bytes: some Collection<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": text.append(" ")
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": break
      default: if scalar.properties.generalCategory != .control { text.append(scalar) }
      }
    }
    return String(String(text).prefix(limit))
  }
}
