import CGtk
import GLibKit

/// Waits until what a window holds now is on the screen.
///
/// Main thread only; dropping it calls it off.
@MainActor
public final class ShownWait {
  private var done: (@MainActor () -> Void)?
  private var frames: Connection?
  private var turn: Timer?
  private var painted = 0

  /// Runs the body once, in a later turn: after two frames, since the second begins when the compositor has taken the
  /// first, where it tells; at once where the window is not on the screen at all.
  ///
  /// A window that the compositor does not show without saying so draws no frames: the caller has a deadline.
  public init(_ window: Window?, _ done: @escaping @MainActor () -> Void) {
    self.done = done
    guard let window, let clock = window.frameClock else {
      turn = MainLoop.after(0) { [weak self] in self?.finish() }
      return
    }
    gtk_widget_queue_draw(window.widget)
    let raw = clock.opaque
    frames = clock.on("after-paint") { [weak self] _ in
      guard let self else { return }
      painted += 1
      if painted < 2 {
        gdk_frame_clock_request_phase(raw, GDK_FRAME_CLOCK_PHASE_PAINT)
      } else {
        // Not sync, which waits for the answer of a compositor that may hang.
        gdk_display_flush(gdk_display_get_default())
        finish()
      }
    }
    gdk_frame_clock_request_phase(raw, GDK_FRAME_CLOCK_PHASE_PAINT)
  }

  isolated deinit { frames?.disconnect() }

  private func finish() {
    frames?.disconnect()
    frames = nil
    turn = nil
    let done = done
    self.done = nil
    done?()
  }
}

extension Window {
  /// What times its frames; nil where it is hidden or minimised, and draws none.
  fileprivate var frameClock: Object? {
    guard gtk_widget_get_mapped(widget) != 0, let clock = gtk_widget_get_frame_clock(widget),
      let surface = gtk_native_get_surface(gtk_widget_get_native(widget)),
      gdk_toplevel_get_state(surface).rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue == 0
    else { return nil }
    return Object(borrowing: UnsafeMutableRawPointer(clock))
  }
}
