import CGtk
import GLibKit

/// What a notification shows, and what its buttons do.
public struct DesktopNotification {
  /// A button: its words, and the action of the app that it runs (`app.show`).
  public typealias Button = (words: String, action: String)

  /// The first line.
  public var title: String
  /// What follows.
  public var body: String
  /// The action that a click on it runs.
  public var action: String
  /// The buttons, where the desktop shows any.
  public var buttons: [Button]

  /// Takes all of it.
  public init(title: String, body: String, action: String, buttons: [Button]) {
    self.title = title
    self.body = body
    self.action = action
    self.buttons = buttons
  }
}

/// The app's notifications on the desktop, each under a name of ours.
///
/// Goes through GApplication, which knows GNOME's way, the sandbox portal's and the one that all others have. A desktop
/// without notifications shows none.
@MainActor
public final class Notifier {
  private let application: Application
  private var shown: [String: Int64] = [:]
  private var withdrawals: [String: [Timer]] = [:]

  /// When to withdraw once more, in milliseconds.
  ///
  /// GLib 2.74 sends off `Notify` and knows the notification only from the answer on: until then a withdrawal does
  /// nothing. A slow desktop would keep for good what is to be seen no more. GLib waits 25 s for the answer.
  private static let again: [Int64] = [50, 250, 1000, 5000, 25_500]

  /// Speaks for an application, which is registered by the time of the first call.
  public init(_ application: Application) { self.application = application }

  /// Shows it, in place of the one of that name.
  public func show(_ name: String, _ notification: DesktopNotification) {
    withdrawals[name] = nil
    shown[name] = Time.boot
    let object = Object(owning: UnsafeMutableRawPointer(g_notification_new(notification.title)))
    g_notification_set_body(object.opaque, notification.body)
    g_notification_set_default_action(object.opaque, notification.action)
    for button in notification.buttons { g_notification_add_button(object.opaque, button.words, button.action) }
    g_notification_set_priority(object.opaque, G_NOTIFICATION_PRIORITY_HIGH)
    g_application_send_notification(application.cast(), name, object.opaque)
  }

  /// Takes it away, where it was shown; it is gone, or on its way, when this returns.
  public func withdraw(_ name: String) {
    guard let since = shown.removeValue(forKey: name) else { return }
    g_application_withdraw_notification(application.cast(), name)
    guard Time.boot - since < Notifier.again.last ?? 0 else { return }
    withdrawals[name] = Notifier.again.map { delay in
      MainLoop.after(delay) { [weak self] in
        guard let self else { return }
        g_application_withdraw_notification(self.application.cast(), name)
      }
    }
  }
}
