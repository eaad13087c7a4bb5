import GtkKit

/// Keeps the program running, without a window, while something comes to its end.
@MainActor
final class LastWords {
  private let application: Application
  private var kept: [AnyObject] = []

  init(_ application: Application) {
    self.application = application
    application.hold()
  }

  func keep(_ thing: AnyObject) { kept.append(thing) }

  /// The program ends with this, where it has no window.
  isolated deinit { application.release() }
}
