import GateCore
import GLibKit

extension UpdateCheck {
  /// What came of checking, and what to do; nothing while nobody has asked.
  var words: String {
    switch self {
    case .idle: ""
    case .running: tr("Asking the server…")
    case .unchanged: tr("Nothing has changed: this version is still too old. Update it.")
    case .asked(.answered): tr("The server has answered: this version is still too old. Update it.")
    case .asked(.fault(let fault)): fault.words
    case .asked(.refused(let status)):
      tr("The server does not say which version is needed (status %s). Try again later.", String(status))
    case .asked(.busy(let seconds?)) where seconds > 0: busy(seconds)
    case .asked(.busy): tr("The server is busy. Try again in a few minutes.")
    case .asked(.garbage): tr("What the server answers cannot be understood. Try again later.")
    }
  }

  private func busy(_ seconds: Int64) -> String {
    tr(
      "The server is busy. Try again in %s minute.", "The server is busy. Try again in %s minutes.",
      count: Int((seconds + 59) / 60))
  }
}

extension WebFault {
  /// What happened and what to do, for anything that was asked of a server.
  public var words: String {
    switch self {
    case .notPermitted: tr("Nothing was sent, because the Terms are not accepted. Accept them first.")
    case .refusedAddress: tr("Nothing was sent, because the server’s address is not safe. Tell whoever set the app up.")
    case .notInstalled: tr("Nothing can be sent: app-gates-web is missing. Install the app’s package again.")
    case .unreachable: tr("The server could not be reached. Check the network, then try again.")
    case .timedOut: tr("The server took too long to answer. Check the network, then try again.")
    case .truncated: tr("The server’s answer broke off. Try again.")
    case .tooLarge: tr("The server’s answer is too large to be right. Try again later.")
    case .malformed: tr("What the server answers cannot be understood. Try again later.")
    case .redirected(let host) where host.isEmpty:
      tr("The server points to another place, which is not followed. Tell whoever set the app up.")
    case .redirected(let host):
      tr("The server points to %s, which is not followed. Tell whoever set the app up.", host)
    case .badCertificate:
      tr("The server cannot prove who it is. If this network asks you to sign in, do that first, then try again.")
    case .crashed: tr("The request ended before its time. Try again.")
    case .safeMode: tr("Nothing is sent in safe mode. Leave it, then try again.")
    }
  }
}
