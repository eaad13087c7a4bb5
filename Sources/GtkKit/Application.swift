import CGLib
import CGtk
import GLibKit

/// The running program on the desktop: one instance, its actions, its windows.
public final class Application: Object {
  /// Makes the application under its id.
  public init(id: String) {
    super.init(owning: UnsafeMutableRawPointer(adw_application_new(id, G_APPLICATION_DEFAULT_FLAGS)))
  }

  /// Runs until it quits; returns the exit status.
  ///
  /// `arguments` are the process's own, the first its name. `action` runs first: here, or in the instance that runs
  /// already, which is then all that is done.
  public func run(_ arguments: [String], action: String? = nil) -> Int32 {
    if let action { on("handle-local-options") { [weak self] in $0.answer(self?.begin(action) ?? -1) } }
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { g_strdup($0) }
    defer { for pointer in pointers { g_free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { g_application_run(cast(), Int32($0.count), $0.baseAddress) }
  }

  /// The exit status where another instance was woken; -1 where the program is to go on here.
  private func begin(_ action: String) -> Int32 {
    // The other instance learns from the desktop's own data that it was the user who asked, and may come to the front.
    guard g_application_register(cast(), nil, nil) != 0 else { return -1 }
    g_action_group_activate_action(opaque, action, nil)
    return g_application_get_is_remote(cast()) != 0 ? 0 : -1
  }

  /// Keeps the program running without a window, until `release`.
  public func hold() { g_application_hold(cast()) }

  /// Ends a `hold`; without a window the program then ends.
  public func release() { g_application_release(cast()) }

  /// Ends the loop: windows go, unsaved nothing is left by then.
  public func quit() { g_application_quit(cast()) }

  /// Adds an action, under `app.`, with the keys that run it (`<Control>l`).
  @discardableResult
  public func action(_ name: String, keys: [String] = [], _ body: @escaping @MainActor () -> Void) -> Action {
    let action = Action(name: name, body)
    g_action_map_add_action(opaque, action.opaque)
    setKeys(keys, for: "app." + name)
    return action
  }

  /// Sets the keys that run an action of any kind.
  public func setKeys(_ keys: [String], for action: String) {
    var pointers: [UnsafePointer<CChar>?] = keys.map { UnsafePointer(g_strdup($0)) } + [nil]
    defer { for pointer in pointers { g_free(UnsafeMutableRawPointer(mutating: pointer)) } }
    gtk_application_set_accels_for_action(cast(), action, &pointers)
  }
}

/// Something that menus, keys and other programs on the session bus can run by its name.
public final class Action: Object {
  init(name: String, _ body: @escaping @MainActor () -> Void) {
    super.init(owning: UnsafeMutableRawPointer(g_simple_action_new(name, nil)))
    on("activate") { _ in body() }
  }

  /// Whether it can run now.
  public var isEnabled: Bool {
    get { g_action_get_enabled(opaque) != 0 }
    set { g_simple_action_set_enabled(opaque, newValue ? 1 : 0) }
  }
}
