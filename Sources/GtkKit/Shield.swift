import CGtk
import GLibKit

/// Keeps content out of every window but the main one, whose own content the gate covers or takes away.
///
/// What lies in a dialog, a menu or a tooltip is content too, and each is a surface of its own: a cover in the main
/// window does not lie over it. All of them are blank from the turn in which the shield is raised, and hidden soon
/// after, or at once; those that appear while it is raised are blank from their first turn, and hidden before the
/// next frame.
///
/// A file dialog that the desktop's portal shows is another program's window, which no widget of ours reaches. It
/// shows names of files and nothing of the app's.
@MainActor
public final class Shield {
  private weak var main: Window?
  private var screens: [Screened] = []
  private var newcomers: [UnsafeMutableRawPointer: Connected] = [:]
  private var list: Connected?
  private var menus: MenuWatch?
  private var patience: Timer?
  private var isHiding = false

  /// How long a window stays blank before it is hidden, in milliseconds.
  ///
  /// A desktop takes the keyboard away for a moment and gives it back, at a volume key or a virtual keyboard's key. A
  /// dialog that was hidden by then would lose the keyboard, and the user's next keys with it.
  private static let blip: Int64 = 150

  /// Makes a shield that hides nothing yet.
  public init() {}

  /// Blanks all windows but this one, and its menus; hides them after a moment, or now where `atOnce`.
  ///
  /// It may be raised again with `atOnce` while it is up already.
  public func raise(except main: Window, atOnce: Bool = false) {
    if list == nil {
      self.main = main
      watch()
      for raw in Activity.windows() where raw != main.raw { screen(raw) }
      for raw in natives(below: main.widget) { screen(raw) }
      menus = MenuWatch { [weak self] in self?.opened($0) }
      patience = MainLoop.after(Shield.blip) { [weak self] in self?.hide() }
    }
    guard atOnce else { return }
    hide()
    // The content has left the window by now: what opens there is the locked page's own.
    menus = nil
  }

  /// Shows again what was hidden and still exists: windows in their order, the last in front, menus not.
  public func lower() {
    list = nil
    newcomers = [:]
    menus = nil
    patience = nil
    isHiding = false
    let screened = screens
    screens = []
    let windows = Activity.windows()
    for one in screened where !one.isWindow || windows.contains(one.window.raw) { one.bringBack() }
  }

  private func hide() {
    patience = nil
    isHiding = true
    for one in screens { one.hide() }
  }

  private func screen(_ raw: UnsafeMutableRawPointer) {
    let window = Object(borrowing: raw)
    guard window.bool("visible"), !screens.contains(where: { $0.window.raw == raw }) else { return }
    let one = Screened(window)
    screens.append(one)
    if isHiding { one.hide() }
  }

  // MARK: Newcomers

  private func watch() {
    let toplevels = Object(borrowing: UnsafeMutableRawPointer(gtk_window_get_toplevels()))
    let connection = toplevels.on("items-changed") { [weak self] _ in self?.listChanged() }
    list = Connected(connection, of: toplevels)
    listChanged()
  }

  private func listChanged() {
    let now = Activity.windows()
    newcomers = newcomers.filter { now.contains($0.key) }
    screens.removeAll { $0.isWindow && !now.contains($0.window.raw) }
    for raw in now where raw != main?.raw && newcomers[raw] == nil {
      let window = Object(borrowing: raw)
      newcomers[raw] = Connected(
        window.onChange(of: "visible") { [weak self, weak window] in if let window { self?.appeared(window) } },
        of: window)
    }
  }

  private func appeared(_ window: Object) {
    guard window.bool("visible") else { return }
    screens.removeAll { $0.window.raw == window.raw }
    hideSoon(window)
  }

  private func opened(_ raw: UnsafeMutableRawPointer) {
    guard gk_is_window(raw.assumingMemoryBound(to: GtkWidget.self)) == 0 else { return }
    hideSoon(Object(borrowing: raw))
  }

  /// Blanks what has just appeared, and hides it before the next frame is drawn.
  ///
  /// Nobody has had the keyboard in it, so there is no blip to wait for. But it is in the middle of its own showing: to
  /// hide it there is a protocol error on Wayland, since GTK 4.8 goes on with the surface.
  private func hideSoon(_ window: Object) {
    let one = Screened(window)
    screens.append(one)
    MainLoop.wake { one.hide() }
  }

  /// The surfaces of their own in the tree below a widget: menus, other popovers, tooltips.
  private func natives(below widget: UnsafeMutablePointer<GtkWidget>) -> [UnsafeMutableRawPointer] {
    var found: [UnsafeMutableRawPointer] = []
    var child = gtk_widget_get_first_child(widget)
    while let each = child {
      if gk_is_native(each) != 0, gtk_widget_get_mapped(each) != 0 { found.append(UnsafeMutableRawPointer(each)) }
      found += natives(below: each)
      child = gtk_widget_get_next_sibling(each)
    }
    return found
  }
}

/// One surface behind the shield: blank, then hidden.
@MainActor
private final class Screened {
  let window: Object
  let isWindow: Bool
  private var parts: [(part: Object, opacity: Double)] = []
  private var isHidden = false
  private var isOver = false

  /// Blanks the parts of it, and not itself.
  ///
  /// A surface that has nothing at all to draw keeps its last frame.
  init(_ window: Object) {
    self.window = window
    isWindow = gk_is_window(window.cast()) != 0
    var child = gtk_widget_get_first_child(window.cast())
    while let each = child {
      parts.append((Object(borrowing: UnsafeMutableRawPointer(each)), gtk_widget_get_opacity(each)))
      gtk_widget_set_opacity(each, 0)
      child = gtk_widget_get_next_sibling(each)
    }
  }

  func hide() {
    guard !isOver, !isHidden else { return }
    isHidden = true
    if gk_is_popover(window.cast()) != 0 {
      gtk_popover_popdown(window.cast())
    } else {
      gtk_widget_set_visible(window.cast(), 0)
    }
    unblank()
  }

  func bringBack() {
    isOver = true
    unblank()
    // A window that was only blank has kept its place and the keyboard.
    if isHidden, isWindow { gtk_window_present(window.cast()) }
  }

  private func unblank() {
    for each in parts { gtk_widget_set_opacity(each.part.cast(), each.opacity) }
    parts = []
  }
}

/// Tells of each surface that comes on the screen, a menu's or a tooltip's too: GTK keeps a list of windows only.
@MainActor
private final class MenuWatch {
  private let body: @MainActor (UnsafeMutableRawPointer) -> Void
  private let signal = g_signal_lookup("map", gtk_widget_get_type())
  private var hook: gulong = 0

  init(_ body: @escaping @MainActor (UnsafeMutableRawPointer) -> Void) {
    self.body = body
    // Not retained: the hook goes with this object.
    hook = g_signal_add_emission_hook(signal, 0, mapped, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  isolated deinit { g_signal_remove_emission_hook(signal, hook) }

  fileprivate func look(_ raw: UnsafeMutableRawPointer) {
    if gk_is_native(raw.assumingMemoryBound(to: GtkWidget.self)) != 0 { body(raw) }
  }
}

private let mapped: GSignalEmissionHook = { _, _, values, data in
  // GTK maps on the main thread, and the pointers do not leave this call.
  nonisolated(unsafe) let (values, data) = (values, data)
  MainActor.assumeIsolated {
    guard let values, let data, let raw = g_value_get_object(values) else { return }
    Unmanaged<MenuWatch>.fromOpaque(data).takeUnretainedValue().look(raw)
  }
  return 1
}
