import CGtk
import GLibKit

/// What the app is, who made it, and under which terms.
public enum AboutWindow {
  /// The facts of the page.
  public struct Facts {
    /// Name, icon name, version, one sentence.
    public var name: String, icon: String, version: String, comments: String
    /// Addresses of the project and its issues; empty where there is none.
    public var website: String, issues: String
    /// What helps to find a fault, to be copied or saved; empty where there is nothing.
    public var debugInformation = ""

    /// Takes the facts.
    public init(
      name: String, icon: String, version: String, comments: String, website: String, issues: String,
      debugInformation: String = ""
    ) {
      self.name = name
      self.icon = icon
      self.version = version
      self.comments = comments
      self.website = website
      self.issues = issues
      self.debugInformation = debugInformation
    }
  }

  /// Shows the page over the window.
  @MainActor
  public static func show(over parent: Window, _ facts: Facts) {
    let about = Widget(sinking: adw_about_window_new())
    about.set("application-name", facts.name)
    about.set("application-icon", facts.icon)
    about.set("version", facts.version)
    about.set("comments", facts.comments)
    about.set("developer-name", tr("The App Gates authors"))
    about.set("website", facts.website)
    about.set("issue-url", facts.issues)
    about.set("license-type", Int(GTK_LICENSE_MIT_X11.rawValue))
    if !facts.debugInformation.isEmpty {
      about.set("debug-info", facts.debugInformation)
      about.set("debug-info-filename", "app-gates-debug-information.txt")
    }
    about.set("modal", true)
    about.closeInspector()
    gtk_window_set_transient_for(about.cast(), parent.cast())
    gtk_window_present(about.cast())
  }
}
