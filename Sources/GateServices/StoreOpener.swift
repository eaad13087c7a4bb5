import GLibKit
import GateCore

/// Opens the page where updates are had.
public enum StoreOpener {
  private static let schemes = ["https", "http", "appstream", "snap"]

  /// Hands the address to xdg-open as its one argument, and tells how that ended; nil means well.
  ///
  /// No shell sees the address. Main thread; never blocks. xdg-open may claim success and open nothing, so the address
  /// must stay on the screen.
  @MainActor
  public static func open(_ address: String, _ done: @escaping @MainActor (StoreFault?) -> Void) {
    guard mayOpen(address) else { return MainLoop.wake { done(.refused) } }
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

  /// Whether the address has one of the four schemes, something after it, and no character that addresses cannot have.
  static func mayOpen(_ address: String) -> Bool {
    guard let colon = address.firstIndex(of: ":") else { return false }
    let scheme = address[..<colon].lowercased()
    let rest = address[address.index(after: colon)...]
    let isPlain = address.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f }
    return schemes.contains(scheme) && !rest.isEmpty && isPlain
  }
}
