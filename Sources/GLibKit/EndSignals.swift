import CGLib
import GLibShim
import Glibc

/// What asks the program to end from outside, or ends it.
@MainActor
public enum EndSignals {
  private static var asked: (@MainActor () -> Void)?

  /// Runs the body when the session ends or a terminal asks for the end (SIGTERM, SIGHUP, SIGINT), from the main loop.
  ///
  /// Once.
  public static func listen(_ body: @escaping @MainActor () -> Void) {
    asked = body
    for number in [SIGTERM, SIGHUP, SIGINT] {
      g_unix_signal_add(
        number,
        { _ in
          MainActor.assumeIsolated { EndSignals.asked?() }
          return 1
        }, nil)
    }
  }

  /// Calls the function when GDK has lost the display server, just before it ends the program; from any thread.
  ///
  /// Once, before there are threads.
  public static func onDisplayLoss(_ lost: @convention(c) () -> Void) { gs_watch_display_loss(lost) }
}
