import GLibKit
import GateCore

/// Looks at the fingerprint reader for all rows that tell of it, and not too often: each look starts fprintd.
@MainActor
final class ReaderLooks {
  /// How far two looks are apart at the least, in milliseconds.
  static let pause: Int64 = 2_000
  /// How long the lock has to let go of the reader, in milliseconds, before its own claim would be taken for another
  /// program's.
  static let settling: Int64 = 300

  private let client: FingerprintClient?
  private let clock: Clock
  private let isWanted: @MainActor () -> Bool
  private let isBusy: @MainActor () -> Bool
  private let found: @MainActor (ReaderState) -> Void
  private var last: Int64?
  private var pending: Timer?
  private var look: AnyObject?

  /// Takes whom to ask and whom to tell; nobody is asked while it is not wanted, and while the app itself is busy with
  /// the reader the look waits.
  init(
    _ client: FingerprintClient?, clock: Clock, isWanted: @escaping @MainActor () -> Bool,
    isBusy: @escaping @MainActor () -> Bool, found: @escaping @MainActor (ReaderState) -> Void
  ) {
    self.client = client
    self.clock = clock
    self.isWanted = isWanted
    self.isBusy = isBusy
    self.found = found
  }

  /// Looks soon; a look that is due already is the same.
  func ask() {
    guard pending == nil else { return }
    let left = last.map { $0 + Self.pause - clock.boot() } ?? 0
    wait(max(left, Self.settling))
  }

  private func wait(_ milliseconds: Int64) {
    pending = MainLoop.after(milliseconds) { [weak self] in self?.begin() }
  }

  private func begin() {
    pending = nil
    // Whoever comes back to the page asks anew.
    guard isWanted() else { return }
    if isBusy() { return wait(Self.pause) }
    last = clock.boot()
    look = client?.look { [weak self] in self?.found($0) }
  }
}
