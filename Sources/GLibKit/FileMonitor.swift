import CGLib

/// Tells when a file changes, comes or goes; several changes in a row are told once.
///
/// Main thread only. It also follows the last link of the path. A folder that is not there yet is looked for again by
/// GLib every few seconds. Dropping the monitor ends it.
@MainActor
public final class FileMonitor {
  private var monitors: [Object] = []
  private var pause: Timer?
  private let told: @MainActor () -> Void
  private let quiet: Int64

  /// Watches the file; the body runs after the file has been left alone for the time in milliseconds.
  ///
  /// A program that empties a file before it writes it anew is then not caught in between.
  public init(_ path: String, quiet: Int64 = 150, _ body: @escaping @MainActor () -> Void) {
    told = body
    self.quiet = quiet
    watch(path)
    if let target = try? Files.resolved(path), target != path { watch(target) }
  }

  private func watch(_ path: String) {
    let file = g_file_new_for_path(path)
    defer { g_object_unref(file.map { UnsafeMutableRawPointer($0) }) }
    guard let monitor = g_file_monitor_file(file, G_FILE_MONITOR_WATCH_MOVES, nil, nil) else { return }
    let object = Object(owning: UnsafeMutableRawPointer(monitor))
    object.on("changed") { [weak self] _ in self?.changed() }
    monitors.append(object)
  }

  private func changed() {
    pause = MainLoop.after(quiet) { [weak self] in
      self?.pause = nil
      self?.told()
    }
  }

  isolated deinit {
    for monitor in monitors { g_file_monitor_cancel(monitor.cast()) }
  }
}
