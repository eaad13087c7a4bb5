import AuthWire
import GateCore

extension PasswordClient {
  /// Asks PAM, in a helper process for each conversation.
  ///
  /// The process's first thread only.
  @MainActor
  public static func live(
    _ helper: HelperProgram, record: UnlockRecord? = nil, deadlines: HelperDeadlines = HelperDeadlines()
  ) -> PasswordClient {
    PasswordClient(turn: VerifyTurn(record)) { onEvent in
      HelperConversation(helper, service: AW_SERVICE_PASSWORD, deadlines: deadlines, onEvent: onEvent)
    }
  }
}
