import AuthWire
import GateCore
import Glibc

extension PasswordClient {
  /// Asks PAM, in a helper process for each conversation.
  ///
  /// The process's first thread only.
  @MainActor
  public static func live(
    _ helper: HelperProgram, record: UnlockRecord? = nil, deadlines: HelperDeadlines = HelperDeadlines()
  ) -> PasswordClient {
    PasswordClient(
      turn: VerifyTurn(record), obstacle: { obstacle(helper) },
      begin: { HelperConversation(helper, service: AW_SERVICE_PASSWORD, deadlines: deadlines, onEvent: $0) })
  }

  private static func obstacle(_ helper: HelperProgram) -> VerifyFault? {
    if helper.descriptor < 0 { return .helperMissing }
    if getuid() != geteuid() { return .notSelf }
    if getuid() == 0 { return .runsAsRoot }
    if !aw_has_service_file(AW_SERVICE_PASSWORD) { return .serviceMissing }
    if let user = getpwuid(getuid()), aw_is_barred(user) { return .noNewPrivileges }
    return nil
  }
}
