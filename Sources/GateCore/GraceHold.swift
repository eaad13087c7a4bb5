/// Puts the grace period off, for as long as it is kept: see `BiometricController.holdGrace`.
///
/// Dropping it ends it.
@MainActor
public final class GraceHold {
  /// How long one may count, in milliseconds: as long as the keyring may ask.
  public nonisolated static let longest: Int64 = 60_000

  private let end: @MainActor () -> Void

  init(end: @escaping @MainActor () -> Void) { self.end = end }

  isolated deinit { end() }
}
