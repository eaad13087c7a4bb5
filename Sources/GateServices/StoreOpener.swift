import GLibKit
import GateCore

/// Opens the page where updates are had.
public enum StoreOpener {
  /// Hands the address to xdg-open as its one argument, and tells how that ended; nil means well.
  ///
  /// No shell sees the address. Main thread; never blocks. xdg-open may claim success and open nothing, so the address
  /// must stay on the screen.
  @MainActor
  public static func open(_ address: String, _ done: @escaping @MainActor (StoreFault?) -> Void) {
    guard Address.isStore(address) else { return MainLoop.wake { done(.refused) } }
    Subprocess.run(["xdg-open", address]) { end in
      switch end {
      case .exited(0): done(nil)
      case .exited(let code): done(.failed(code))
      case .killed(let signal): done(.failed(128 + signal))
      case .notStarted: done(.failed(-1))
      case .notFound: done(.notInstalled)
      }
    }
  }
}
