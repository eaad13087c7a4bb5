import GateCore
import GLibKit

// The one place where faults become sentences: what happened, then what to do.

extension AppError {
  /// The sentence that the user reads.
  public var words: String {
    switch self {
    case .preferencesDamaged(let copy):
      tr("The settings file was damaged. It is kept as %s, and new settings were begun, with the lock on.", copy)
    case .preferencesUnreadable(let path, let fault):
      tr(
        "The settings in %s cannot be read: %s. The app lock is on until they can. Put that right, then start the app again.",
        path, fault.words)
    case .preferencesNotSaved(let path, let fault):
      tr("The settings in %s could not be saved: %s. What you chose holds until you quit.", path, fault.words)
    case .todosUnreadable(let path, let fault):
      tr("The todos in %s cannot be read: %s. The file was left as it is.", path, fault.words)
    case .todosNotSaved(let fault):
      tr("The change could not be saved: %s. The list is as it was before.", fault.words)
    case .sessionNotRemoved(let fault):
      tr("You are signed out here, but the session’s secret could not be removed: %s", fault.words)
    case .notErased(let left):
      tr("Not everything could be deleted. Delete by hand what is left: %s", left.map(\.words).joined(separator: "; "))
    case .unexpected:
      tr(
        "Something happened that should not. Try again; if it comes back, quit and start anew. Nothing that was saved is lost."
      )
    }
  }

  /// What developers read, in debug builds only.
  var detail: String? {
    if case .unexpected(let detail) = self { return detail }
    return nil
  }
}

extension FileFault {
  /// The cause in a few words, fit for the middle of a sentence.
  public var words: String {
    switch self {
    case .damaged: tr("the file is damaged")
    case .empty: tr("the file is empty")
    case .noPermission: tr("you have no permission for it")
    case .foreignOwner: tr("it belongs to another user")
    case .readOnly: tr("it is read-only")
    case .noSpace: tr("the disk is full")
    case .missing: tr("it is missing")
    case .tooNew: tr("a newer version of the app wrote it")
    case .other(let code): tr("the system says “%s”", systemWords(code))
    }
  }

  private func systemWords(_ code: Int32) -> String { SystemError(code: code).words }
}

extension SessionFault {
  /// What happened and what to do.
  public var words: String {
    switch self {
    case .keyringLocked: tr("The keyring is locked. Unlock it, then try again.")
    case .keyringRefused: tr("The keyring refuses. Try again, or log out of your desktop and in again.")
    case .keyringUnavailable: tr("No keyring was found. Start one, then try again.")
    case .timedOut: tr("The keyring does not answer. Try again in a while.")
    case .secretGone:
      tr("The session’s secret is gone from where it was kept. Sign in again; your todos are still here.")
    case .file(let fault): tr("The key file could not be written: %s.", fault.words)
    case .cancelled: tr("It was cancelled.")
    }
  }
}

extension ErasureFault {
  /// What is left and why, fit for the middle of a sentence.
  public var words: String {
    switch reason {
    case .file(let fault): tr("%s (%s)", path, fault.words)
    case .link: tr("%s (it is a link, and what it leads to is not touched)", path)
    case .mount: tr("%s (another file system is mounted there)", path)
    }
  }
}

extension StoreFault {
  /// What happened and what to do, with the address in view.
  public var words: String {
    switch self {
    case .notInstalled: tr("Nothing on this computer opens addresses (xdg-open is missing). Copy the address instead.")
    case .failed: tr("The address could not be opened. Copy it instead.")
    case .refused: tr("This kind of address is not opened. Copy it instead.")
    }
  }
}

extension VerifyFault {
  /// What happened and what to do.
  public var words: String {
    switch self {
    case .wrong: tr("That was not right. Try again.")
    case .accountExpired: tr("Your account has expired. Ask whoever looks after this computer.")
    case .accountRefused: tr("The system does not let this account in now. Ask whoever looks after this computer.")
    case .serviceMissing:
      tr(
        "Passwords cannot be checked: the file /etc/pam.d/app-gates is missing. Install the app’s package, or copy the file from its source."
      )
    case .noNewPrivileges:
      tr(
        "Passwords cannot be checked here: the app runs in a sandbox without the rights for it. Run it outside the sandbox."
      )
    case .runsAsRoot: tr("Passwords are not checked for root. Run the app as an ordinary user.")
    case .notSelf: tr("Passwords are checked only for the user who runs the app.")
    case .helperMissing: tr("Passwords cannot be checked: app-gates-auth is missing. Install the app’s package again.")
    case .helperFailed: tr("The password check ended before its time. Try again.")
    case .versionMismatch: tr("The app was updated while it ran. Quit it and start it again.")
    case .noAnswer: tr("The password check does not answer. Try again.")
    case .tooManyTries: tr("Too many tries. Wait a while, then try again.")
    case .unavailable: tr("The system cannot check passwords now. Try again later.")
    case .badInput(.empty): tr("Type your password first.")
    case .badInput(.tooLong): tr("That is longer than a password can be (511 bytes).")
    case .badInput(.containsNUL): tr("That holds a character that no password can hold.")
    }
  }
}
