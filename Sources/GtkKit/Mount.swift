import CGtk
import GLibKit

/// A screen that is there: its widget, and all that lives as long as it does.
///
/// Drop it and its listeners, timers and tasks go with it. While it is parked it is out of the window, its work at
/// rest and its state kept.
@MainActor
public final class Mount {
  /// What is shown.
  public let widget: Widget
  /// The widget that gets the keyboard when the screen is first shown.
  public var firstFocus: Widget?
  /// Gives the keyboard to a screen within this one, in place of `firstFocus`.
  public var passFocus: (@MainActor () -> Void)?
  /// Whether it is out of the window for now.
  public private(set) var isParked = false

  /// How many are alive, for tests that look for leaks.
  public private(set) static var live = 0

  private var kept: [Any] = []
  private var pauses: [@MainActor () -> Void] = []
  private var resumes: [@MainActor () -> Void] = []
  private var ends: [@MainActor () -> Void] = []
  private var focus: Widget?
  private var selection: TextSelection?
  private var isEnded = false

  /// Makes a mount around a widget; `keeping` lives as long as it.
  public init(_ widget: Widget, keeping kept: Any...) {
    self.widget = widget
    self.kept = kept
    Mount.live += 1
  }

  isolated deinit { Mount.live -= 1 }

  /// Keeps something for as long as the screen is there: a listener's token, a controller, a timer.
  @discardableResult
  public func keep(_ thing: Any) -> Self {
    kept.append(thing)
    return self
  }

  /// Starts work that ends with the screen.
  public func run(_ body: @escaping @MainActor () async -> Void) {
    let task = Task { await body() }
    ends.append { task.cancel() }
  }

  /// Runs a body when the screen is parked, and one when it comes back.
  public func onPark(_ pause: @escaping @MainActor () -> Void, onReturn resume: @escaping @MainActor () -> Void) {
    pauses.append(pause)
    resumes.append(resume)
  }

  /// Runs a body when the screen goes for good.
  public func onEnd(_ body: @escaping @MainActor () -> Void) { ends.append(body) }

  /// Runs the bodies that were left for the end.
  ///
  /// Once; the slot that showed the mount calls it.
  public func end() {
    guard !isEnded else { return }
    isEnded = true
    for body in ends { body() }
    ends = []
    pauses = []
    resumes = []
    kept = []
  }

  func park() {
    guard !isParked else { return }
    isParked = true
    rememberFocus()
    for body in pauses { body() }
  }

  func unpark() {
    guard isParked else { return }
    isParked = false
    for body in resumes { body() }
  }

  /// Gives the keyboard to the widget that had it, or to the first.
  public func restoreFocus() {
    guard gtk_widget_get_root(widget.widget) != nil else { return }
    if let focus, widget.contains(focus.widget), focus.grabFocus() {
      selection?.putBack()
      selection = nil
      return
    }
    if let passFocus { return passFocus() }
    if let firstFocus { firstFocus.grabFocus() } else { gtk_widget_child_focus(widget.widget, GTK_DIR_TAB_FORWARD) }
  }

  private func rememberFocus() {
    focus = nil
    selection = nil
    guard let root = gtk_widget_get_root(widget.widget), let held = gtk_root_get_focus(root), widget.contains(held)
    else { return }
    let focused = Widget(borrowing: held)
    focus = focused
    selection = TextSelection(of: focused)
  }
}
