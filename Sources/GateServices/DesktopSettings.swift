import CGLib
import GLibKit

/// The desktop's own settings, as far as they concern the app.
@MainActor
public enum DesktopSettings {
  /// A page of the desktop's settings.
  public enum Panel: Sendable {
    case notifications, fingerprint
  }

  /// Whether the desktop shows the app's notifications.
  public enum Notifications: Hashable, Sendable {
    case allowed, off
    /// This desktop keeps no such setting that could be read.
    case unknown
  }

  /// Reads GNOME's setting for an application; other desktops keep theirs to themselves.
  public static func notifications(of application: String) -> Notifications {
    let schema = "org.gnome.desktop.notifications.application"
    guard let source = g_settings_schema_source_get_default(),
      let found = g_settings_schema_source_lookup(source, schema, 1)
    else { return .unknown }
    g_settings_schema_unref(found)
    let name = application.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
    let path = "/org/gnome/desktop/notifications/application/\(String(name))/"
    guard let settings = g_settings_new_with_path(schema, path) else { return .unknown }
    defer { g_object_unref(settings) }
    return g_settings_get_boolean(settings, "enable") != 0 ? .allowed : .off
  }

  /// Opens a page of the desktop's settings; tells whether a program for it could be started.
  public static func open(_ panel: Panel, _ done: @escaping @MainActor (Bool) -> Void) {
    let commands: [[String]] =
      switch panel {
      case .notifications:
        [
          ["gnome-control-center", "notifications"], ["systemsettings", "kcm_notifications"], ["xfce4-notifyd-config"],
        ]
      case .fingerprint:
        [["gnome-control-center", "user-accounts"], ["systemsettings", "kcm_users"]]
      }
    guard let command = commands.first(where: { isOnPath($0[0]) }) else { return MainLoop.wake { done(false) } }
    Subprocess.run(command) { end in
      if case .exited = end { return }
      done(false)
    }
    done(true)
  }

  private static func isOnPath(_ program: String) -> Bool {
    guard let path = g_find_program_in_path(program) else { return false }
    g_free(path)
    return true
  }
}
