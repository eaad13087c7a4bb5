import AuthWire
import GateCore

extension PasswordClient {
  /// Asks PAM, in a helper process for each conversation.
  ///
  /// The process's first thread only.
  @MainActor
  public static func live(_ helper: HelperProgram, deadlines: HelperDeadlines = HelperDeadlines()) -> PasswordClient {
    PasswordClient { onEvent in
      HelperConversation(helper, service: AW_SERVICE_PASSWORD, deadlines: deadlines, onEvent: onEvent)
    }
  }
}
