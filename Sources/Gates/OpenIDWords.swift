import GateCore
import GLibKit

extension SignInFault {
  /// What happened and what to do.
  public var words: String {
    switch self {
    case .secret(let fault): fault.words
    case .provider(let fault): fault.words
    case .notRevoked:
      tr(
        "You are signed out here, but the provider could not be told. If others use this computer, sign out on the provider’s own page too."
      )
    }
  }
}

extension OpenIDFault {
  /// What happened and what to do.
  public var words: String {
    switch self {
    case .web(let fault): fault.words
    case .answered(let status): tr("The provider cannot do that now (status %s). Try again later.", String(status))
    case .busy: tr("The provider is busy. Try again in a few minutes.")
    case .garbage: tr("What the provider answers cannot be understood. Try again later.")
    case .otherIssuer: tr("The provider calls itself by another name than expected. Tell whoever set the app up.")
    case .unsafeAddress: tr("The provider names an address that is not safe. Tell whoever set the app up.")
    case .unsupported: tr("The provider cannot sign in apps like this one safely. Tell whoever set the app up.")
    case .listener(let fault): fault.words
    case .refused(let refusal): refusal.words
    case .codeRefused: tr("The provider did not accept this sign-in. Try again.")
    case .appRefused: tr("The provider does not accept this app. Tell whoever set the app up.")
    case .sessionRefused:
      tr("The provider has ended your session. Sign in again: your todos are still here, and belong to your account.")
    case .idToken(.expired), .idToken(.early):
      tr("The provider’s answer does not fit this computer’s clock. Set the clock right, then try again.")
    case .idToken: tr("The provider’s answer is not for this sign-in, and was not used. Try again.")
    case .tooLarge: tr("The provider’s answer is too large to be kept. Tell whoever set the app up.")
    case .noRandomness: tr("The system gives no random numbers. Restart the computer, then try again.")
    }
  }
}

extension RedirectFault {
  /// What happened and what to do.
  var words: String {
    switch self {
    case .noPort:
      tr("No port of this computer is free for the browser to come back to. Close other programs, then try again.")
    case .timedOut: tr("The browser did not come back within ten minutes. Try again.")
    case .notInstalled: tr("The browser cannot come back: app-gates-web is missing. Install the app’s package again.")
    case .crashed: tr("Waiting for the browser ended before its time. Try again.")
    }
  }
}

extension OpenIDRefusal {
  /// What happened and what to do.
  var words: String {
    switch self {
    case .denied: tr("The sign-in was declined in the browser. Try again if that was not meant.")
    case .unavailable: tr("The provider cannot sign you in now. Try again later.")
    case .interaction: tr("The provider wants something of you first. Sign in on its own page, then try again.")
    case .request: tr("The provider does not accept this app. Tell whoever set the app up.")
    case .other: tr("The provider did not sign you in. Try again later.")
    }
  }
}

extension SessionConnection {
  /// What is to be known of it on a page about the session; empty where there is nothing to say.
  public var words: String {
    switch self {
    case .none, .unknown: ""
    case .fresh: tr("The provider has confirmed your session.")
    case .offline(let fault) where fault.mayPass:
      tr("Offline: the provider cannot be reached, and your session stays. It is tried again by itself.")
    case .offline(let fault): tr("The session cannot be renewed, and stays as it is. %s", fault.words)
    case .expired: tr("The provider’s confirmation has expired. To renew it, sign out and in again.")
    }
  }
}

extension RedirectPages {
  /// The pages in the user's language.
  static func translated(isRightToLeft: Bool) -> RedirectPages {
    RedirectPages(
      language: String((languages().first ?? "en").prefix { $0 != "@" }.map { $0 == "_" ? "-" : $0 }),
      isRightToLeft: isRightToLeft,
      done: Page(tr("You can close this window"), tr("Your browser has done its part. Go on in App Gates.")),
      refused: Page(tr("You are not signed in"), tr("You can close this window. App Gates says what to do.")),
      foreign: Page(
        tr("This does not belong to your sign-in"),
        tr("App Gates is still waiting. Go back to the page of your provider, or begin again in App Gates.")),
      missing: Page(tr("There is nothing here"), tr("You can close this window.")))
  }
}
