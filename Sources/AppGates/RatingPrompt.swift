import GLibKit
import GateCore
import Gates
import GtkKit

/// The question for a review.
///
/// It comes seldom; `RatingController` says when.
@MainActor
enum RatingPrompt {
  static func show(over window: Window, _ shell: Shell) {
    let dialog = MessageDialog(
      over: window, heading: tr("Do you like App Gates?"),
      body: tr("A review helps others to find it. If something is amiss, we would rather hear of it."))
    dialog.answer("later", tr("_Not Now")).answer("never", tr("Ne_ver"))
      .answer("feedback", tr("Send _Feedback")).answer("rate", tr("_Rate App Gates"), .suggested)
      .closeAnswer("later").defaultAnswer("rate")
    let rating = shell.context.rating
    dialog.ask { [weak shell] answer in
      switch answer {
      case "rate":
        rating.answered(.rate)
        if let shell { rate(shell) }
      case "feedback":
        rating.answered(.feedback)
        if let shell { FeedbackPage.show(in: shell) }
      case "never": rating.answered(.never)
      default: rating.answered(.notNow)
      }
    }
  }

  /// Opens the page where the app is rated: the packager's address, or the software centre.
  static func rate(_ shell: Shell) {
    let address = shell.context.secrets.storeAddress ?? "appstream:" + Program.id
    shell.context.host.open(address) { [weak shell] fault in
      if fault != nil { shell?.say(tr("The page could not be opened. Look for App Gates in your software centre.")) }
    }
  }
}
