import CGtk
import GLibKit

/// Whether the user is in the app: whether any of its windows is the active one.
///
/// Tells at once, in the main-loop turn in which the desktop said so. The app's own dialogs count as the app.
@MainActor
public final class Activity {
  /// Whether any window is active.
  ///
  /// A window that was just shown counts until the desktop has had time to decide.
  public private(set) var isActive = true
  /// Runs at each change.
  public var onChange: (@MainActor (Bool) -> Void)?

  private let toplevels: Object
  private var connections: [UnsafeMutableRawPointer: [Connected]] = [:]
  private var listConnection: Connected?
  private var patience: Timer?

  /// How long the desktop may take to give the keyboard to a window of ours that has just been shown, or back to one
  /// when a dialog of ours has closed, in milliseconds.
  ///
  /// Between the two no window is active, and nobody has left.
  private static let handover: Int64 = 400

  /// Begins to watch.
  public init() {
    toplevels = Object(borrowing: UnsafeMutableRawPointer(gtk_window_get_toplevels()))
    let connection = toplevels.on("items-changed") { [weak self] arguments in
      self?.listChanged(removed: arguments.uint(2) > 0)
    }
    listConnection = Connected(connection, of: toplevels)
    listChanged(removed: false)
    wait()
  }

  /// The app's windows at this moment, borrowed.
  static func windows() -> [UnsafeMutableRawPointer] {
    let list = Object(borrowing: UnsafeMutableRawPointer(gtk_window_get_toplevels()))
    return (0..<g_list_model_get_n_items(list.opaque)).compactMap { place in
      guard let item = g_list_model_get_item(list.opaque, place) else { return nil }
      // The list itself keeps the window.
      g_object_unref(item)
      return item
    }
  }

  private func listChanged(removed: Bool) {
    let now = Activity.windows()
    connections = connections.filter { now.contains($0.key) }
    for raw in now where connections[raw] == nil {
      let window = Object(borrowing: raw)
      connections[raw] = [
        Connected(window.onChange(of: "is-active") { [weak self] in self?.look() }, of: window),
        Connected(window.onChange(of: "visible") { [weak self] in self?.wait() }, of: window),
      ]
    }
    if removed { wait() }
  }

  private func wait() {
    patience = MainLoop.after(Activity.handover) { [weak self] in
      self?.patience = nil
      self?.look()
    }
  }

  private func look() {
    let isActive = Activity.windows().contains { gtk_window_is_active($0.assumingMemoryBound(to: GtkWindow.self)) != 0 }
    if isActive {
      patience = nil
    } else if patience != nil {
      return
    }
    guard isActive != self.isActive else { return }
    self.isActive = isActive
    onChange?(isActive)
  }
}

extension Window {
  /// Whether a dialog of the app lies over it.
  public var hasDialog: Bool {
    Activity.windows().contains { $0 != raw && Object(borrowing: $0).bool("visible") }
  }
}
